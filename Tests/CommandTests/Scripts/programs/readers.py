"""Reads a file of one frame, and one of many, through each library of Python that is here.

    readers.py WANTED ONE MANY

WANTED is the content of both. What reads all frames, and what stops after the first, is as docs/readers.md says; a library
that does otherwise fails, so that the page stays true. Ends with 77 if no library is here.
"""

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
    for name, call, takes_many, reader in READERS:
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
