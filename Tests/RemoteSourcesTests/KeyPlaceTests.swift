import ByteStreams
import Testing

@testable import RemoteSources

/// Where the key of an object store is looked for, in the order of AWS's tools.
@Suite struct KeyPlaceTests {
    private static let credentials = """
        [default]
        aws_access_key_id = of-default
        aws_secret_access_key = x
        [other]
        aws_access_key_id=of-other
        aws_secret_access_key: x
        aws_session_token=t
        credential_process = never
        """
    private static let config = """
        # A comment
        [default]
        region = of-default
        s3 =
          addressing_style = path

        [profile by-command]
        credential_process = "/a b/c" d 'e f'
        region = of-command
        endpoint_url = http://h:9
        aws_access_key_id = never
        [profile of-config]
        aws_access_key_id = of-config
        aws_secret_access_key = x
        [profile sso]
        sso_session = x
        sso_account_id = 1
        aws_access_key_id = never
        [profile role]
        role_arn = r
        source_profile = default
        [profile identity]
        role_arn = of-profile
        web_identity_token_file = /token
        [profile lonely]
        role_arn = r
        [profile login]
        login_session = x
        aws_access_key_id = never
        """
    private static let files = ["/h/.aws/credentials": credentials, "/h/.aws/config": config]

    private static func settings(_ variables: [String: String], _ files: [String: String] = files) throws(Failure)
        -> StoreSettings
    {
        try StoreSettings(variables.merging(["HOME": "/h"]) { given, _ in given }, files)
    }

    /// Where a key is found, in a few words.
    private static func found(_ settings: StoreSettings) -> String {
        switch settings.place {
        case .known(let key, _): key.identifier
        case .webIdentity(let identity): "\(identity.role) \(identity.file)"
        case .command(let words, _): words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
        case .container(let container): container.place.url
        case .machine(let machine): machine.base.url
        case .program: "program"
        case .none: "none"
        }
    }

    /// All variables at once, of which each row takes away those that come before.
    private static let all = [
        "AWS_ACCESS_KEY_ID": "of-environment", "AWS_SECRET_ACCESS_KEY": "x", "AWS_SESSION_TOKEN": "t",
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "role", "AWS_PROFILE": "other",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/x",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/y", "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://h:2",
        "AWS_EC2_METADATA_DISABLED": "TRUE",
    ]

