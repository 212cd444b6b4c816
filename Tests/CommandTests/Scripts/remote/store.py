#!/usr/bin/env python3
"""An object store of S3 for tests: it recomputes each signature, keeps objects and uploads in memory, and fails as asked.

    store.py LOG [FAULT...]

It prints its port, and writes a line for each request to LOG, with tabs between: method, target, status, bytes that came,
the names of lines that may be secrets.
The bucket is "bucket"; keys are AKID / hidden-1, and with a token AKID2 / hidden-2.

A fault is NAME=VALUE:
    fail=WHAT:FROM:TIMES:KIND          requests of this kind (WHAT: put, create, part, complete, abort, head, get, list) from the
                                       FROM-th on, TIMES of them: KIND is a status (with a code after a dot: 503.SlowDown),
                                       "drop" (the connection, in the middle of the body), "lost" (after it was done),
                                       "inside" (200 with an error in its body), "silent" (no answer), "slow" (half a second),
                                       "crawl" (it takes the content in a second),
                                       "rival" (before it, somebody else makes the object of the same bytes)
    region=NAME                        301 and the name, unless the request is signed for it
    expires=N                          400 ExpiredToken to AKID after N requests
    no-condition                       501 to If-None-Match; ignores-condition: passes over it
    no-question                        403 to HEAD; no-checksums: does not know CRC-32C
    even                               400 InvalidPart unless all parts but the last have one size
    kms                                tags are no MD5; no-list: 403 to the question for the parts of an upload
    corrupt                            another byte in each object that is read; replaced: another tag
    at-once=N                          503 SlowDown while more than N requests are served
    tls=CERTIFICATE:KEY                speak TLS, under which the content is not hashed

GET /.objects, /.uploads lists what there is, a line each: key, size and what is said of it; of an upload key and number of
parts. GET /.mend ends all faults with counts, and /.forget all uploads. These need no signature.
"""
import base64
import collections
import hashlib
import hmac
import http.server
import re
import socket
import ssl
import sys
import threading
import time
import urllib.parse
import xml.sax.saxutils

log = sys.argv[1]
faults = [word.partition("=")[::2] for word in sys.argv[2:]]
given = dict(faults)
KEYS = {"AKID": "hidden-1", "AKID2": "hidden-2"}
lock = threading.Lock()
objects, uploads, counts = {}, {}, collections.Counter()
TABLE = []
for number in range(256):
    for _ in range(8):
        number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
    TABLE.append(number)


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 255]
    return base64.b64encode((value ^ 0xFFFFFFFF).to_bytes(4, "big")).decode()


