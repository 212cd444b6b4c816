"""Prints what the packages are made of, as SPDX 2.3.

Arguments: the version; the root of the project, in which the release was built; and the lists of what is linked into the
deb's binary, and into that of the archive, the rpm and the PKGBUILD, as `parts` prints them (packaging/parts.bash).
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

version, root, *lists = sys.argv[1:]
USERS = ["the deb", "the archive, the rpm and the PKGBUILD"]


def output_of(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def package(name: str, version: str, location: str = "NOASSERTION", license: str = "NOASSERTION", **more: object) -> dict:
    identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{version}" if more.pop("is_twice", False) else name)
    return {
        "SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
    } | more


def pins() -> dict[str, dict]:
    with open(os.path.join(root, "Package.resolved")) as file:
        return {pin["identity"]: pin for pin in json.load(file)["pins"]}


def linked_parts() -> list[dict]:
    """Each part once; with the binary that it is in, if it is not in both."""
    places: dict[tuple[str, ...], list[str]] = {}
    for path, user in zip(lists, USERS):
        with open(path) as file:
            for line in file:
                places.setdefault(tuple(line.rstrip("\n").split("\t")), []).append(user)
    names = [part[0] for part in places]
    return [part(*fields, users=users, is_twice=names.count(fields[0]) > 1) for fields, users in places.items()]


def part(name: str, version: str, license: str, debian: str, debian_version: str, users: list[str], is_twice: bool) -> dict:
    more: dict = {"is_twice": is_twice}
    if len(users) < len(USERS):
        more["comment"] = f"linked into {users[0]} only"
    if debian != "-":
        locator = f"pkg:deb/debian/{debian}@{debian_version.replace('+', '%2B')}"
        more["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]
    pin = pins().get(name)
    location = f"git+{pin['location']}@{pin['state']['revision']}" if pin else "NOASSERTION"
    return package(name, version, location, license, **more)


commit = output_of("git", "-C", root, "rev-parse", "HEAD")
itself = package("sluice", version, license="Apache-2.0", sourceInfo=f"commit {commit}")
parts = linked_parts()
time = datetime.datetime.fromtimestamp(int(output_of("git", "-C", root, "log", "-1", "--format=%ct")), datetime.timezone.utc)
digest = hashlib.sha256(json.dumps([itself, *parts], sort_keys=True).encode()).hexdigest()
document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sluice-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/sluice-{version}-{digest}",
    "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: sluice-scripts-package"]},
    "hasExtractedLicensingInfos": [
        {"licenseId": "LicenseRef-public-domain", "extractedText": "Its authors have put it into the public domain."}],
    "packages": [itself, *parts],
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": itself["SPDXID"]},
        *({"spdxElementId": itself["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in parts),
    ],
}
print(json.dumps(document, indent=2))
