internal import ByteStreams
internal import Glibc

/// How a client gets the key that signs its requests.
extension RemoteClient {
    /// The most bytes of an answer that has a key or a token.
    private static let mostOfAnswer = 64 << 10
    /// How often the service of tokens, and the endpoint of a container, are asked.
    private static let tries = 3
    /// The pause in seconds before the second try. It doubles.
    private static let firstWait = 0.25
    /// Seconds to wait for a machine, which answers at once, or is none of EC2's, and for a container's endpoint.
    private static let patience = (machine: 1, container: 2)

    /// Gets a key from its place; nil if the place has none.
    ///
    /// - Throws: `remote` if it should have one; `cancelled`.
    func fetchKey(from place: KeyPlace) throws(Failure) -> AccessKey? {
        switch place {
        case .known(let key, _): key
        case .webIdentity(let identity): try fetch(identity)
        case .command(let words, let name): try fetchKey(printedBy: words, name)
        case .container(let container): try fetch(container)
        case .machine(let machine): try fetch(machine)
        case .program: try givenKey()
        case .none: nil
        }
    }

    /// Seconds, as for other requests.
    private var patience: Int { min(max(1, options.patience), 86_400) }

    private func givenKey() throws(Failure) -> AccessKey? {
        guard let give = options.accessKey else { return nil }
        do { return try give()?.checked("the program") } catch let failure as Failure { throw failure } catch {
            throw Failure(.remote, "the program has no key", cause: error)
        }
    }

    private func fetchKey(printedBy words: [[UInt8]], _ name: String) throws(Failure) -> AccessKey {
        let isEnded = { [self] in isCancelled }
        let output =
            options.runKeyCommand?(patience, isEnded)
            ?? ProgramOutput.of(words, within: patience, unless: isEnded)
        switch output {
        case .bytes(let bytes): return try KeyDocument.key(json: bytes, .command, from: "\(name): the command")
        case .flawed(let flaw): throw .remote("\(name): the command \(flaw)")
        case .cancelled: throw .cancelled
        }
    }

    private func fetch(_ identity: WebIdentity) throws(Failure) -> AccessKey {
        let token = try readToken(identity.file)
        let form = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", identity.role),
            ("RoleSessionName", identity.session ?? "sluice-\(time(nil))"), ("WebIdentityToken", token),
        ].map { "\($0)=\($1.percentEncoded(keeping: ""))" }.joined(separator: "&")
        let name = "the token service \(identity.service.name)"
        let url = identity.service.path.isEmpty ? identity.service.url + "/" : identity.service.url
        let answer = try askRepeatedly(
            Question(url: url, name: name, body: Array(form.utf8), patience: patience, isDirect: false))
        return try KeyDocument.key(xml: answer, from: name)
    }

    private func fetch(_ container: ContainerEndpoint) throws(Failure) -> AccessKey {
        let name = "the container's endpoint on \(container.place.hostName)"
        var question = Question(url: container.place.url, name: name, patience: Self.patience.container)
        question.lines = try container.authorization().map { [$0] } ?? []
        return try KeyDocument.key(json: try askRepeatedly(question), .container, from: name)
    }

    /// Nil if the machine is none of EC2's, or has no role. Without a token (IMDSv1) it is not asked.
    private func fetch(_ machine: MachineEndpoint) throws(Failure) -> AccessKey? {
        var base = machine.base.url
        while base.last == "/" { base.removeLast() }
        let name = "the machine's metadata"
        func question(_ path: String, _ line: String) -> Question {
            Question(url: base + path, name: name, lines: [Array(line.utf8)], patience: Self.patience.machine)
        }
        var first = question("/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600")
        first.method = "PUT"
        // Mostly there is none, so that nothing answers; a container may be one hop too far.
        guard let token = try ask(first).text, !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let path = "/latest/meta-data/iam/security-credentials/"
        let line = "X-aws-ec2-metadata-token: \(token)"
        guard let role = try ask(question(path, line)).text?.split(separator: "\n").first, !role.isEmpty else {
            return nil
        }
        let answer = try ask(question(path + String(role).percentEncoded(keeping: ""), line))
        guard answer.status == 200 else { throw answer.failure(name) }
        return try KeyDocument.key(json: answer.bytes, .machine, from: name)
    }
}

extension RemoteClient {
    /// A request for a key.
    private struct Question {
        var url: String
        /// Who is asked, for a sentence.
        let name: String
        var method: String?
        var lines: [[UInt8]] = []
        var body: [UInt8]?
        /// Seconds until the end of the answer.
        var patience: Int
        /// Whether no proxy is asked: it would have a key of its own machine.
        var isDirect = true
    }

    private struct Reply {
        var status = 0
        var bytes: [UInt8] = []
        /// A word for what is wrong.
        var code: String?
        /// Why there is no answer.
        var trouble: String?

        /// What a successful answer says.
        var text: String? { status == 200 ? String(validating: bytes, as: UTF8.self) : nil }

        func failure(_ name: String) -> Failure {
            let code = code.map { ", \($0)" } ?? ""
            return .remote(trouble.map { "\(name): \($0)" } ?? "\(name) gives no key (status \(status)\(code))")
        }
    }

    /// - Returns: the body of a success.
    /// - Throws: `remote` if there is none after some tries.
    private func askRepeatedly(_ question: Question) throws(Failure) -> [UInt8] {
        for number in 1... {
            let reply = try ask(question)
            if reply.status == 200 { return reply.bytes }
            let mayPass = reply.trouble != nil || reply.status == 429 || reply.status >= 500
            if !mayPass || number == Self.tries { throw reply.failure(question.name) }
            try pause(Self.firstWait * Double(1 << (number - 1)))
        }
        return []
    }

    /// Makes a request once, and follows no redirection.
    ///
    /// - Throws: `cancelled`; `remote` if the answer is long.
    private func ask(_ question: Question) throws(Failure) -> Reply {
        var reply = Reply()
        let receive = { (bytes: UnsafeRawBufferPointer) throws(Failure) in
            reply.bytes += bytes
            if reply.bytes.count > Self.mostOfAnswer { throw .remote("\(question.name) answered at length") }
        }
        let exchange = Exchange(judge: { _ in }, receive: receive)
        var request = Request(
            url: question.url, range: nil, agent: options.userAgent, lines: question.lines, signer: nil,
            isToNamedServer: false, isRedirected: false, patience: question.patience)
        (request.method, request.body, request.isDirect) = (question.method, question.body, question.isDirect)
        request.limit = question.patience
        do throws(Failure) {
            let connection = try take(for: question.url)
            defer {
                // It is not needed again soon.
                connection.retire()
                give(connection, for: question.url)
            }
            try connection.perform(request, exchange)
        } catch {
            // What libcurl can't do is no reason to end the run: the store may need no key.
            guard error.code == .remote else { throw error }
            reply.trouble = error.message
        }
        if let failure = exchange.failure { throw failure }
        (reply.status, reply.code) = (exchange.header.status, exchange.header.errorCode)
        reply.trouble = reply.trouble ?? exchange.trouble
        return reply
    }
}
