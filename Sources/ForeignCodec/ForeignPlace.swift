/// A place in the input at which another decoder may go on.
package enum ForeignPlace: Sendable {
    /// The end of a member in this format.
    case after(ForeignFormat)
    case within(XzPlace)
}
