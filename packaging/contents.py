"""Prints what the packages are made of, as SPDX 2.3: Swift's packages by Package.resolved, Swift, and Debian's packages.

Arguments: the version, and the root of the project, in which the release was built.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

LINKED_IN = ["libjemalloc-dev", "libxxhash-dev", "zlib1g-dev", "liblzma-dev", "liblz4-dev", "libjansson-dev"]
LINKED_INTO_THE_ARCHIVE = ["libzstd-dev"]

version, root = sys.argv[1:]


def output_of(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def package(name: str, version: str, location: str = "NOASSERTION", license: str = "NOASSERTION", **more: object) -> dict:
    identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {
        "SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
    } | more


def swift_packages() -> list[dict]:
    with open(os.path.join(root, "Package.resolved")) as file:
        pins = json.load(file)["pins"]
    return [
        package(pin["identity"], pin["state"]["version"], f"git+{pin['location']}@{pin['state']['revision']}", "Apache-2.0")
        for pin in pins
    ]


def debian_package(name: str) -> dict:
    installed = output_of("dpkg-query", "-W", "-f", "${Version}", name)
    reference = {
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{name}@{installed}"}
    return package(name, installed, externalRefs=[reference])


swift = package("swift", re.search(r"Swift version (\S+)", output_of("swift", "--version"))[1], license="Apache-2.0")
commit = output_of("git", "-C", root, "rev-parse", "HEAD")
itself = package("sluice", version, license="Apache-2.0", sourceInfo=f"commit {commit}")
parts = [swift, *swift_packages(), *map(debian_package, LINKED_IN + LINKED_INTO_THE_ARCHIVE)]
time = datetime.datetime.fromtimestamp(int(output_of("git", "-C", root, "log", "-1", "--format=%ct")), datetime.timezone.utc)
digest = hashlib.sha256(json.dumps([itself, *parts], sort_keys=True).encode()).hexdigest()
document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sluice-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/sluice-{version}-{digest}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: sluice-scripts-release"]},
    "packages": [itself, *parts],
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": itself["SPDXID"]},
        *({"spdxElementId": itself["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in parts),
    ],
}
print(json.dumps(document, indent=2))