class Refusal(Exception):
    def __init__(self, status, code, lines=None):
        super().__init__(code)
        self.status, self.code, self.lines = status, code, lines or {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rbufsize = 1 << 20

    def handle_any(self):
        self.came, self.status = 0, 0
        split = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(split.query, keep_blank_values=True))
        self.key = urllib.parse.unquote(split.path)
        if self.key.startswith("/."):
            self.list()
            return
        with lock:
            counts["now"] += 1
        try:
            self.serve()
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True
        finally:
            with lock:
                counts["now"] -= 1
                with open(log, "a") as out:
                    out.write(f"{self.command}\t{self.path}\t{self.status}\t{self.came}\t{self.secrets()}\n")

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any

    def list(self):
        with lock:
            if self.key == "/.mend":
                faults.clear()
            if self.key == "/.forget":
                uploads.clear()
            lines = [f"{key}\t{len(value[0])}\t{value[2]}" for key, value in objects.items()] if self.key == "/.objects" else \
                [f"{value['key']}\t{len(value['parts'])}" for value in uploads.values()]
        self.reply(200, "".join(line + "\n" for line in sorted(lines)).encode())

    def secrets(self):
        names = sorted(name.lower() for name in self.headers if re.match("cookie|proxy-|x-t$|x-amz-.*-customer-", name.lower()))
        return ",".join(names + (["authorization"] if "hidden" in self.headers.get("Authorization", "") else []))

    def what(self):
        if self.command == "POST":
            return "create" if "uploads" in self.query else "complete"
        if self.command == "PUT":
            return "part" if "partNumber" in self.query else "put"
        if self.command == "GET" and "uploadId" in self.query:
            return "list"
        return {"HEAD": "head", "DELETE": "abort" if "uploadId" in self.query else "delete", "GET": "get"}[self.command]

    def fault(self):
        """The fault for this request; None for none."""
        with lock:
            counts[self.what()] += 1
            counts["all"] += 1
            for name, value in faults:
                if name != "fail":
                    continue
                what, first, times, kind = value.split(":")
                if what == self.what() and int(first) <= counts[what] < int(first) + int(times):
                    return kind
        return None

    def serve(self):
        kind = self.kind = self.fault()
        length = int(self.headers.get("Content-Length", "0"))
        if kind == "drop":
            self.came = len(self.rfile.read(length // 2))
            self.hang()
            return
        pieces = 20 if kind == "crawl" else 1
        body = b""
        for number in range(pieces):
            time.sleep(0.05 * (pieces > 1))
            body += self.rfile.read(length * (number + 1) // pieces - length * number // pieces)
        self.came = len(body)
        if kind == "silent":
            time.sleep(20)
            self.hang()
            return
        if kind == "slow":
            time.sleep(0.5)
        try:
            self.check(body)
            if kind and kind[0].isdigit():
                status, _, code = kind.partition(".")
                raise Refusal(int(status), code or "Fault")
            if kind == "inside":
                self.reply(200, b'<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>')
                return
            answer, lines = self.carry_out(body)
        except Refusal as refusal:
            text = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{refusal.code}</Code><Message>no</Message></Error>'
            self.reply(refusal.status, text.encode(), refusal.lines)
            return
        if kind == "lost":
            self.hang()
            return
        status = lines.pop("status", 200)
        self.reply(status, answer, lines)

    def check(self, body):
        """Compares the signature (AWS Signature Version 4) with what it should be."""
        with lock:
            crowd, total = counts["now"], counts["all"]
        if crowd > int(given.get("at-once", "1000000")):
            raise Refusal(503, "SlowDown")
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})",
            self.headers.get("Authorization", ""))
        if not found:
            raise Refusal(403, "AccessDenied")
        identifier, day, region, names, signature = found.groups()
        if identifier not in KEYS:
            raise Refusal(403, "InvalidAccessKeyId")
        split = urllib.parse.urlsplit(self.path)
        query = "&".join(sorted(split.query.split("&"))) if split.query else ""
        payload = self.headers.get("x-amz-content-sha256", "")
        lines = "".join(f"{name}:{' '.join((self.headers.get(name) or '').split())}\n" for name in names.split(";"))
        request = "\n".join([self.command, split.path, query, lines, names, payload])
        date = self.headers.get("X-Amz-Date", "")
        text = "\n".join(
            ["AWS4-HMAC-SHA256", date, f"{day}/{region}/s3/aws4_request", hashlib.sha256(request.encode("latin-1")).hexdigest()])
        key = ("AWS4" + KEYS[identifier]).encode()
        for word in [day, region, "s3", "aws4_request"]:
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        signed = names.split(";")
        needed = [name.lower() for name in self.headers if name.lower().startswith("x-amz-")] + ["host"]
        if hmac.new(key, text.encode(), hashlib.sha256).hexdigest() != signature or not set(needed) <= set(signed):
            raise Refusal(403, "SignatureDoesNotMatch")
        if "tls" in given and payload != "UNSIGNED-PAYLOAD" or \
                "tls" not in given and body and payload != hashlib.sha256(body).hexdigest():
            raise Refusal(400, "XAmzContentSHA256Mismatch")
        if "region" in given and region != given["region"]:
            raise Refusal(301, "PermanentRedirect", {"x-amz-bucket-region": given["region"]})
        if "expires" in given and identifier == "AKID" and total > int(given["expires"]):
            raise Refusal(400, "ExpiredToken")
        # libcurl before 8.10 may sign them in another order, which stores refuse.
        if signed != sorted(signed):
            raise Refusal(403, "SignatureDoesNotMatch")
        if self.what() == "get" and self.meta(lines=False):
            raise Refusal(400, "InvalidRequest")
        if not self.key.startswith("/bucket/") or len(self.key) < 9 and "uploads" not in self.query:
            raise Refusal(404, "NoSuchBucket")
        md5 = self.headers.get("Content-MD5")
        if md5 and md5 != base64.b64encode(hashlib.md5(body).digest()).decode():
            raise Refusal(400, "BadDigest")

    def carry_out(self, body):
        with lock:
            return getattr(self, "do_" + self.what())(body)

    def conditions(self):
        condition = self.headers.get("If-None-Match")
        if condition and "no-condition" in given:
            raise Refusal(501, "NotImplemented")
        if condition and "ignores-condition" not in given and self.key in objects:
            raise Refusal(412, "PreconditionFailed")

    def meta(self, lines=True):
        kept = ("x-amz-storage-class", "x-amz-tagging", "x-amz-server-side-encryption") + \
            (("x-amz-meta-", "content-type") if lines else ())
        return {name.lower(): value for name, value in self.headers.items()
                if name.lower().startswith(kept) and "-customer-" not in name.lower()}

    def tag(self, body):
        return hashlib.md5((b"secret" if "kms" in given else b"") + body).hexdigest()

    def do_put(self, body):
        tag = f'"{self.tag(body)}"'
        if self.kind == "rival":
            objects[self.key] = (body, tag, {})
        self.conditions()
        objects[self.key] = (body, tag, self.meta())
        return b"", {"ETag": tag}

    def do_create(self, _):
        number = f"up/{len(uploads) + counts['create']}+="
        uploads[number] = dict(key=self.key, parts={}, meta=self.meta(), crc=False)
        lines = {"x-amz-server-side-encryption": "aws:kms"} if "kms" in given else {}
        if self.headers.get("x-amz-checksum-algorithm") == "CRC32C":
            if "no-checksums" in given:
                del uploads[number]
                raise Refusal(501, "NotImplemented")
            uploads[number]["crc"] = True
            lines["x-amz-checksum-algorithm"] = "CRC32C"
        text = f"<InitiateMultipartUploadResult xmlns='x'><UploadId>{number}</UploadId></InitiateMultipartUploadResult>"
        return text.encode(), lines

    def upload(self):
        upload = uploads.get(self.query["uploadId"])
        if upload is None or upload["key"] != self.key:
            raise Refusal(404, "NoSuchUpload")
        return upload

    def do_part(self, body):
        upload = self.upload()
        crc = self.headers.get("x-amz-checksum-crc32c")
        if upload["crc"] != bool(crc) or not crc and not self.headers.get("Content-MD5"):
            raise Refusal(400, "InvalidRequest")
        # In Python it takes a second for each 10 MB: of a large part only that it is there is checked.
        if crc and len(body) <= 1 << 20 and crc != crc32c(body):
            raise Refusal(400, "BadDigest")
        tag = f'"{self.tag(body)}"'
        upload["parts"][int(self.query["partNumber"])] = (body, tag, crc)
        return b"", {"ETag": tag}

    def do_complete(self, body):
        upload = self.upload()
        text = body.decode()
        asked = re.findall(r"<Part><PartNumber>(\d+)</PartNumber><ETag>([^<]*)</ETag>(?:<ChecksumCRC32C>([^<]*)<)?", text)
        numbers = [int(number) for number, _, _ in asked]
        if not numbers or numbers != sorted(set(numbers)):
            raise Refusal(400, "InvalidPartOrder")
        parts = []
        for number, tag, crc in asked:
            part = upload["parts"].get(int(number))
            if not part or part[1] != xml.sax.saxutils.unescape(tag, {"&quot;": '"'}) or upload["crc"] and part[2] != crc:
                raise Refusal(400, "InvalidPart")
            parts.append(part)
        sizes = {len(part[0]) for part in parts[:-1]}
        if any(size < 5 << 20 for size in sizes):
            raise Refusal(400, "EntityTooSmall")
        if "even" in given and len(sizes) > 1:
            raise Refusal(400, "InvalidPart")
        tags = b"".join(bytes.fromhex(part[1].strip('"')) for part in parts)
        tag = f'"{self.tag(tags)}-{len(parts)}"'
        data = b"".join(part[0] for part in parts)
        if self.kind == "rival":
            objects[self.key] = (data, tag, {})
        self.conditions()
        objects[self.key] = (data, tag, upload["meta"])
        del uploads[self.query["uploadId"]]
        answer = f"<CompleteMultipartUploadResult xmlns='x'><ETag>&quot;{tag[1:-1]}&quot;</ETag></CompleteMultipartUploadResult>"
        return b'<?xml version="1.0"?>\n  \n' + answer.encode(), {}

    def do_list(self, _):
        if "no-list" in given:
            raise Refusal(403, "AccessDenied")
        upload, marker = self.upload(), int(self.query["part-number-marker"])
        # Few at a time, so that there are several lists.
        numbers = sorted(number for number in upload["parts"] if number > marker)
        rows = []
        for number in numbers[:2]:
            body, tag, crc = upload["parts"][number]
            crc = f"<ChecksumCRC32C>{crc}</ChecksumCRC32C>" if crc else ""
            rows.append(
                f"<Part><PartNumber>{number}</PartNumber><ETag>&quot;{tag[1:-1]}&quot;</ETag><Size>{len(body)}</Size>{crc}</Part>")
        more = f"<IsTruncated>{'true' if numbers[2:] else 'false'}</IsTruncated>" + \
            (f"<NextPartNumberMarker>{numbers[1]}</NextPartNumberMarker>" if numbers[2:] else "")
        return f"<ListPartsResult xmlns='x'>{more}{''.join(rows)}</ListPartsResult>".encode(), {}

    def do_abort(self, _):
        self.upload()
        del uploads[self.query["uploadId"]]
        return b"", {"status": 204}

    def do_delete(self, _):
        objects.pop(self.key, None)
        return b"", {"status": 204}

    def do_head(self, _):
        if "no-question" in given:
            raise Refusal(403, "AccessDenied")
        if self.key not in objects:
            raise Refusal(404, "NoSuchKey")
        data, tag, meta = objects[self.key]
        lines = {"ETag": tag, **meta}
        return data, lines

    def do_get(self, _):
        if self.key not in objects:
            raise Refusal(404, "NoSuchKey")
        data, tag, meta = objects[self.key]
        if "versionId" in self.query:
            raise Refusal(404, "NoSuchVersion")
        if "replaced" in given:
            tag = '"other"'
        if "corrupt" in given:
            data = data[:len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1:]
        lines = {"ETag": tag, **meta}
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not wanted:
            return data, lines
        first, last = wanted.groups()
        start = int(first) if first else max(0, len(data) - int(last))
        end = min(len(data), int(last) + 1) if first and last else len(data)
        if start >= end:
            raise Refusal(416, "InvalidRange", {"Content-Range": f"bytes */{len(data)}"})
        lines.update({"status": 206, "Content-Range": f"bytes {start}-{end - 1}/{len(data)}"})
        return data[start:end], lines

    def reply(self, status, body, lines=None):
        self.status = status
        self.send_response(status)
        for name, value in (lines or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(body)

    def hang(self):
        self.close_connection = True
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


server = Server(("127.0.0.1", 0), Handler)
if "tls" in given:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*given["tls"].split(":"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
