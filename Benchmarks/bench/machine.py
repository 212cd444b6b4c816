"""What the figures were measured on, and with which versions."""

import os
import platform
import re
import subprocess
from pathlib import Path


def output(*words, folder=None):
    """What a command prints, in one line of its first; empty if it can't be run."""
    try:
        result = subprocess.run(words, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, check=False)
    except OSError:
        return ""
    lines = (result.stdout + result.stderr).strip().splitlines()
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[0]).strip() if lines else ""


def cpus():
    return len(os.sched_getaffinity(0))


def describe(folder):
    """- folder: where the files of the measurement are."""
    model = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    memory = re.search(r"^MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(), re.M)
    system = re.search(r'^PRETTY_NAME="?(.*?)"?$', Path("/etc/os-release").read_text(), re.M)
    return {
        "cpu": model.group(1) if model else platform.machine(),
        "cpus": cpus(),
        "memoryMiB": int(memory.group(1)) // 1024 if memory else 0,
        "kernel": platform.release(),
        "system": system.group(1) if system else platform.system(),
        "fileSystem": output("findmnt", "-no", "FSTYPE", "-T", str(folder)),
        "load": os.getloadavg()[0],
    }


def versions(sluice):
    return {
        "sluice": output(str(sluice), "--version"),
        "swift": output("swift", "--version"),
        "zstd": output("zstd", "--version").strip("*! "),
        "pigz": output("pigz", "--version"),
        "pixz": output("dpkg-query", "-W", "-f", "pixz ${Version}", "pixz"),
        "ratarmount": output("ratarmount", "--version"),
        "lbzip2": output("lbzip2", "--version"),
        "pv": output("pv", "--version").split(" - ")[0],
        "mbuffer": output("mbuffer", "--version"),
        "tar": output("tar", "--version"),
    }


def commit(root):
    name = output("git", "rev-parse", "--short=10", "HEAD", folder=root) or "unknown"
    changed = output("git", "status", "--porcelain", "--untracked-files=no", folder=root)
    return name + ("-changed" if changed else "")
