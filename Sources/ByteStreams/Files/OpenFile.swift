internal import Glibc
package import SystemPackage

/// A descriptor that is closed when its owner goes, or if the owner can't be made.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { close(descriptor.rawValue) }
}
