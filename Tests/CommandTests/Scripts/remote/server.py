#!/usr/bin/env python3
"""A server of HTTP for tests: serves the files of a folder with ranges, and misbehaves as the URL says.

    server.py FOLDER LOG [--tls CERTIFICATE KEY] [--log-header NAME]... [--at ADDRESS PORT]

It prints its port, and writes a line for each request to LOG, with tabs between: method, target, status, bytes of the
body that were sent, Range, If-Match, and the headers that are named (each "-" if there is none).

What it does otherwise stands in the query, or in the first part of the path as "~KEY=VALUE&KEY=VALUE":

    from=N, times=N      misbehave from this request of the target on (the first is 1), and only so often
    status=N             answer with this status; with retry-after=N and wait-for=DATE; with code=TEXT as S3 does
    set=NAME:VALUE       send this line instead of the usual one of that name; drop=NAME sends none
    short=N              send this many bytes of the body, and close the connection
    more=N               send so many bytes more than the range has, in chunks
    chunked, trailer     send the body in chunks, and a line of a header after it
    etag=TEXT            this entity tag; no-match: do not look at If-Match
    changed              other bytes of the same length, with another entity tag; grown: more of them
    slow=SECONDS         pause before each 16 KiB of the body
    silent=WHERE         send nothing more: from the start, after the header, or in the middle of the body (start,
                         header, body)
    drop-connection      close without an answer
    redirect=URL         to this location; to=PORT the same target on another port of "localhost"
    headers=KIND         endless (lines), line (one without an end), cut (closed within the header)
    no-ranges            answer with all of the file; no-suffix=N: with this status to ranges that count from the end
    most=N               answer with at most so many bytes of a range; unknown-size: with "*" for the size of the file
    refuse-match=N       this status to a request with If-Match
    at-once=N            serve so many requests at a time, and answer others as with=STATUS or with=reset says
    agent                403 without a User-Agent that names a program, a version and a URL
    redirect-ranges=N    with redirect=URL: 416 to requests for a range, from this request of the target on
    host-style=CODE      403 with this code, unless the host begins with "bucket."
    region=NAME          301 and the name, as S3 does, unless the request is signed for this region
    version=ID           404 without ?versionId=ID
    needs=NAME:VALUE     403 unless this line comes, and is signed; several with "&needs="

As an object store, it has a bucket of the name "bucket".
    token=TEXT           401 without the line X-Token: TEXT; basic=NAME:PASSWORD the same for that
    key=ID               403 unless a key whose identifier begins so has signed the request
    expired=ID           400 with ExpiredToken if this key has signed it

It gives keys, too, each with a number of its own: ID-1, ID-2 … with the secret and the token "hidden-N". It does so
as the metadata of a machine (/latest/...), as the endpoint of a container (/container), and as the service of tokens (POST).
At an address that is named, it is a machine without more words.
    give=ID              the identifier; life=SECONDS until the key expires (3600)
    fails=N              503 to the first N requests
    imds=401             this status to those who want a token of the machine
    authorization=FILE   403 unless the line Authorization has what is in this file of the folder
    identity=FILE        403 unless the form has the token that is in this file
"""
import base64
import collections
import http.server
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

