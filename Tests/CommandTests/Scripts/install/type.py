"""Types into a shell in a terminal, presses the tab key, and looks at what is shown.

    type.py bash|zsh|fish COMPLETION
"""

import os
import pty
import re
import select
import sys
import time

SHELL, COMPLETION = sys.argv[1:]
COMMANDS = {
    "bash": (["bash", "--noprofile", "--norc", "-i"], f"bind 'set bell-style none'; . ./{COMPLETION}"),
    "zsh": (["zsh", "-f", "-i"], "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep"),
    "fish": (["fish", "--no-config", "-i"], f"source {COMPLETION}"),
}
# What is typed, and what the line is then.
CASES = [
    ("sluice --decomp\t", "sluice --decompress"),
    ("sluice --output-dir-f\t", "sluice --output-dir-flat"),
    ("sluice fich\t", "sluice fichier.txt"),
    ("sluice -d arch\t", "sluice -d archive.zst"),
    ("sluice -o fold\t", "sluice -o folder"),
    ("sluice --filelist fich\t", "sluice --filelist fichier.txt"),
    ("sluice --progress=js\t", "sluice --progress=json"),
    ("sluice --on-full=wa\t", "sluice --on-full=wait"),
    ("sluice --stats-file=fich\t", "sluice --stats-file=fichier.txt"),
    ("sluice -d members.tar.zst --member=su\t", "sluice -d members.tar.zst --member=sub/thing"),
    ("sluice -d members.tar.zst --member=sp\\ a\t", "sluice -d members.tar.zst --member=sp ace/name"),
]


def read(descriptor, until, seconds):
    """The lines that the terminal shows, until a text is there."""
    shown, end = "", time.monotonic() + seconds
    while until not in lines(shown) and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.1)[0]:
            try:
                part = os.read(descriptor, 4096)
            except OSError:
                break
            # The shell asks the terminal what it is: it is one that says so.
            if b"\x1b[c" in part or b"\x1b[0c" in part:
                os.write(descriptor, b"\x1b[?62c")
            shown += part.decode(errors="replace")
    return lines(shown)


def lines(shown):
    """What is shown, without what moves the cursor and colours the text."""
    return re.sub(r"\x1b(\[[0-9;?>=]*[a-zA-Z]|[=>]|\][^\x07\x1b]*(\x07|\x1b\\))", "", shown).replace("\r", "\n")


def main():
    """Starts the shell, and tries each case on a line of its own."""
    words, setup = COMMANDS[SHELL]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", PS1="$ ", PROMPT="$ ")
        os.execvp(words[0], words)
    os.write(terminal, f"{setup}\necho re''ady\n".encode())
    failed = 0
    if "ready" not in read(terminal, "ready", 30):
        print("the shell does not begin")
        failed += 1
    for typed, wanted in CASES:
        os.write(terminal, typed.encode())
        time.sleep(0.1)
        # To the beginning of the line, which becomes another command: it prints what was completed.
        os.write(terminal, b"\x01echo \n")
        shown = read(terminal, f"\n{wanted}", 8)
        if f"\n{wanted}" not in shown:
            print(f"{typed!r} became {shown!r}, and not {wanted!r}")
            failed += 1
    os.kill(child, 9)
    os.waitpid(child, 0)
    return 1 if failed else 0


sys.exit(main())
