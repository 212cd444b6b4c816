"""Names the public symbols of symbol graphs that have no comment, and fails if there are some.

    documented.py GRAPH...
"""

import json
import sys

missing = set()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    for symbol in graph["symbols"]:
        # What conformances give has the comment of the protocol; cases say what they are where their type does not.
        if "docComment" not in symbol and "source" not in symbol.get("swiftExtension", {}):
            missing.add(".".join([graph["module"]["name"], *symbol["pathComponents"]]))
for name in sorted(missing):
    print(name)
sys.exit(bool(missing))
