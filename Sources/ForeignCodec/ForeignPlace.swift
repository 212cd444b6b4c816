/// A place in the input at which another decoder may go on.
package enum ForeignPlace: Sendable {
    /// The end of a member in this format.
    case after(ForeignFormat)
    case within(XzPlace)
    /// The beginning of streams of xz that all end where their input does, behind a member in this format.
    case streams(behind: ForeignFormat?)
}
