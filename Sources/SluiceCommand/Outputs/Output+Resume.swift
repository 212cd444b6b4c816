import Glibc
import Sluice
import SystemPackage

extension Output {
    /// Sees that what an earlier run has left is made as this run would make it, or else begins anew if that is forced.
    ///
    /// - Parameter recipe: how this run makes it, the number of threads aside.
    func resume(as recipe: String?, _ settings: Settings) throws(Complaint) {
        guard let recipe, let sink, let note else { throw Complaint(name, "is not a file that --resume can continue") }
        let line = recipe + "\n"
        let known = try Complaint.about(source: name, target: name) { () throws(Failure) in
            try note.recipe(of: sink.identity)
        }
        if known == line { return }
        guard let known, known.isEmpty || settings.isForced else {
            throw Complaint(
                name, "was started with different options or another version",
                hint: "repeat the original options, or -f to start over")
        }
        try Complaint.about(source: name, target: name) { () throws(Failure) in
            // First: what is there is not made so.
            if !known.isEmpty, ftruncate(sink.descriptor.rawValue, 0) != 0 { throw .writing(Errno(rawValue: errno)) }
            try note.write(line, of: sink.identity)
        }
    }
}
