import Dispatch
import Glibc
import SystemPackage
import Testing

@testable import ByteStreams

struct TemporaryFilesTests {
    /// In a process of its own, which can have no more files afterwards.
    @Test func `a process that is about to die leaves none, gets none, and names none`() async {
        await #expect(processExitsWith: .success) {
            let folder = try OutputFileTests.Folder()
            let named = try OutputFile(at: folder.path.appending("named"), isReplacing: false)
            try named.commit(metadataOf: nil, isSynced: false)
            let first = try OutputFile(at: folder.path.appending("first"), isReplacing: false, isNamed: true)
            let second = try OutputFile(at: folder.path.appending("second"), isReplacing: false, isNamed: true)
            let unnamed = try OutputFile(at: folder.path.appending("unnamed"), isReplacing: false)
            #expect(folder.names.count == 3)
            TemporaryFiles.removeAllForGood()
            #expect(folder.names == ["named"])
            let third = folder.path.appending("third")
            #expect(throws: Failure.cancelled) {
                _ = try OutputFile(at: third, isReplacing: false, isNamed: true)
            }
            #expect(failure(committing: first) == .cancelled)
            #expect(failure(committing: unnamed) == .cancelled)
            #expect(folder.names == ["named"])
            _ = consume second
            TemporaryFiles.removeAllForGood()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a file that is being created while the process is about to die is gone before it dies`() async {
        await #expect(processExitsWith: .success) {
            let folder = try OutputFileTests.Folder()
            let path = folder.path.appending("late")
            let (isRegistered, mayCreate, ended) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup()
            )
            try startThread(in: ended) {
                _ = try? TemporaryFiles.create(path, fate: .removed(OpenFolder.of(path))) { () throws(Errno) in
                    isRegistered.signal()
                    mayCreate.wait()
                    usleep(50_000)
                    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL).closeNow()
                }
            }
            isRegistered.wait()
            mayCreate.signal()
            TemporaryFiles.removeAllForGood()
            #expect(folder.names == [])
            ended.wait()
        }
    }

    @Test func `a file that has its name is not removed any more`() throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("temporary")
        try folder.create("temporary")
        try TemporaryFiles.finish(path) { () throws(Failure) in }
        TemporaryFiles.undo(path)
        #expect(folder.names == ["temporary"])
    }

    @Test func `a process that is about to die gives a file its name back that was to be removed`() async {
        await #expect(processExitsWith: .success) {
            let folder = try OutputFileTests.Folder()
            let path = folder.path.appending("source")
            try folder.write("content", to: "source")
            #expect(throws: Errno.self) {
                try Removal.of(path, in: nil) { _ in
                    #expect(folder.names != ["source"])
                    TemporaryFiles.removeAllForGood()
                    return true
                }
            }
            #expect(folder.names == ["source"])
            #expect(throws: Errno.canceled) { try Removal.of(path, in: nil) { _ in true } }
            #expect(folder.read("source") == "content")
        }
    }

    @Test func `a file whose naming failed is still removed`() throws {
        let folder = try OutputFileTests.Folder()
        let path = folder.path.appending("temporary")
        try folder.create("temporary")
        #expect(throws: Failure.cancelled) {
            try TemporaryFiles.finish(path) { () throws(Failure) in throw .cancelled }
        }
        TemporaryFiles.undo(path)
        #expect(folder.names == [])
    }

    @Test func `an existing file is not removed when another can't be created`() throws {
        let folder = try OutputFileTests.Folder()
        try folder.write("foreign", to: "name")
        let path = folder.path.appending("name")
        #expect(throws: Errno.fileExists) { try folder.create("name") }
        TemporaryFiles.undo(path)
        #expect(folder.read("name") == "foreign")
    }
}

extension FileDescriptor {
    fileprivate func closeNow() throws(Errno) { try systemCall { Glibc.close(rawValue) } }
}

extension OutputFileTests.Folder {
    /// Creates an empty temporary file.
    fileprivate borrowing func create(_ name: FilePath.Component) throws {
        let path = path.appending(name)
        let descriptor = try TemporaryFiles.create(path, fate: .removed(OpenFolder.of(path))) { () throws(Errno) in
            try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
        }
        try descriptor.close()
    }
}
