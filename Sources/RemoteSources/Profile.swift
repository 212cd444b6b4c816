internal import ByteStreams

/// A profile of `~/.aws/credentials` and `~/.aws/config`.
struct Profile {
    let name: String
    private let credentialsPath: String?
    private let configPath: String?
    private let credentials: ProfileFile.Section?
    private let config: ProfileFile.Section?
    /// The names of the files, each with what is wrong with it.
    private let files: [String]

    /// - Throws: `remote` if a file is not one that AWS's tools read, or a variable names a profile that no file has,
    ///   as with AWS's tools also where the key comes from elsewhere.
    init(_ value: (String) -> String?, _ read: (String) throws(Failure) -> [UInt8]?) throws(Failure) {
        let variable = ["AWS_DEFAULT_PROFILE", "AWS_PROFILE"].first { value($0) != nil }
        name = variable.flatMap(value) ?? "default"
        let home = value("HOME")
        func path(_ variable: String, _ usual: String) -> String? {
            let path = value(variable) ?? home.map { "\($0)/.aws/\(usual)" }
            return path.map { $0.utf8.starts(with: "~/".utf8) ? (home ?? "~") + $0.dropFirst() : $0 }
        }
        credentialsPath = path("AWS_SHARED_CREDENTIALS_FILE", "credentials")
        configPath = path("AWS_CONFIG_FILE", "config")
        let (credentials, first) = try Self.file(credentialsPath, read)
        let (config, second) = try Self.file(configPath, read)
        files = [first ?? "~/.aws/credentials (HOME is not set)", second ?? "~/.aws/config (HOME is not set)"]
        (self.credentials, self.config) = (credentials.section(name), config.profile(name))
        if let variable, self.credentials == nil, self.config == nil {
            throw .remote("\(variable) names \(name.printable), which is neither in \(places(" nor in "))")
        }
    }

    /// A file, and its name with what is wrong with it. One that can't be read has no profiles, as with AWS's tools.
    private static func file(
        _ path: String?, _ read: (String) throws(Failure) -> [UInt8]?
    ) throws(Failure) -> (ProfileFile, String?) {
        guard let path else { return (ProfileFile(), nil) }
        let found: [UInt8]?
        do throws(Failure) { found = try read(path) } catch {
            return (ProfileFile(), "\(path.printable) (which can't be read)")
        }
        guard let found else { return (ProfileFile(), "\(path.printable) (no such file)") }
        do throws(ProfileFile.Flaw) { return (try ProfileFile(found), path.printable) } catch {
            // What the line has may be a secret.
            throw .remote("\(path.printable): line \(error.line) \(error.sentence)")
        }
    }

    /// The names of the files, for a sentence.
    func places(_ word: String) -> String { files.joined(separator: word) }

    /// A setting, where the file of credentials comes first; nil if it is not there, or empty.
    subscript(_ setting: String) -> String? { value(setting).flatMap { $0.isEmpty ? nil : $0 } }

    /// The same, as it is.
    private func value(_ setting: String) -> String? { credentials?[setting] ?? config?[setting] }

    /// The server that variables or the profile name for a service, and what names it; nil for none.
    ///
    /// - Throws: `remote` if it names servers in a section for each service, which is not read: its requests would go
    ///   to another one.
    func endpoint(
        of service: String, _ value: (String) -> String?
    ) throws(Failure) -> (address: String, origin: String)? {
        if value("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")?.lowercased() == "true" { return nil }
        let variable = "AWS_ENDPOINT_URL_\(service)"
        for variable in [variable, "AWS_ENDPOINT_URL"] {
            if let address = value(variable) { return (address, variable) }
        }
        if self["services"] != nil {
            throw .remote(
                "profile \(name.printable) names its servers by 'services', which is not read: set \(variable)")
        }
        return self["endpoint_url"].map { ($0, "endpoint_url of profile \(name.printable)") }
    }

    /// - Throws: `remote` if it takes the key from another one by assuming a role, or has a role and no way to it.
    func refuseRole() throws(Failure) {
        guard value("role_arn") != nil, value("web_identity_token_file") == nil else { return }
        if value("source_profile") != nil || value("credential_source") != nil { throw unsupported("an assumed role") }
        throw .remote(
            "profile \(name.printable) has role_arn without source_profile, credential_source or "
                + "web_identity_token_file")
    }

    /// - Throws: `remote` if its key comes from SSO. A session alone gives none.
    func refuseSSO() throws(Failure) {
        if value("sso_account_id") != nil || value("sso_role_name") != nil { throw unsupported("SSO") }
    }

    private func unsupported(_ origin: String) -> Failure {
        .remote(
            "profile \(name.printable) has its key from \(origin), which only AWS's tools can get: run "
                + "eval \"$(aws configure export-credentials --format env)\" first")
    }

    /// Where its key is; nil if it has none.
    ///
    /// - Throws: `remote` if it has a part of one, or its key comes from a login.
    func place() throws(Failure) -> KeyPlace? {
        if let credentials, let key = try key(credentials, credentialsPath) { return key }
        if value("login_session") != nil { throw unsupported("a login") }
        if let command = value("credential_process") {
            guard let words = ShellWords.split(Array(command.utf8)), !words.isEmpty,
                !words.joined().contains(where: { $0 == 0 })
            else { throw .remote("credential_process of profile \(name.printable) is no command") }
            return .command(words, "credential_process of profile \(name.printable)")
        }
        return try config.flatMap { config throws(Failure) in try key(config, configPath) }
    }

    private func key(_ section: ProfileFile.Section, _ path: String?) throws(Failure) -> KeyPlace? {
        guard let identifier = section["aws_access_key_id"] else { return nil }
        let origin = "profile \(name.printable) of \(path?.printable ?? "")"
        guard let secret = section["aws_secret_access_key"] else {
            throw .remote("\(origin) has aws_access_key_id without aws_secret_access_key")
        }
        let token = (section["aws_security_token"] ?? section["aws_session_token"]).flatMap { $0.isEmpty ? nil : $0 }
        let key = AccessKey(identifier: identifier, secret: secret, token: token)
        return .known(try key.checked(origin), origin)
    }
}

extension AccessKey {
    /// The key of the environment; nil if it has none.
    ///
    /// - Throws: `remote` if it has a part of one.
    static func inEnvironment(_ value: (String) -> String?) throws(Failure) -> AccessKey? {
        let parts = (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"))
        switch parts {
        case (let identifier?, let secret?):
            // The first one is the older name, which counts for AWS's tools.
            let token = value("AWS_SECURITY_TOKEN") ?? value("AWS_SESSION_TOKEN")
            let key = AccessKey(identifier: identifier, secret: secret, token: token)
            return try key.checked("the environment")
        case (nil, nil): return nil
        case (nil, _): throw .remote("AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID")
        case (_, nil): throw .remote("AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY")
        }
    }

    /// - Throws: `remote` if it has characters that no key has, and that could end the line of a header.
    func checked(_ origin: String) throws(Failure) -> AccessKey {
        if !isUsable { throw .remote("the key of \(origin) is empty, or has characters that no key has") }
        return self
    }
}
