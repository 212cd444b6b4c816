#!/usr/bin/env python3
"""Compresses one file on many machines into one object of an object store, without a file of all of it anywhere.

    s3.py begin BUCKET KEY                              prints the number of the upload
    s3.py part BUCKET KEY UPLOAD K/N FILE [OPTION...]   on each machine: compresses and uploads the K-th of N parts
    s3.py complete BUCKET KEY UPLOAD N                  when all of them are there
    s3.py abort BUCKET KEY UPLOAD                       gives up what was begun

Each part becomes one part of the multipart upload (5 MiB to 5 GiB, 10,000 at most), whatever the order in which they come;
one that is uploaded again replaces itself. --align=8M makes each a multiple of 8 MiB, and lets no frame straddle one: whoever
reads such a range of the object can decompress it by itself. Options are those of sluice, such as -19. AWS_ENDPOINT_URL is
the store, if it is not Amazon's; SLUICE is the command. It needs boto3 (Debian: python3-boto3).
"""

import os
import subprocess
import sys
import tempfile

import boto3

ALIGNMENT = "8M"


def upload_part(store, bucket, key, upload, part, file, *options):
    number = int(part.split("/")[0])
    sluice = os.environ.get("SLUICE", "sluice")
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "part.zst")
        subprocess.run(
            [sluice, "-q", "--no-sync", *options, "--align=" + ALIGNMENT, "--part=" + part, "-o", name, "--", file],
            check=True)
        with open(name, "rb") as body:
            store.upload_part(Bucket=bucket, Key=key, UploadId=upload, PartNumber=number, Body=body)


def complete(store, bucket, key, upload, count):
    pages = store.get_paginator("list_parts").paginate(Bucket=bucket, Key=key, UploadId=upload)
    parts = [
        {"PartNumber": part["PartNumber"], "ETag": part["ETag"]} for page in pages for part in page.get("Parts", [])
    ]
    missing = set(range(1, int(count) + 1)) - {part["PartNumber"] for part in parts}
    if missing or len(parts) != int(count):
        sys.exit(f"s3.py: of {count} parts these are missing: {sorted(missing)}")
    parts.sort(key=lambda part: part["PartNumber"])
    store.complete_multipart_upload(Bucket=bucket, Key=key, UploadId=upload, MultipartUpload={"Parts": parts})


def main(action, bucket, key, *arguments):
    store = boto3.client("s3", endpoint_url=os.environ.get("AWS_ENDPOINT_URL"))
    if action == "begin":
        print(store.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"])
    elif action == "part":
        upload_part(store, bucket, key, *arguments)
    elif action == "complete":
        complete(store, bucket, key, *arguments)
    elif action == "abort":
        store.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=arguments[0])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
