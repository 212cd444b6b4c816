"""Prints the declarations of symbol graphs, one a line in the order of their names: the public interface of a library.

    public-interface.py FOLDER GRAPH...

It fails if a type has the name of one in the graphs of the folder, those of Swift and Foundation: a program that imports
both would have to say which one it means.
"""

import glob
import json
import sys


def lines(path):
    """The declarations of one graph, each with the name of what it belongs to."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    module = graph["module"]["name"]
    for symbol in graph["symbols"]:
        name = ".".join([module, *symbol["pathComponents"]])
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        yield f"{name}: {' '.join(declaration.split())}"
    names = {symbol["identifier"]["precise"]: symbol["pathComponents"] for symbol in graph["symbols"]}
    for relation in graph["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            protocol = relation.get("targetFallback") or ".".join(names.get(relation["target"], ["?"]))
            yield f"{module}.{'.'.join(names[relation['source']])}: conforms to {protocol}"


def types(path):
    """The names of the types of a graph that do not belong to another one."""
    with open(path, encoding="utf-8") as file:
        symbols = json.load(file)["symbols"]
    kinds = ("class", "enum", "protocol", "struct", "typealias")
    return {
        symbol["pathComponents"][0]
        for symbol in symbols
        if len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"].removeprefix("swift.") in kinds
    }


folder, graphs = sys.argv[1], sys.argv[2:]
for line in sorted({line for path in graphs for line in lines(path)}):
    print(line)
taken = set().union(*map(types, glob.glob(f"{folder}/*.symbols.json")))
hidden = set().union(*map(types, graphs)) & taken
if hidden or not taken:
    sys.exit(f"these hide types of Swift's or Foundation's: {sorted(hidden)}")
