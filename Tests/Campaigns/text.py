"""Names and URLs with any letters: what is printed is data in a terminal, in JSON, in a report and in a shell, and no secret."""

import base64
import html.parser
import http.server
import json
import os
import re
import subprocess
import threading
import unicodedata
from collections import Counter

from run import Trouble, run

MARKS = list("'\"\\$`!*? ;&|<>()[]{}~=#%\n\r\t") + ["</script>", "<!--", "-->", "$(id)", "'; id '", "${IFS}", "\x1b[31m",
                                                  "\x9b", "\u202e", "\u2028", "\ufeff", "ä", "e\u0301", "a", "b"]
# Prepended letters join what follows them into one character, marks what is before them.
JOINERS = ["\u0d4e", "\u0600", "\u06dd", "\U000110bd", "\u200d", "\ufe0f", "\U0001f1e6", "\u1100", "\u1161"]
JOINERS += [chr(scalar) for scalar in range(0x300, 0x20000) if unicodedata.category(chr(scalar)) in ("Mn", "Mc", "Me")]
SECRET = "HIDDEN"


class Refusing(http.server.BaseHTTPRequestHandler):
    """A proxy that has no file of any server."""

    def do_GET(self):
        """Says so."""
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, *words):
        pass


class Elements(html.parser.HTMLParser):
    """The elements of a document, in their order."""

    def __init__(self, text):
        super().__init__()
        self.names = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)

    def handle_endtag(self, tag):
        self.names.append("/" + tag)


def text(chance, most, extra=()):
    """A few marks and letters."""
    pieces = [chance.choice(MARKS), chance.choice(JOINERS)] + list(extra)
    return "".join(chance.choice(pieces + MARKS + [chance.choice(JOINERS)]) for _ in range(chance.randrange(most + 1)))


def obeyed(data):
    """What a terminal might obey in a text, line ends aside; None if there is nothing."""
    shown = data.decode(errors="surrogateescape")
    return next((f"{ord(letter):#x}" for letter in shown
                 if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Cs")), None)


class Campaign:
    """A file with a name, or a URL, a round."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder = binary, folder
        self.counts = Counter()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in "http_proxy", "https_proxy", "ALL_PROXY":
            os.environ[name] = f"http://127.0.0.1:{server.server_port}"
        os.environ.pop("no_proxy", None)
        self.elements = self.report_elements(b"plain", [])

    def round(self, number, chance):
        """One of the two."""
        os.makedirs(os.path.join(self.folder, "in"), exist_ok=True)
        try:
            (self.name if chance.random() < 0.6 else self.url)(chance)
        finally:
            subprocess.run(["rm", "-rf", "in", "stats", "report.html", "trace", "back"], cwd=self.folder, check=True)

    def run(self, words, codes):
        """Runs it, and looks at what it said to a terminal."""
        command = " ".join(repr(os.fsdecode(word)) for word in ["sluice"] + words)
        ended = run([self.binary] + words, self.folder)
        if ended is None or ended.is_crash or ended.code not in codes:
            raise Trouble("crashed, hung or failed", command, ended and ended.messages)
        control = obeyed(ended.messages)
        if control:
            raise Trouble("a terminal may obey a message", command, f"{control} in {ended.messages!r}")
        return ended, command

    def read(self, name):
        """What a file has that a run has written; nothing if there is none."""
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def report_elements(self, name, codes):
        """The elements of the report on a file."""
        os.makedirs(os.path.join(self.folder, "in"), exist_ok=True)
        with open(os.path.join(os.fsencode(self.folder), b"in/" + name), "wb") as file:
            file.write(b"content " * 1000)
        _, command = self.run(["-qf", "--report=report.html", "--stats-file=stats", "--trace=trace", "--",
                               b"in/" + name], [0])
        return Elements(self.read("report.html").decode()).names, command

    def name(self, chance):
        """A file with a name, in each medium."""
        name = (text(chance, 12).replace("/", "|") or "a").encode(errors="surrogatepass")
        if chance.random() < 0.3:
            place = chance.randrange(len(name) + 1)
            name = name[:place] + bytes([chance.randrange(0x80, 0x100)]) + name[place:]
        name = name[:200]
        elements, command = self.report_elements(name, [0])
        if elements != self.elements[0]:
            raise Trouble("a name is an element of a report", command)
        wanted = b"in/" + name
        for file in "stats", "trace":
            data = self.read(file)
            control = obeyed(data)
            if control:
                raise Trouble("a terminal may obey JSON", command, f"{control} in {file}")
            told = json.loads(data)
        told = json.loads(self.read("stats"))["run"]
        encoded = told.get("inputsBase64", [None])[0]
        if (base64.b64decode(encoded) if encoded else told["inputs"][0].encode()) != wanted:
            raise Trouble("JSON has another name", command, repr(told["inputs"]))
        # A hint is a line for a shell, which reads the name in it.
        packed = os.path.join(os.fsencode(self.folder), wanted + b".zst")
        with open(packed, "r+b") as file:
            file.seek(30)
            file.write(b"damaged")
        ended, command = self.run(["-d", "-o", "back", "--", wanted + b".zst"], [1])
        hint = re.search(rb"sluice -d --recover (.*) recovers", ended.messages)
        if not hint:
            raise Trouble("no hint", command, ended.messages)
        word = subprocess.run([b"bash", b"-c", b"printf %s " + hint[1]], capture_output=True, cwd=self.folder)
        if word.stdout != wanted + b".zst":
            raise Trouble("a shell reads another name in a hint", command, f"{word.stdout!r} {ended.messages!r}")
        self.counts["names"] += 1

    def url(self, chance):
        """A URL with secrets, wherever one may be typed."""
        scheme = chance.choice(["http", "https", "HTTP", "ftp", "s3", "gs", "s3a", "x"])
        login = f"{chance.choice(['u', 'u' + chance.choice(JOINERS), ''])}:{text(chance, 2)}{SECRET}{text(chance, 3, [SECRET])}@"
        login = chance.choice([login, ""])
        host = chance.choice(["host", "host:80", "h.example", "[::1]:8000", "host:99999"])
        path = chance.choice(["", "/a", "/b/a" + chance.choice(JOINERS), "/%40"])
        query = chance.choice("?#") + text(chance, 2) + SECRET + text(chance, 3)
        # The key of an object may contain any mark, and has no query.
        query = chance.choice([query, ""]) if scheme != "s3" else ""
        url = f"{scheme}://{login}{host}{path}{query}".replace("\0", "").encode(errors="surrogatepass")
        words = chance.choice([
            [url], ["-d", url], ["-l", url], ["-t", url], [b"-o" + url, "in/file"], [b"-D" + url, "in/file"],
            [b"--patch-from=" + url, "in/file"], [b"--output-dir-flat=" + url, "in/file"], [b"--against=" + url, "-t", "in/file"],
            [b"--nothing=" + url], [b"--level=" + url, "in/file"], ["-d", b"--index-file=" + url, "--offset=1", "in/file"]])
        words = chance.choice([["-q"], ["-v"], ["-vv", "--stats"], ["-v", "--stats=json"],
                               ["--stats-file=stats", "--report=report.html", "--trace=trace"]]) + words
        with open(os.path.join(self.folder, "in/file"), "w") as file:
            file.write("content")
        ended, command = self.run(["--timeout=1"] + words, [0, 1, 2])
        told = b"".join([ended.messages, ended.output] + [self.read(name) for name in ("stats", "report.html", "trace")])
        if SECRET.encode() in told:
            raise Trouble("a secret is told", command, ended.messages)
        self.counts["URLs"] += 1
