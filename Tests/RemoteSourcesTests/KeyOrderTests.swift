import ByteStreams
import Foundation
import StreamTestSupport
import SystemPackage
import Testing

@testable import RemoteSources

/// The order of the places of keys, beside botocore, which `aws` has: whatever variables and profiles are there, both
/// take the key from one place, or refuse.
@Suite(.timeLimit(.minutes(4)))
struct KeyOrderTests {
    private struct Case: Encodable {
        var variables: [String: String] = [:]
        var credentials: String?
        var config: String?
    }

    /// Reads cases, and writes a line for each: where botocore finds the key. What it would fetch by other requests
    /// than ours (an assumed role, SSO, a login) counts as an error, as here.
    private static let reader = """
        import json, os, shlex, sys
        import botocore.credentials, botocore.session
        folder, out = sys.argv[1:]
        def place():
            session = botocore.session.Session()
            session.get_scoped_config()
            for provider in botocore.credentials.create_credential_resolver(session).providers:
                method = provider.METHOD
                if method == "container-role":
                    for name in ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"):
                        if name in os.environ:
                            return "container " + os.environ[name]
                elif method == "iam-role":
                    return "none" if os.environ.get("AWS_EC2_METADATA_DISABLED") == "true" else "machine"
                elif method == "assume-role-with-web-identity":
                    token = provider._get_config("web_identity_token_file")
                    if token:
                        return f"identity {token} {provider._get_config('role_arn') or 1 / 0}"
                elif method == "custom-process":
                    if provider._credential_process is not None:
                        return "command " + "|".join(shlex.split(provider._credential_process) or 1 / 0)
                elif method not in ("ec2-credentials-file", "boto-config"):
                    found = provider.load()
                    if found is not None and method not in ("env", "shared-credentials-file", "config-file"):
                        return "error"
                    if found is not None:
                        return f"key {found.access_key or 1 / 0} {found.secret_key or 1 / 0} {found.token or '-'}"
        with open(folder + "/cases") as file:
            cases = json.load(file)
        with open(out, "w") as lines:
            for case in cases:
                for name in ("credentials", "config"):
                    if case.get(name) is None:
                        if os.path.exists(f"{folder}/{name}"):
                            os.remove(f"{folder}/{name}")
                    else:
                        with open(f"{folder}/{name}", "w") as file:
                            file.write(case[name])
                os.environ.clear()
                os.environ.update(case["variables"], HOME=folder, AWS_CONFIG_FILE=folder + "/config",
                                  AWS_SHARED_CREDENTIALS_FILE=folder + "/credentials")
                try:
                    found = place()
                except Exception:
                    found = "error"
                lines.write(found + "\\n")
        """

    private static func settings(_ random: inout SeededNumbers, _ likelihood: Double) -> [String] {
        let all = [
            "aws_access_key_id = ID", "aws_access_key_id =", "aws_secret_access_key = secret",
            "aws_session_token = new",
            "aws_security_token = old", "aws_security_token =", "role_arn = r", "role_arn =",
            "source_profile = default",
            "credential_source = Environment", "web_identity_token_file = /token", "web_identity_token_file =",
            "sso_account_id = 1", "sso_role_name = r", "sso_session = s", "login_session = l",
            "credential_process = a 'b c'", "credential_process =", "region = x", "s3 =\n  addressing_style = path",
        ]
        var names: Set<Substring> = []
        return all.shuffled(using: &random).filter { line in
            // A key comes with its secret mostly.
            let isLikely = line.hasPrefix("aws_") && line.contains("= ")
            return Double.random(in: 0..<1, using: &random) < likelihood * (isLikely ? 4 : 1)
                && names.insert(line.prefix { $0 != " " }).inserted
        }
    }

