import SluiceEngine

extension Output {
    /// Checks that an unfinished output was made as this run would make it; with `-f` starts over if not. Notes how a
    /// new output is made.
    ///
    /// - Parameter recipe: how this run makes the output, apart from the number of threads.
    func checkRecipe(_ recipe: String?, startsOver: Bool) throws(Complaint) {
        guard let recipe, let sink, let note else { throw Complaint(name, "is not a file that --resume can continue") }
        let line = recipe + "\n"
        let known = try Complaint.about(source: name, note.recipe(of: sink.identity))
        if known == line { return }
        guard let known, known.isEmpty || startsOver else {
            throw Complaint(
                name, "was started with different options or another version",
                hint: "repeat the original options, or -f to start over")
        }
        // Truncate before the note changes, because the old data does not match the new note.
        if !known.isEmpty { try Complaint.about(source: name, sink.empty()) }
        try Complaint.about(source: name, note.write(line, of: sink.identity))
    }
}
