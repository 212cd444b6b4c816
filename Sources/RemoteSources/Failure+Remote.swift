public import ByteStreams
internal import SystemPackage

/// The status of an answer, as the cause of a failure.
package struct RemoteStatus: Error {
    package let code: Int
}

extension Failure.Code {
    /// A server can't be reached, or its answer is an error or invalid; the message says which.
    public static let remote = Failure.Code("remote")
    /// A remote file has changed since it was opened.
    public static let remoteChanged = Failure.Code("remote changed")
}

extension Failure {
    static func remote(_ sentence: String) -> Failure { Failure(.remote, sentence) }

    static let remoteChanged = Failure(.remoteChanged, "the file on the server has changed since it was opened")

    static func encoded(_ coding: ContentCoding) -> Failure {
        .remote("the server sends it encoded, as \(coding.word)")
    }

    /// The system refuses a connection: the process has confined itself, mostly to the ports of the URLs.
    static func notPermitted(port: UInt16?, isRedirected: Bool) -> Failure {
        let place = port.map { "port \($0)" } ?? "its port"
        let sentence =
            isRedirected
            ? "the server redirects to \(place), which this process may not connect to"
            : "this process may not connect to \(place)"
        return Failure(.remote, sentence, cause: Errno.permissionDenied)
    }

    /// Why a request was not signed.
    private static func isUnsigned(_ places: [String]) -> String {
        ": the request is not signed, since no key was found in " + places.joined(separator: ", ")
    }

    /// The failure for an error that repeating the request would not change.
    static func refusal(_ header: AnswerHeader) -> Failure {
        let status = "status \(header.status)" + (header.errorCode.map { ", \($0)" } ?? "")
        return switch header.status {
        case _ where header.bucketRegion != nil && [301, 307, 400].contains(header.status):
            .remote("the bucket lies in another region: set AWS_REGION=\(header.bucketRegion ?? "")")
        case 401: Failure(.remote, "the server wants to know who asks (\(status))", cause: RemoteStatus(code: 401))
        case 403: .remote("the server refuses access (\(status))" + (header.searched.map(Self.isUnsigned) ?? ""))
        case 404, 410: Failure(.notFound, "there is no such file on the server (\(status))")
        case 407: .remote("the proxy wants to know who asks (\(status))")
        case 412, 416: .remoteChanged
        case 400 where header.errorCode?.hasSuffix("Token") == true: .remote("the server refuses the keys (\(status))")
        default: .remote("the server answered with \(status)")
        }
    }
}