folder, log = sys.argv[1:3]
words = sys.argv[3:]
logged = [words[i + 1] for i, word in enumerate(words) if word == "--log-header"]
tls = words[words.index("--tls") + 1:][:2] if "--tls" in words else None
address = words[words.index("--at") + 1:][:2] if "--at" in words else ["127.0.0.1", "0"]
counts = collections.Counter()
active = collections.Counter()
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 20

    def do_GET(self):
        self.status, self.sent = 0, 0
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True
        finally:
            headers = [self.headers.get(name, "-") for name in ["Range", "If-Match"] + logged]
            line = "\t".join([self.command, self.path, str(self.status), str(self.sent)] + headers)
            with lock, open(log, "a") as out:
                out.write(line + "\n")

    do_HEAD = do_PUT = do_POST = do_GET

    def wishes(self):
        target = urllib.parse.urlsplit(self.path)
        path, query = target.path, target.query
        is_object = path.startswith("/bucket/") or self.headers.get("Host", "").startswith("bucket.")
        path = path.removeprefix("/bucket")
        if path.startswith("/~"):
            first, _, rest = path[2:].partition("/")
            path, query = "/" + rest, query + "&" + (urllib.parse.unquote(first) if is_object else first)
        wishes = collections.defaultdict(list)
        for key, value in urllib.parse.parse_qsl(query, keep_blank_values=True):
            wishes[key].append(value)
        with lock:
            counts[self.path] += 1
            count = counts[self.path]
        self.number = count
        if path.startswith("/latest/") and "--at" in words:
            wishes["give"] = ["imds"]
        first = int(wishes.get("from", ["1"])[0])
        most = int(wishes.get("times", ["1000000000"])[0])
        if not first <= count < first + most:
            wishes = collections.defaultdict(list)
        return urllib.parse.unquote(path), {key: value if key in ("set", "drop", "needs") else value[-1] for key, value in wishes.items()}

    def key(self, wishes):
        """A new key: its parts."""
        with lock:
            counts["keys"] += 1
            number = counts["keys"]
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + float(wishes.get("life", "3600"))))
        return f"{wishes['give']}-{number}", f"hidden-{number}", f"hidden-{number}", end

    def give_key(self, path, wishes):
        """Answers those who want a key; whether it was about one."""
        if self.number <= int(wishes.get("fails", "0")):
            wishes["status"] = "503"
            return False
        if self.command == "POST":
            form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            if form["WebIdentityToken"][0] != self.secret(wishes["identity"]) or form["RoleArn"][0] != "arn:role":
                wishes["status"], wishes["code"] = "403", "AccessDenied"
                return False
            identifier, secret, token, end = self.key(wishes)
            body = f"<R><Credentials><AccessKeyId>{identifier}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey>" \
                f"<SessionToken>{token}</SessionToken><Expiration>{end}</Expiration></Credentials></R>"
        elif path == "/latest/api/token" and self.command == "PUT" and "imds" not in wishes:
            body = "hidden-token"
        elif path.startswith("/latest/"):
            if self.headers.get("X-aws-ec2-metadata-token") != "hidden-token":
                wishes["status"] = wishes.get("imds", "401")
                return False
            if path.endswith("/"):
                body = "role"
            else:
                identifier, secret, token, end = self.key(wishes)
                body = json.dumps(dict(Code="Success", AccessKeyId=identifier, SecretAccessKey=secret, Token=token, Expiration=end))
        elif path == "/container":
            if "authorization" in wishes and self.headers.get("Authorization") != self.secret(wishes["authorization"]):
                wishes["status"] = "403"
                return False
            identifier, secret, token, end = self.key(wishes)
            body = json.dumps(dict(AccessKeyId=identifier, SecretAccessKey=secret, Token=token, Expiration=end))
        else:
            return False
        self.send(200, {"Content-Length": str(len(body))}, body.encode(), wishes)
        return True

    def secret(self, name):
        with open(f"{folder}/{name}") as file:
            return file.read().strip()

    def answer(self):
        path, wishes = self.wishes()
        if "at-once" not in wishes:
            self.answer_wishes(path, wishes)
            return
        with lock:
            active["now"] += 1
            is_too_many = active["now"] > int(wishes["at-once"])
        try:
            if is_too_many and wishes["with"] == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            if is_too_many:
                wishes["status"] = wishes["with"]
            else:
                # Long enough for others to come.
                time.sleep(0.05)
            self.answer_wishes(path, wishes)
        finally:
            with lock:
                active["now"] -= 1

    def object_refusal(self, wishes):
        """What an object store has against the request: status, code and header lines; None for nothing."""
        signed = re.search(r"Credential=([^/]*)/", self.headers.get("Authorization", ""))
        if "expired" in wishes and signed and signed[1] == wishes["expired"]:
            return 400, "ExpiredToken", {}
        if "key" in wishes and (not signed or not signed[1].startswith(wishes["key"])):
            return 403, "AccessDenied", {}
        if "host-style" in wishes and not self.headers.get("Host", "").startswith("bucket."):
            return 403, wishes["host-style"], {}
        region = f"/{wishes.get('region')}/s3/"
        if "region" in wishes and region not in self.headers.get("Authorization", ""):
            return 301, "PermanentRedirect", {"x-amz-bucket-region": wishes["region"]}
        if "version" in wishes and f"versionId={urllib.parse.quote(wishes['version'], safe='')}" not in self.path:
            return 404, "NoSuchVersion", {}
        for line in wishes.get("needs", []):
            name, _, value = line.partition(":")
            signed = re.search(r"SignedHeaders=([^,]*)", self.headers.get("Authorization", ""))
            if self.headers.get(name) != value or not signed or name.lower() not in signed[1].split(";"):
                return 403, "AccessDenied", {}
        return None

    def answer_wishes(self, path, wishes):
        if "agent" in wishes and not re.match(r"[a-z]+/[0-9.]+ \(http", self.headers.get("User-Agent", "")):
            wishes["status"] = "403"
        refusal = self.object_refusal(wishes)
        if refusal:
            status, wishes["code"], lines = refusal
            wishes["status"] = str(status)
            wishes["set"] = [f"{name}:{value}" for name, value in lines.items()]
        if int(wishes.get("redirect-ranges", "1000000000")) <= self.number and "Range" in self.headers:
            wishes["status"] = "416"
        if "drop-connection" in wishes or wishes.get("silent") == "start":
            self.hang("silent" in wishes)
            return
        if "give" in wishes and "status" not in wishes and self.give_key(path, wishes):
            return
        if "headers" in wishes:
            self.bad_header(wishes["headers"])
            return
        if "status" in wishes:
            body = b"oops\n"
            if "code" in wishes:
                body = f'<?xml version="1.0"?>\n<Error><Code>{wishes["code"]}</Code><Message>no</Message></Error>'.encode()
            lines = {"Content-Length": str(len(body))}
            if "retry-after" in wishes:
                lines["Retry-After"] = wishes["retry-after"]
            self.send(int(wishes["status"]), lines, body, wishes)
            return
        if "redirect" in wishes or "to" in wishes:
            to = wishes["redirect"] if "redirect" in wishes else f"http://localhost:{wishes['to']}{path}"
            self.send(302, {"Location": to, "Content-Length": "0"}, b"", wishes)
            return
        if "token" in wishes and self.headers.get("X-Token") != wishes["token"] or "basic" in wishes and \
                self.headers.get("Authorization") != "Basic " + base64.b64encode(wishes["basic"].encode()).decode():
            self.send(401, {"Content-Length": "5", "WWW-Authenticate": 'Basic realm="x"'}, b"oops\n", wishes)
            return
        try:
            with open(folder + path, "rb") as file:
                data = file.read()
                modified = self.date_time_string(os.fstat(file.fileno()).st_mtime)
        except OSError:
            self.send(404, {"Content-Length": "5"}, b"oops\n", wishes)
            return
        tag = wishes.get("etag", f'"{len(data)}-1"')
        if "changed" in wishes:
            data, tag = data[::-1], f'"{len(data)}-2"'
        if "grown" in wishes:
            data = data + data
        self.file(data, tag, modified, wishes)

    def file(self, data, tag, modified, wishes):
        lines = {"ETag": tag, "Last-Modified": modified, "Accept-Ranges": "bytes", "Content-Length": str(len(data))}
        match = self.headers.get("If-Match")
        if match and "refuse-match" in wishes:
            self.send(int(wishes["refuse-match"]), {"Content-Length": "5"}, b"oops\n", wishes)
            return
        if match not in (None, tag) and "no-match" not in wishes:
            self.send(412, {"Content-Length": "5"}, b"oops\n", wishes)
            return
        status = 200
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if "no-ranges" in wishes:
            del lines["Accept-Ranges"]
        elif wanted:
            first, last = wanted.groups()
            if first == "" and "no-suffix" in wishes:
                self.send(int(wishes["no-suffix"]), {"Content-Length": "5"}, b"oops\n", wishes)
                return
            start = int(first) if first else max(0, len(data) - int(last))
            end = min(len(data), int(last) + 1) if first and last else len(data)
            if start >= end:
                self.send(416, {"Content-Length": "5", "Content-Range": f"bytes */{len(data)}"}, b"oops\n", wishes)
                return
            end = min(end, start + int(wishes.get("most", "1000000000")))
            size = "*" if "unknown-size" in wishes else len(data)
            lines["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
            lines["Content-Length"] = str(end - start)
            data, status = data[start:end], 206
        self.send(status, lines, data, wishes)

    def send(self, status, lines, data, wishes):
        self.status = status
        for line in wishes.get("set", []):
            name, _, value = line.partition(":")
            lines[name] = value
        for name in wishes.get("drop", []):
            lines.pop(name, None)
        chunked = bool({"chunked", "trailer", "more"} & wishes.keys())
        if chunked:
            lines.pop("Content-Length", None)
            lines["Transfer-Encoding"] = "chunked"
        elif "Content-Length" not in lines:
            self.close_connection = True
        self.send_response(status)
        for name, value in lines.items():
            # A value may have bytes that no text has.
            self._headers_buffer.append(f"{name}: {value}\r\n".encode("utf-8", "surrogateescape"))
        self.end_headers()
        if wishes.get("silent") == "header":
            self.hang(True)
        if self.command == "HEAD":
            return
        data += b"x" * int(wishes.get("more", "0"))
        if "short" in wishes:
            data = data[:int(wishes["short"])]
        half = len(data) // 2
        piece = 16 << 10 if "slow" in wishes or wishes.get("silent") == "body" else 1 << 20
        for start in range(0, len(data), piece):
            time.sleep(float(wishes.get("slow", "0")))
            bytes_ = data[start:start + piece]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(bytes_), bytes_) if chunked else bytes_)
            self.wfile.flush()
            self.sent += len(bytes_)
            if wishes.get("silent") == "body" and start + piece > half:
                self.hang(True)
                return
        if "short" in wishes:
            self.hang(False)
        elif chunked:
            self.wfile.write(b"0\r\n" + (b"X-Checksum: 1\r\n" if "trailer" in wishes else b"") + b"\r\n")

    def bad_header(self, kind):
        self.status = 200
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        if kind == "cut":
            self.wfile.write(b"Content-Length: 10\r\nETag: ")
            self.hang(False)
            return
        if kind == "line":
            self.wfile.write(b"X-Endless: ")
        # As much as a test may wait for, if the client reads on.
        for number in range(1 << 14):
            self.wfile.write(b"x" * 4096 if kind == "line" else b"X-%d: %s\r\n" % (number, b"x" * 4000))
            self.wfile.flush()
        self.hang(False)

    def hang(self, is_silent):
        """Ends the connection, perhaps only after the client has."""
        self.wfile.flush()
        self.close_connection = True
        if is_silent:
            self.connection.settimeout(120)
            try:
                self.connection.recv(1)
            except OSError:
                pass
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Server((address[0], int(address[1])), Handler)
if tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*tls)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
