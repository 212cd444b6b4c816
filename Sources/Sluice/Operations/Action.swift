/// What a run does: one of the operations, made by a function that has its name, such as `.compress(options)`.
///
/// Each operation's file has its function, in an extension of this type.
public struct Action: Sendable {
    let operation: any Operation
}
