"""Reads a file of one frame, and one of many, through each library of Python that is here.

    readers.py WANTED ONE MANY [URL]

WANTED is the content of both, which URL serves too, in Content-Encoding: zstd; with it, more libraries are tried, which read
frames only if others are there with them, as scripts/readers installs them. What reads all frames, and what stops after the first, is as docs/readers.md says; a library
that does otherwise fails, so that the page stays true. Ends with 77 if no library is here.
"""

import asyncio
import importlib
import io
import sys
from importlib.metadata import version


def copy_stream(module, path):
    """What ZstdDecompressor.copy_stream writes."""
    output = io.BytesIO()
    with open(path, "rb") as file:
        module.ZstdDecompressor().copy_stream(file, output)
    return output.getvalue()


def read(path):
    """The whole file."""
    with open(path, "rb") as file:
        return file.read()


def finished(decompressor, path):
    """What cramjam's Decompressor makes."""
    decompressor.decompress(read(path))
    return bytes(decompressor.finish())


async def fetch(aiohttp, url):
    """The body of an answer."""
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return await answer.read()


def joined(lines):
    """The content of lines."""
    return "\n".join(lines).encode()


def url(path):
    """Where a file is served."""
    return sys.argv[4] + path


def query(path):
    """For DuckDB: the lines of a file."""
    return f"FROM read_csv('{path}', header = false, delim = '\x01', columns = {{'line': 'VARCHAR'}})"


READERS = [
    # module, what is called, whether it takes many frames, how
    ("zstandard", "open().read()", True, lambda m, path: m.open(path).read()),
    ("zstandard", "stream_reader(read_across_frames=True)", True,
     lambda m, path: m.ZstdDecompressor().stream_reader(open(path, "rb"), read_across_frames=True).read()),
    ("zstandard", "copy_stream()", True, copy_stream),
    ("zstandard", "decompress()", False, lambda m, path: m.ZstdDecompressor().decompress(read(path), 1 << 26)),
    ("zstandard", "decompressobj()", False, lambda m, path: m.ZstdDecompressor().decompressobj().decompress(read(path))),
    ("zstandard", "read_to_iter()", False, lambda m, path: b"".join(m.ZstdDecompressor().read_to_iter(read(path)))),
    ("zstd", "decompress()", lambda number: number >= "1.5.7", lambda m, path: m.decompress(read(path))),
    ("pyzstd", "open().read()", True, lambda m, path: m.open(path).read()),
    ("pyzstd", "decompress()", True, lambda m, path: m.decompress(read(path))),
    ("pyzstd", "ZstdDecompressor", False, lambda m, path: m.ZstdDecompressor().decompress(read(path))),
    ("backports.zstd", "open().read()", True, lambda m, path: m.open(path).read()),
    ("backports.zstd", "decompress()", True, lambda m, path: m.decompress(read(path))),
    ("backports.zstd", "ZstdDecompressor", False, lambda m, path: m.ZstdDecompressor().decompress(read(path))),
    ("indexed_zstd", "IndexedZstdFile", True, lambda m, path: m.IndexedZstdFile(path).read()),
]

WITH_OTHERS = [
    ("pyarrow", "input_stream()", True, lambda m, path: m.input_stream(path).read()),
    ("pyarrow", "Codec.decompress()", True,
     lambda m, path: m.Codec("zstd").decompress(read(path), decompressed_size=3 << 20).to_pybytes()),
    ("pandas", "read_csv()", True, lambda m, path: joined(m.read_csv(path, header=None, sep="\x01", dtype=str)[0])),
    ("polars", "read_csv()", True,
     lambda m, path: joined(m.read_csv(path, has_header=False, separator="\x01").to_series(0))),
    ("polars", "scan_csv()", True,
     lambda m, path: joined(m.scan_csv(path, has_header=False, separator="\x01").collect().to_series(0))),
    ("duckdb", "read_csv()", True, lambda m, path: joined(row[0] for row in m.sql(query(path)).fetchall())),
    ("fsspec", "open()", True, lambda m, path: m.open(path, "rb", compression="zstd").open().read()),
    ("smart_open", "open()", True, lambda m, path: m.open(path, "rb").read()),
    ("xopen", "xopen(), with zstd's command", True, lambda m, path: m.xopen(path, "rb").read()),
    ("xopen", "xopen(threads=0)", True, lambda m, path: m.xopen(path, "rb", threads=0).read()),
    ("cramjam", "zstd.decompress()", True, lambda m, path: bytes(m.zstd.decompress(read(path)))),
    ("cramjam", "zstd.Decompressor", True, lambda m, path: finished(m.zstd.Decompressor(), path)),
    ("numcodecs", "Zstd().decode()", True, lambda m, path: m.Zstd().decode(read(path))),
    ("requests", "get()", True, lambda m, path: m.get(url(path), timeout=60).content),
    ("httpx", "get()", True, lambda m, path: m.get(url(path), timeout=60).content),
    ("aiohttp", "ClientSession.get()", True, lambda m, path: asyncio.run(fetch(m, url(path)))),
]


def takes(wanted, module, reader, path):
    """Whether the reader makes the whole content of a file."""
    try:
        return reader(module, path) == wanted
    except Exception as error:  # Each library has its own.
        print(f"    {type(error).__name__}: {error}")
        return False


def main():
    """Tries what is here."""
    wanted, tried, wrong = read(sys.argv[1]), 0, 0
    for name, call, takes_many, reader in READERS + (WITH_OTHERS if len(sys.argv) > 4 else []):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        tried += 1
        number = version(name)
        many = takes_many(number) if callable(takes_many) else takes_many
        found = [takes(wanted, module, reader, path) for path in sys.argv[2:4]]
        print(f"{name} {number} {call}: one frame {found[0]}, many {found[1]}")
        if found != [True, many]:
            print(f"    and not one frame True, many {many}")
            wrong += 1
    return 1 if wrong else 0 if tried else 77


sys.exit(main())
