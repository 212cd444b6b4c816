"""Writes the examples of documentation into one Swift file, which the compiler then checks: each as the body of a
function, with its own place in the messages. Fails if a public type has no example.

    examples.py GRAPH... PAGE.md... >FILE
"""

import json
import sys
import urllib.parse

# What examples speak of without declaring it: a server's request and the like.
print("""import Sluice

struct Request: Sendable { var body: AsyncStream<[UInt8]> }
struct Response: Sendable {
    var body: AsyncStream<[UInt8]>
    func write(_ region: ByteRegion) async throws {}
}
struct Place { var (offset, size) = (0, 0) }
struct Parser { func feed(_ region: ByteRegion) {} }
struct Store: Sendable { func get(_ key: String, _ range: Range<Int>) throws -> [UInt8] { [] } }
func example(
    request: Request, response: Response, body: AsyncStream<[UInt8]>, parser: Parser, input: RunInput, output: RunOutput,
    file: CompressedFile, record: Place, records: [[UInt8]], samples: DictionarySamples, offset: Int,
    store: Store, size: Int, token: String, memory: inout OutputRawSpan, value: [UInt8], frame: [UInt8], trained: [UInt8]
) async throws {""")


def write(path, line, code):
    """One example, which begins in that line of the file."""
    # A function has no imports; what takes their place keeps the numbers of lines.
    code = ["" if line.startswith("import ") else line for line in code]
    print(f'do {{\n#sourceLocation(file: "{path}", line: {line})')
    print("\n".join(code))
    print("#sourceLocation()\n}")


def blocks(lines):
    """The indented blocks of a comment: where they begin, and their lines. One begins after an empty line."""
    begin = None
    for number, line in enumerate([*lines, ""]):
        is_code = line.startswith("    ")
        if begin is None and is_code and (number == 0 or not lines[number - 1].strip()):
            begin = number
        elif begin is not None and not is_code and line.strip() or number == len(lines) and begin is not None:
            code = [line[4:] for line in lines[begin:number]]
            while code and not code[-1]:
                code.pop()
            yield begin, code
            begin = None


types = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}
missing = set()
seen = set()
for path in sys.argv[1:]:
    if path.endswith(".md"):
        code = None
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            if line.startswith("```"):
                # What is for Package.swift, or speaks of another package, can't be compiled here.
                if code and not any(".package(" in line or "ByteBuffer" in line or "readableBytes" in line for line in code):
                    write(path, begin, code)
                code, begin = ([], number + 1) if line.strip() == "```swift" else (None, 0)
            elif code is not None:
                code.append(line.rstrip())
        continue
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    for symbol in graph["symbols"]:
        comment = symbol.get("docComment", {}).get("lines", [])
        found = list(blocks([line["text"] for line in comment]))
        name = ".".join([graph["module"]["name"], *symbol["pathComponents"]])
        if symbol["kind"]["identifier"] in types and not found:
            missing.add(name)
        if symbol["identifier"]["precise"] in seen or "source" in symbol.get("swiftExtension", {}):
            continue
        seen.add(symbol["identifier"]["precise"])
        for number, code in found:
            place = urllib.parse.unquote(symbol["location"]["uri"]).removeprefix("file://")
            write(place, comment[number]["range"]["start"]["line"] + 1, code)
print("}")
for name in sorted(missing):
    print(f"{name} has no example", file=sys.stderr)
sys.exit(bool(missing))
