#!/usr/bin/env python3
"""Check an output folder of sluice with a foreign WARC reader.

    $(infra/venv readers)/python infra/warccheck/check.py OUTPUT_FOLDER

Every WARC file must consist of complete gzip members that warcio reads, with
valid digests; the location of every document must be a response record of the
document's final URL; no line may be incomplete, no document repeated. Prints the
problems, file by file, and exits 1 if there are any.
"""

import io
import json
import re
import sys
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

DOCUMENT_FIELDS = {
    "v": int, "id": str, "url": str, "final_url": str, "title": str, "text": str,
    "date_fetched": str, "char_count": int, "relevance": dict, "path": dict, "warc": dict,
}
REJECT_FIELDS = {"v": int, "url": str, "rule": str, "date": str}


# The files of a local crawl are numbered; those of a stack have a time and a random
# text.
NAME = r"(\d{5,}|\d{8}T\d{6}\.\d{3}Z-[a-z0-9]+)"


class Report:
    """Collects problems and counts valid items."""

    def __init__(self):
        self.problems = []
        self.counts = Counter()

    def wrong(self, where, what):
        self.problems.append(f"{where}: {what}")


def members(path):
    """Yield (offset, length) of each gzip member; raise ValueError at a torn one."""
    with path.open("rb") as f:
        offset, pending = 0, b""
        while True:
            pending = pending or f.read(1 << 16)
            if not pending:
                return
            inflate, length = zlib.decompressobj(wbits=31), 0
            while not inflate.eof:
                if not pending:
                    raise ValueError(f"torn gzip member at {offset}")
                try:
                    inflate.decompress(pending)
                except zlib.error as e:
                    raise ValueError(f"damaged gzip member at {offset}: {e}") from e
                length += len(pending) - len(inflate.unused_data)
                pending = inflate.unused_data if inflate.eof else f.read(1 << 16)
            yield offset, length
            offset += length


def read_member(f, offset, length):
    """Return (type, target URI, problems) of the one record at a place."""
    f.seek(offset)
    records = ArchiveIterator(io.BytesIO(f.read(length)), check_digests=True)
    record = next(records)
    headers, problems = record.rec_headers, []
    while record.raw_stream.read(1 << 16):
        pass
    if record.digest_checker.passed is not True:
        problems += record.digest_checker.problems or ["has no digest"]
    kind = record.rec_type
    if kind == "response" and not headers.get_header("WARC-Payload-Digest"):
        problems.append("response without payload digest")
    if next(records, None) is not None:
        problems.append("more than one record in a member")
    return kind, headers, problems


def check_warc(path, name, report):
    """Check one WARC file; return {(file, offset, length): target URI} of its responses."""
    responses, attached, ids = {}, [], set()
    try:
        with path.open("rb") as f:
            for offset, length in members(path):
                where = f"{name} at {offset}"
                try:
                    kind, headers, problems = read_member(f, offset, length)
                except (ArchiveLoadFailed, StopIteration) as e:
                    report.wrong(where, f"warcio cannot read it: {e!r}")
                    continue
                for p in problems:
                    report.wrong(where, p)
                if offset == 0 and kind != "warcinfo":
                    report.wrong(where, f"file begins with a {kind} record")
                ids.add(headers.get_header("WARC-Record-ID"))
                for field in "WARC-Concurrent-To", "WARC-Refers-To":
                    if headers.get_header(field):
                        attached.append((where, headers.get_header(field)))
                if kind == "conversion":
                    report.counts["pages as a browser showed them"] += 1
                    if not headers.get_header("WARC-Refers-To"):
                        report.wrong(where, "conversion of nothing")
                if kind == "response":
                    responses[name, offset, length] = headers.get_header("WARC-Target-URI")
                report.counts["warc records"] += 1
    except ValueError as e:
        report.wrong(name, e)
    for where, target in attached:
        if target not in ids:
            report.wrong(where, f"belongs to {target}, which is not in the file")
    return responses


def lines(path, name, fields, report):
    """Yield (where, record) of each line that is a record."""
    number = 0
    with path.open("rb") as f:
        for number, raw in enumerate(f, 1):
            where = f"{name}:{number}"
            if not raw.endswith(b"\n"):
                report.wrong(where, "half line")
                continue
            try:
                record = json.loads(raw.decode("utf-8"))
            except ValueError as e:
                report.wrong(where, f"is not JSON in UTF-8: {e}")
                continue
            bad = [k for k, t in fields.items() if not isinstance(record, dict) or not isinstance(record.get(k), t)]
            if bad:
                report.wrong(where, f"fields missing or of another type: {', '.join(bad)}")
                continue
            yield where, record


def check_document(where, doc, responses, report):
    place = doc["warc"]
    key = (place.get("file"), place.get("offset"), place.get("length"))
    if key not in responses:
        report.wrong(where, f"no response record at {key}")
    elif responses[key] != doc["final_url"]:
        report.wrong(where, f"final_url is {doc['final_url']}, the record's target {responses[key]}")
    controls = {c for c in doc["text"] if c != "\n" and unicodedata.category(c) in ("Cc", "Cs")}
    if controls:
        report.wrong(where, f"text holds control characters {sorted(controls)!r}")
    if doc["char_count"] != len(doc["text"]):
        report.wrong(where, f"char_count is {doc['char_count']}, the text has {len(doc['text'])}")


def check_once(kind, seen, report):
    for value, n in seen.items():
        if n > 1:
            report.wrong(value, f"stands {n} times among the {kind}")


def check_folder(root, report):
    responses = {}
    for path in numbered(root, "warc", ".warc.gz", report):
        responses |= check_warc(path, f"warc/{path.name}", report)

    urls, ids = Counter(), Counter()
    for path in numbered(root, "corpus", ".jsonl", report):
        for where, doc in lines(path, f"corpus/{path.name}", DOCUMENT_FIELDS, report):
            check_document(where, doc, responses, report)
            urls[doc["final_url"]] += 1
            ids[doc["id"]] += 1
            report.counts["documents"] += 1
    check_once("documents", urls, report)
    check_once("document ids", ids, report)

    urls = Counter()
    for path in numbered(root, "rejects", ".jsonl", report):
        for _, reject in lines(path, f"rejects/{path.name}", REJECT_FIELDS, report):
            urls[reject["url"]] += 1
            report.counts["rejects"] += 1
    check_once("rejects", urls, report)


def numbered(root, kind, ending, report):
    folder = root / kind
    if not folder.is_dir():
        report.wrong(kind, "no such folder")
        return []
    names = re.compile(NAME + re.escape(ending))
    return sorted((p for p in folder.iterdir() if names.fullmatch(p.name)), key=lambda p: (len(p.name), p.name))


def main(args):
    if len(args) != 1 or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    report = Report()
    check_folder(Path(args[0]), report)
    for problem in report.problems:
        print(problem)
    print(", ".join(f"{n} {what}" for what, n in report.counts.items()) or "nothing found", end="; ")
    print(f"{len(report.problems)} problems" if report.problems else "no problems")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
