"""Serves the files of this folder, those that end in .zst as what they hold, in Content-Encoding: zstd.

The port goes to the file `port`; whoever has started it ends it.
"""

import http.server


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a file."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Those who ask for what is not there are browsers."""
        try:
            with open(self.path[1:], "rb") as file:
                data = file.read()
        except OSError:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        if self.path.endswith(".zst"):
            self.send_header("Content-Encoding", "zstd")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open("port", "w", encoding="ascii") as port:
    port.write(f"{server.server_port}\n")
server.serve_forever()
