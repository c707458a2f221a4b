#!/usr/bin/env python3
"""Put the objects of a sample event into the bucket of a stack:
python objects.py STACK EVENT

An object under seeds/ has the seeds of start.json. One under raw/ is an archive
of a page that no crawl has fetched, and so needs no entry in the ledger. S3 also
sends events about them, so the stack sees the same objects twice.
"""

import gzip
import json
import sys
from pathlib import Path

import boto3

SENTENCES = (
    "中国人民银行周五宣布下调存款准备金率，股市和债券市场随之上涨。",
    "多家银行的分析师认为，贷款利率还会下降，企业的融资成本因此减少。",
    "证券公司的报告说，投资者对上市公司的盈利更有信心，基金的规模也在扩大。",
)
PAGE = f"""<!DOCTYPE html>
<html lang="zh"><head><meta charset="utf-8"><title>央行下调存款准备金率</title></head>
<body><article><h1>央行下调存款准备金率</h1>
{"".join(f"<p>{s * 3}</p>" for s in SENTENCES)}
</article></body></html>
"""


def keys(event):
    for message in json.loads(Path(event).read_text()).get("Records", []):
        try:
            told = json.loads(message["body"])["Records"]
        except (ValueError, KeyError):
            continue  # a message of another kind
        for record in told:
            yield record["s3"]["object"]["key"]


def seeds():
    start = json.loads((Path(__file__).parent / "start.json").read_text())
    return "".join(f"{url}\n" for url in start["seeds"]).encode()


def segment():
    body = PAGE.encode()
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    block = http.encode() + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        "WARC-Record-ID: <urn:uuid:5e0d1c4a-0000-4000-8000-000000000002>\r\n"
        "WARC-Date: 2026-11-21T10:00:00Z\r\nWARC-Target-URI: http://www.caijing.demo.test/sample.html\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0)


def main(stack, event):
    made = {"seeds": seeds, "raw": segment}
    for key in keys(event):
        found = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]["Outputs"]
        (bucket,) = (o["OutputValue"] for o in found if o["OutputKey"] == "Bucket")
        boto3.client("s3").put_object(Bucket=bucket, Key=key, Body=made[key.split("/")[0]]())
        print(f"object     s3://{bucket}/{key}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