    private static func makeCase(_ random: inout SeededNumbers) -> Case {
        func happens(_ likelihood: Double) -> Bool { Double.random(in: 0..<1, using: &random) < likelihood }
        var made = Case()
        if happens(0.15) {
            made.variables["AWS_ACCESS_KEY_ID"] = "of-environment"
            made.variables["AWS_SECRET_ACCESS_KEY"] = happens(0.9) ? "secret" : nil
        }
        let choices: [(String, [String], Double)] = [
            ("AWS_SESSION_TOKEN", ["new"], 0.3), ("AWS_SECURITY_TOKEN", ["old"], 0.3),
            ("AWS_WEB_IDENTITY_TOKEN_FILE", ["/token-of-environment"], 0.1), ("AWS_ROLE_ARN", ["role"], 0.2),
            ("AWS_PROFILE", ["default", "a", "b", "missing"], 0.5),
            ("AWS_DEFAULT_PROFILE", ["default", "a", "b", "missing"], 0.2),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", ["http://127.0.0.1:1/x"], 0.2),
            ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", ["/y"], 0.1), ("AWS_EC2_METADATA_DISABLED", ["true"], 0.5),
        ]
        for (name, values, likelihood) in choices where happens(likelihood) {
            made.variables[name] = values.randomElement(using: &random)
        }
        func file(_ names: [String]) -> String? {
            if happens(0.15) { return nil }
            let likelihoods: [Double] = [0.03, 0.1, 0.2]
            let likelihood: Double = likelihoods.randomElement(using: &random) ?? 0
            return names.filter { _ in happens(0.7) }.map { name in
                "[\(name)]\n" + settings(&random, likelihood).map { $0 + "\n" }.joined()
            }.joined().replacing("ID", with: "of-file-\(Int.random(in: 0..<100, using: &random))")
        }
        made.credentials = file(["default", "a"])
        made.config = file(["default", "profile a", "profile b", "sso-session s"])
        return made
    }

    /// Where the key is, in the words of the other.
    private static func line(of made: Case) -> String {
        var variables = made.variables
        variables["HOME"] = "/h"
        var files: [String: String] = [:]
        files["/h/.aws/credentials"] = made.credentials
        files["/h/.aws/config"] = made.config
        guard let settings = try? StoreSettings(variables, files) else { return "error" }
        return switch settings.place {
        case .known(let key, _): "key \(key.identifier) \(key.secret) \(key.token ?? "-")"
        case .webIdentity(let identity): "identity \(identity.file) \(identity.role)"
        case .command(let words, _):
            "command " + words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
        case .container: "container " + (variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] ?? "http://127.0.0.1:1/x")
        case .machine: "machine"
        case .program: "program"
        case .none: "none"
        }
    }

    @Test(.enabled(if: ProfileFileTests.hasBotocore))
    func `five hundred sets of variables and files have the key that botocore finds`()
        async throws
    {
        let (disagreements, kinds) = try await within(120) {
            let scratch = try Scratch()
            let (folder, out) = (scratch.path.appending("files"), scratch.path.appending("out"))
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder.string) }
            var random = SeededNumbers(seed: 76)
            let cases = (0..<500).map { _ in Self.makeCase(&random) }
            try JSONEncoder().encode(cases).write(to: URL(filePath: "\(folder.string)/cases"))
            let words = ["\(ProfileFileTests.programs)/python3", "-c", Self.reader, folder.string, out.string]
            let output = ProgramOutput.of(words.map { Array($0.utf8) }, within: 100, unless: { false })
            guard case .bytes = output else { return (["python: \(output)"], Set<Substring>()) }
            let lines = try String(contentsOfFile: out.string, encoding: .utf8).split(separator: "\n")
            let disagreements = zip(cases, lines).compactMap { made, line in
                let own = Self.line(of: made)
                return own == line ? nil : "\(made): \(own), and not \(line)"
            }
            return (
                disagreements + (lines.count == cases.count ? [] : ["\(lines.count) lines"]),
                Set(lines.compactMap { $0.split(separator: " ").first })
            )
        }
        #expect(disagreements.isEmpty, "\(disagreements.count): \(disagreements.prefix(3))")
        #expect(kinds == ["key", "identity", "command", "container", "machine", "none", "error"])
    }
}