    @Test func `the first place in the order of AWS's tools counts`() throws {
        var (variables, found) = (Self.all, [String]())
        for next in [
            "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_PROFILE",
            "HOME",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_EC2_METADATA_DISABLED",
            "AWS_EC2_METADATA_SERVICE_ENDPOINT", "",
        ] {
            found.append(Self.found(try Self.settings(variables, variables["HOME"] == nil ? Self.files : [:])))
            for name in next.split(separator: " ") { variables[String(name)] = name == "HOME" ? "/none" : nil }
        }
        #expect(
            found == [
                "of-environment", "role /token", "of-other", "of-default", "http://169.254.170.2/y",
                "http://127.0.0.1:1/x", "none", "http://h:2", "http://169.254.169.254",
            ])
    }

    @Test(
        arguments: [
            ("default", "of-default", "of-default", nil), ("other", "of-other", "us-east-1", nil),
            ("by-command", "/a b/c|d|e f", "of-command", "http://h:9"), ("of-config", "of-config", "us-east-1", nil),
            ("identity", "of-profile /token", "us-east-1", nil),
        ] as [(String, String, String, String?)])
    func `a profile has a key, a command or an identity, a region and an endpoint`(
        _ name: String, _ key: String, _ region: String, _ endpoint: String?
    ) throws {
        let settings = try Self.settings(["AWS_PROFILE": name])
        #expect(Self.found(settings) == key)
        #expect(settings.region == region)
        #expect(settings.endpoint == endpoint)
        let own = try Self.settings(["AWS_PROFILE": name, "AWS_REGION": "r", "AWS_ENDPOINT_URL": "http://e"])
        #expect(own.region == "r" && own.endpoint == "http://e")
    }

    @Test(
        arguments: [
            (["AWS_PROFILE": "sso"], "aws configure export-credentials"),
            (["AWS_PROFILE": "role"], "aws configure export-credentials"),
            (
                ["AWS_PROFILE": "lonely"],
                "has role_arn without source_profile, credential_source or web_identity_token_file"
            ),
            (["AWS_PROFILE": "login"], "a login, which only AWS's tools can get"),
            (
                ["AWS_PROFILE": "missing"],
                "AWS_PROFILE names missing, which is neither in /h/.aws/credentials nor in /h/.aws/config"
            ),
            (
                ["AWS_PROFILE": "other", "AWS_DEFAULT_PROFILE": "missing", "HOME": "/none"],
                "AWS_DEFAULT_PROFILE names missing, which is neither in /none/.aws/credentials (no such file) nor in "
                    + "/none/.aws/config (no such file)"
            ),
            // As with AWS's tools, also where the key comes from elsewhere.
            (
                ["AWS_PROFILE": "missing", "AWS_ACCESS_KEY_ID": "hidden", "AWS_SECRET_ACCESS_KEY": "hidden"],
                "AWS_PROFILE names missing"
            ),
            (["AWS_ACCESS_KEY_ID": "hidden"], "without AWS_SECRET_ACCESS_KEY"),
            (["AWS_SECRET_ACCESS_KEY": "hidden"], "without AWS_ACCESS_KEY_ID"),
            (["AWS_ACCESS_KEY_ID": "hidden\n", "AWS_SECRET_ACCESS_KEY": "hidden"], "characters that no key has"),
            (["AWS_WEB_IDENTITY_TOKEN_FILE": "/hidden"], "AWS_ROLE_ARN"),
            (
                ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://hidden.example/", "HOME": "/none"],
                "neither this machine"
            ),
            (["AWS_EC2_METADATA_SERVICE_ENDPOINT": "hidden", "HOME": "/none"], "not a URL"),
        ])
    func `what makes no sense is an error that names it, without a secret`(
        _ variables: [String: String], _ sentence: String
    ) {
        let failure = #expect(throws: Failure.self) { try Self.settings(variables) }
        #expect(failure?.message.contains(sentence) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("hidden") == false)
    }

    @Test(arguments: [
        "[a]\nx=1\n[a]", "[a]\nx=1\nX: 2", "x=1", "[a]\nhidden", "[a]\n=hidden", "[a]\ns3 =\n hidden", "\u{FEFF}[a]",
    ])
    func `a file that AWS's tools refuse is an error that names the line`(_ text: String) {
        let failure = #expect(throws: Failure.self) {
            try Self.settings([:], ["/h/.aws/config": text])
        }
        #expect(failure?.message.hasPrefix("/h/.aws/config: line ") == true)
        #expect(failure?.message.contains("hidden") == false)
    }

    @Test(
        arguments: [
            ("https://example.org/x", true), ("http://127.0.0.1/x", true), ("http://127.255.0.3:80/x", true),
            ("http://localhost:8080/x", true), ("http://LOCALHOST/x", true), ("http://[::1]:9/x", true),
            ("http://169.254.170.2/x", true), ("http://169.254.170.23/v1/x", true), ("http://[fd00:ec2::23]/x", true),
            ("http://169.254.169.254/x", false), ("http://example.org/x", false),
            ("http://127.0.0.1.example.org/x", false),
            ("http://127.0.0.1@example.org/x", false), ("http://127.1/x", false), ("http://127.0.0.256/x", false),
            ("http://localhost.example.org/x", false), ("http://10.0.0.1/x", false), ("ftp://localhost/x", false),
            ("s3://localhost/x", false), ("http://[::2]/x", false), ("http://127.0.0.0x1/x", false),
        ])
    func `the token of a container goes to this machine, to the container's hosts, or by https`(
        _ address: String, _ isAllowed: Bool
    ) {
        let endpoint = try? ContainerEndpoint { $0 == "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? address : nil }
        #expect((endpoint != nil) == isAllowed)
    }

    @Test(arguments: ["@example.org/x", ".example.org/x", "x", ":80/x"])
    func `a relative address is a path on the container's host`(_ address: String) {
        #expect(throws: Failure.self) {
            try ContainerEndpoint { $0 == "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI" ? address : nil }
        }
    }

    @Test func `a process that confines itself learns which ports and directories keys need`() throws {
        let identity = try Self.settings([
            "AWS_WEB_IDENTITY_TOKEN_FILE": "/none/token", "AWS_ROLE_ARN": "r", "AWS_ENDPOINT_URL_STS": "http://h:7",
            "AWS_ENDPOINT_URL": "http://h:8",
        ])
        #expect(Set(identity.needs.folders) == ["/none"] && identity.needs.ports == [8, 7])
        let container = try Self.settings(
            [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost:6/x",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "token",
            ], [:])
        #expect(Set(container.needs.folders) == ["."] && container.needs.ports == [6])
        let machine = try Self.settings(["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://h:5"], [:])
        #expect(machine.needs.folders.isEmpty && machine.needs.ports == [5])
        let command = try Self.settings(["AWS_PROFILE": "by-command"])
        #expect(command.command?.count == 3 && command.needs.ports == [9])
    }

    private static let identity = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/t", "AWS_ROLE_ARN": "r"]

    @Test(
        arguments: [
            (["AWS_ENDPOINT_URL_STS": "x", "AWS_ENDPOINT_URL": "y"], "AWS_ENDPOINT_URL_STS is not a URL of HTTP"),
            (["AWS_ENDPOINT_URL": "s3://x"], "AWS_ENDPOINT_URL is not a URL of HTTP"),
            (["AWS_PROFILE": "wrong"], "endpoint_url of profile wrong is not a URL of HTTP"),
            (["AWS_REGION": "a.example/"], "the region a.example/ is not a name of letters"),
        ])
    func `whatever names a token service that can't be asked is named`(
        _ variables: [String: String], _ sentence: String
    ) {
        let variables = variables.merging(Self.identity) { given, _ in given }
        let failure = #expect(throws: Failure.self) {
            try Self.settings(variables, ["/h/.aws/config": "[profile wrong]\nendpoint_url = x"])
        }
        #expect(failure?.message == "the token service can't be asked: \(sentence)")
    }

    /// Whether each file is there, can't be read, or has no name.
    @Test func `where no key was found is said with what is missing`() throws {
        let none = ["AWS_EC2_METADATA_DISABLED": "true"]
        func searched(_ variables: [String: String]) throws -> String? {
            try StoreSettings(
                { variables[$0] ?? none[$0] },
                reading: { (name) throws(Failure) in
                    if name == "/closed" { throw Failure(.remote, "x") }
                    return name == "/h/.aws/config" ? [] : nil
                }
            ).searched.last
        }
        #expect(
            try searched(["HOME": "/h"])
                == "profile default of /h/.aws/credentials (no such file) and /h/.aws/config")
        #expect(
            try searched(["AWS_CONFIG_FILE": "/closed"])
                == "profile default of ~/.aws/credentials (HOME is not set) and /closed (which can't be read)")
    }

    @Test func `the older name of a token counts, as for AWS's tools`() throws {
        var variables = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "new"]
        func token() throws -> String? {
            guard case .known(let key, _) = try Self.settings(variables, [:]).place else { return nil }
            return key.token
        }
        #expect(try token() == "new")
        variables["AWS_SECURITY_TOKEN"] = "old"
        #expect(try token() == "old")
    }

    @Test func `a profile that names its servers elsewhere does not lead to other ones`() throws {
        let files = [
            "/h/.aws/config":
                "[default]\nservices = here\nendpoint_url = http://h:9\n[services here]\ns3 =\n  endpoint_url = http://s:9\n"
        ]
        let failure = #expect(throws: Failure.self) { try Self.settings([:], files) }
        #expect(failure?.message.contains("AWS_ENDPOINT_URL_S3") == true)
        #expect(try Self.settings(["AWS_ENDPOINT_URL_S3": "http://e"], files).endpoint == "http://e")
        let ignored = ["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"]
        #expect(try Self.settings(ignored, files).endpoint == nil)
    }

    @Test func `files that can't be read have no profiles, and others go on`() throws {
        let variables = ["HOME": "/h", "AWS_ACCESS_KEY_ID": "of-environment", "AWS_SECRET_ACCESS_KEY": "x"]
        let settings = try StoreSettings(
            { variables[$0] }, reading: { (name) throws(Failure) in throw Failure(.remote, "can't read \(name)") })
        #expect(Self.found(settings) == "of-environment")
    }

    @Test func `a key that is printed shows nothing`() {
        let key = AccessKey(identifier: "hidden", secret: "hidden", token: "hidden", expiration: 1)
        var text = "\(key) \(String(reflecting: key)) \([key]) \(Optional(key) as Any)"
        dump(key, to: &text)
        #expect(!text.contains("hidden"))
    }
}
