"""Looks for trouble by chance, for as long as it is told, and says how to see it again."""

import argparse
import importlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from run import Trouble

CAMPAIGNS = ["faults", "differential", "ends", "signals", "memory", "pipes", "recover", "damage", "resume", "access",
             "names", "text"]


def say(text):
    print(f"campaign: {text}", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/campaign", description="Looks for trouble by chance: each campaign for some minutes.",
        epilog="SLUICE names a binary to try in place of the one that is built here. Exit code 1: there was trouble."
        " Another one, scripts/campaign fuzz [SECONDS], is libFuzzer on all that reads bytes of strangers.")
    parser.add_argument("--minutes", type=float, default=2, metavar="N", help="for each campaign (default: 2)")
    parser.add_argument("--rounds", type=int, metavar="N", help="for each campaign, in place of minutes")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31), metavar="N", help="what chance begins with")
    parser.add_argument("--round", type=int, metavar="N", help="only this round")
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"{', '.join(CAMPAIGNS)} (default: all of them)")
    words = parser.parse_args()
    for name in words.campaigns:
        if name not in CAMPAIGNS:
            parser.error(f"no campaign is called {name}")
    return words


def rounds(words):
    """The numbers of the rounds, as long as there is time, and one at least."""
    if words.round:
        yield words.round
        return
    ends = time.monotonic() + words.minutes * 60
    number = 0
    while number < words.rounds if words.rounds else number == 0 or time.monotonic() < ends:
        number += 1
        yield number


def keep(folder, trouble, again):
    """Puts what is left of a round where it stays, with how to repeat it."""
    kept = tempfile.mkdtemp(prefix="sluice-campaign-")
    # Zeros that take no room take none there.
    subprocess.run(["cp", "-a", "--sparse=always", f"{folder}/.", kept], check=False)
    with open(os.path.join(kept, "trouble"), "w") as file:
        details = trouble.details.decode(errors="replace") if isinstance(trouble.details, bytes) else trouble.details
        file.write(f"{trouble.kind}\n{trouble.command}\n{again}\n{details}\n")
    return kept


def campaign(name, binary, words):
    """Runs the rounds of one campaign; returns whether there was no trouble."""
    folder = tempfile.mkdtemp(prefix="sluice-")
    kinds, number = {}, 0
    try:
        rounds_of_it = importlib.import_module(name).Campaign(binary, folder, words.seed)
        for number in rounds(words):
            try:
                # Each round has numbers of its own, so that it can be repeated alone.
                rounds_of_it.round(number, random.Random(f"{words.seed} {name} {number}"))
            except Trouble as trouble:
                kinds[trouble.kind] = kinds.get(trouble.kind, 0) + 1
                if kinds[trouble.kind] > 1:
                    continue
                again = f"scripts/campaign --seed {words.seed} --round {number} {name}"
                kept = keep(folder, trouble, again)
                say(f"{name}: {trouble.kind}\n  {trouble.command}\n  {again}\n  kept in {kept}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    counts = ", ".join(f"{count} {what}" for what, count in sorted(rounds_of_it.counts.items()))
    outcome = f"{sum(kinds.values())} with trouble of {len(kinds)} kinds" if kinds else "no trouble"
    say(f"{name}: {1 if words.round else number} runs ({counts}), {outcome}")
    for example in getattr(rounds_of_it, "examples", []):
        say(f"{name}: {example}")
    return not kinds


def main():
    words = arguments()
    say(f"seed {words.seed}")
    # Each of them, whatever the one before it found.
    outcomes = [campaign(name, os.environ["SLUICE"], words) for name in words.campaigns or CAMPAIGNS]
    sys.exit(0 if all(outcomes) else 1)


main()
