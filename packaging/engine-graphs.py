"""Puts the public declarations of the engine, as symbol graphs in a folder, among those of the module that exports them:
a program knows no other name for that module.

    engine-graphs.py FOLDER
"""

import json
import os
import sys

MODULE, ENGINE = "Sluice", "SluiceEngine"


def load(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


folder = sys.argv[1]
for name in sorted(os.listdir(folder)):
    # `A.symbols.json` has what A declares, and `A@B.symbols.json` how it extends B.
    module, _, extended = name.removesuffix(".symbols.json").partition("@")
    if module != ENGINE and extended != ENGINE:
        continue
    graph = load(name)
    os.remove(os.path.join(folder, name))
    graph["module"]["name"] = MODULE
    suffix = f"@{extended}" if extended not in ("", ENGINE) else ""
    target = f"{MODULE}{suffix}.symbols.json"
    if os.path.exists(os.path.join(folder, target)):
        known = load(target)
        graph["symbols"] = known["symbols"] + graph["symbols"]
        graph["relationships"] = known["relationships"] + graph["relationships"]
    with open(os.path.join(folder, target), "w", encoding="utf-8") as file:
        json.dump(graph, file)
