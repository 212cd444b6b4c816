import SluiceEngine
import Testing

@testable import SluiceCommand

/// What is true of all declarations.
@Suite struct FlagTests {
    private static let names = Flag.all.map(\.name)
    private static let answered = ["help", "usage", "version", "generate"]
    private static let (help, manual) = (HelpText.text, ManualOptions.text)
    private static let completions = [BashCompletion.text, ZshCompletion.text]
    private static let fish = FishCompletion.text

    private static func flag(_ name: String) throws -> Flag { try #require(Flag.named(name.utf8)?.0) }

    @Test func `no two options have a name or a letter in common`() {
        let names = Flag.all.flatMap(\.longNames)
        #expect(names.count == Set(names).count)
        let letters = Flag.all.compactMap(\.letter)
        #expect(letters.count == Set(letters).count)
    }

    @Test(arguments: names)
    func `an option has a sentence, a value that is named, and is in the help, the manual and all completions`(
        name: String
    ) throws {
        let flag = try Self.flag(name)
        #expect(flag.help.last == "." && flag.help.first?.isUppercase == true || name == "format")
        #expect(flag.help.count < 110)
        #expect(flag.manual.isEmpty || flag.manual.last == ".")
        if flag.argument.presence != .none { #expect(!flag.argument.placeholder.isEmpty) }
        #expect(Self.help.holds(flag.longSpelling))
        #expect(Self.manual.holds("Fl -\(flag.isNegatable ? "[no-]" : "")\(name)"))
        for completion in Self.completions { #expect(completion.holds("--\(name)")) }
        #expect(Self.fish.holds("-l \(name) ") || Self.fish.holds("-l \(name)\n"))
    }

    @Test func `each name belongs to one option`() {
        let names = Flag.Name.allCases.map(\.rawValue)
        #expect(Flag.all.map(\.name).sorted() == names.sorted())
    }

    /// What an option forbids, overrides, needs and applies to are options and operations that there are.
    @Test(arguments: names) func `what a declaration names is declared`(name: String) throws {
        let flag = try Self.flag(name)
        let names = flag.exclusions.flatMap(\.names) + flag.needs + [flag.overridden].compactMap(\.self)
        for other in names { #expect(Flag.named(other.rawValue.utf8) != nil, "\(other)") }
        for exclusion in flag.exclusions { #expect(exclusion.reason.last != ".") }
        if let scope = flag.scope {
            #expect(Flag.operations.contains { $0.operation?.optionGroups.isSuperset(of: scope.groups) == true })
        }
    }

    /// Each that is offered is taken: what it is combined with is another question.
    @Test(arguments: names) func `each spelling and each word of an option is understood`(name: String) throws {
        let flag = try Self.flag(name)
        var words = flag.longNames.filter { !flag.isNegatable || !$0.hasPrefix("no-") }.map { "--" + $0 }
        if flag.argument.kind == .words {
            words = flag.argument.choices().map { "--\(name)=\($0)" }
        } else if flag.argument.presence == .required {
            let example = flag.argument.isPath ? "file" : flag.argument.example
            words = words.flatMap { ["\($0)=\(example)"] }
            if !flag.argument.isPath, let letter = flag.shortSpelling { words.append(letter + example) }
        }
        if flag.argument.standard != nil { words.append("--" + name) }
        if flag.isNegatable { words.append("--no-" + name) }
        for word in words {
            #expect(throws: Never.self, "\(word)") { try Request([Array(word.utf8)]) }
        }
    }

    /// Operands and options with which each option means something.
    private static let contexts = [
        "", "-d", "-t", "-l", "--copy", "-b", "--train", "--rm", "-22", "-d --tail=3", "--train-legacy",
        "--join -o joined", "--join -o joined --stats", "-o grown", "--append -o grown", "-d --member=a",
        "-d --part=1/2", "-o s3://bucket/object",
    ].map { $0.split(separator: " ").map(String.init) }

    /// All that the settings say, but for the warnings; nil if the words are refused.
    private func meaning(of words: [String]) -> [Substring]? {
        guard var settings = try? Settings(words) else { return nil }
        settings.warnings = []
        var text = ""
        dump(settings, to: &text)
        return text.split(separator: "\n").sorted()
    }

    @Test(arguments: Flag.all.filter { $0.argument.presence == .required }.map(\.name))
    func `an option without its value says how one is typed`(name: String) throws {
        let flag = try Self.flag(name)
        let spellings = [name] + flag.aliases
        for spelling in spellings.map({ "--" + $0 }) {
            let complaint = #expect(throws: Complaint.self) { try Request([Array(spelling.utf8)]) }
            let sentence = try #require(complaint?.sentence)
            let example = try #require(sentence.split(separator: ", such as ").last)
            #expect(sentence.hasPrefix("\(spelling) needs a value") && example.hasPrefix(spelling + "="), "\(sentence)")
            // As a shell would hand it over.
            #expect(throws: Never.self) { try Request([example.utf8.filter { $0 != UInt8(ascii: "'") }]) }
        }
    }

    /// An option that is understood and then forgotten somewhere would do nothing, and nobody would be told.
    @Test(arguments: Flag.all.filter { !$0.help.contains("gnored") && !answered.contains($0.name) }.map(\.name))
    func `an option changes what the settings say, or is refused for what it says`(name: String) throws {
        let flag = try Self.flag(name)
        let spellings = flag.longNames.map { "--" + $0 }
        let argument = flag.argument
        let values =
            argument.presence == .none ? [] : argument.kind == .words ? argument.choices() : [argument.example, "7"]
        let words =
            (argument.presence == .required ? [] : spellings)
            + values.filter { !$0.isEmpty }.map { "\(spellings[0])=\($0)" }
        let isKept = Self.contexts.contains { context in
            // A command follows all options.
            let rest = flag.key == .fromCommand ? ["--", "producer"] : []
            let command = flag.needs == [.fromCommand] ? ["--from-command", "--", "producer"] : []
            let contexts = rest.isEmpty && command.isEmpty ? context : []
            guard let before = meaning(of: rest.isEmpty ? contexts + command : context) else { return false }
            return words.contains { word in
                meaning(of: contexts + [word] + rest + command).map { $0 != before } ?? (name == "format")
            }
        }
        #expect(isKept)
    }

    /// All that the long help of zstd 1.5.7 has, and what its source knows besides.
    static let spellings = """
        -z --compress -d --decompress --uncompress -t --test -l --list -h -H --help -V --version -1 -19 --ultra --fast
        --max --long --adapt --zstd --row-match-finder --no-row-match-finder --compress-literals --no-compress-literals
        --target-compressed-block-size --show-default-cparams -r --filelist --exclude-compressed --stream-size
        --size-hint -D --patch-from --patch-apply --mmap-dict --no-mmap-dict --pass-through --no-pass-through --format
        -o -c --stdout -f --force -k --keep --rm --output-dir-flat --output-dir-mirror --sparse --no-sparse --check
        --no-check -C --content-size --no-content-size --no-dictID --rsyncable -n --no-name -T --threads
        --single-thread --auto-threads -B --block-size --jobsize --split -M --memory --memlimit
        --memlimit-decompress --asyncio --no-asyncio --priority -v --verbose -q --quiet --progress --no-progress
        --trace --train
        --train-cover --train-fastcover --train-legacy -s --maxdict --dictID -b -e -i -S -P
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    @Test(arguments: spellings) func `each option of zstd is declared, and compared with it`(word: String) throws {
        let letter = try #require(word.utf8.dropFirst().first)
        let flag =
            word.hasPrefix("--")
            ? Flag.named(word.dropFirst(2).utf8)?.0
            : word.dropFirst().allSatisfy(\.isNumber) ? Flag.named("level".utf8)?.0 : Flag.lettered(letter)
        #expect(try #require(flag).zstd.isEmpty == false)
    }

    @Test func `the table of zstd's options in docs is what the declarations say`() throws {
        let document = try Project.text("docs/zstd-options.md")
        #expect(document.holds(ZstdTable.text), "sluice --generate=zstd-options prints it anew")
    }

    /// A script is obeyed by what it does, and not by what is written here: the name is what can be looked for.
    @Test func `each option is tried by a script`() throws {
        let scripts = try Project.scripts()
        for flag in Flag.all {
            let words = flag.longNames.map { "--" + $0 }
            let isNamed = words.contains { scripts.holds($0) }
            let isLettered = flag.letter.map { letter in
                scripts.holds(" -" + String(decoding: [letter], as: UTF8.self))
            }
            #expect(isNamed || isLettered == true, "\(flag.name)")
        }
    }

    @Test func `the short help fits a screen, and the long one a terminal`() {
        let short = ShortHelp.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(short.count <= 24)
        for line in short + HelpText.text.split(separator: "\n") { #expect(line.count < 80, "\(line)") }
    }
}
