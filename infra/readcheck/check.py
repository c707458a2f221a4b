#!/usr/bin/env python3
"""Read datasets of sluice with foreign readers.

    $(infra/venv readers)/python infra/readcheck/check.py FOLDER...

A FOLDER is a dataset, or a crawl's folder with datasets in its export/. Each is
read unchanged by datasets.load_dataset, as a folder and by its files, and, if it
is Parquet, by pyarrow and DuckDB: all must find the records and characters of
manifest.json and the same texts in the same order. With each line of index.cdxj,
warcio must find the response that it names. Prints the problems and exits 1 if
there are any.
"""

import hashlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

import datasets  # noqa: E402
import duckdb  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import zstandard  # noqa: E402
from warcio.archiveiterator import ArchiveIterator  # noqa: E402

SPLITS = ("train", "validation", "test")


class Report:
    """Collects problems and counts valid items."""

    def __init__(self):
        self.problems = []
        self.texts = 0
        self.captures = 0

    def wrong(self, where, what):
        self.problems.append(f"{where}: {what}")


class Seen:
    """The result of a reader: records, characters, and a digest of the texts."""

    def __init__(self, texts):
        self.records = self.characters = 0
        digest = hashlib.sha256()
        for text in texts:
            self.records += 1
            self.characters += len(text)
            digest.update(text.encode() + b"\0")
        self.digest = digest.hexdigest()


def lines(path):
    """Yield the lines of a .zst file."""
    with path.open("rb") as f:
        yield from io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(f), encoding="utf-8", newline="\n")


def paragraphs(texts):
    """Yield the texts separated by empty lines, each with the end of its last line."""
    gathered = []
    for line in texts:
        if line == "\n":
            yield "".join(gathered)
            gathered = []
        else:
            gathered.append(line)
    if gathered:
        yield "".join(gathered)


def reference(files, kind):
    """Yield the texts of shards by the simplest reader there is."""
    for path in files:
        if kind == "jsonl":
            yield from (json.loads(line)["text"] for line in lines(path))
        elif kind == "text":
            yield from paragraphs(lines(path))
        else:
            for batch in pq.ParquetFile(path).iter_batches(columns=["text"]):
                yield from batch.column(0).to_pylist()


def loaded(*args, split, **kwargs):
    with tempfile.TemporaryDirectory() as cache:
        rows = datasets.load_dataset(*args, cache_dir=cache, **kwargs)[split]
        yield from (row["text"] for row in rows)


def quoted(path):
    return "'" + str(path).replace("'", "''") + "'"


def by_duckdb(files):
    names = ", ".join(quoted(f) for f in files)
    for (text,) in duckdb.connect().execute(f"SELECT text FROM read_parquet([{names}])").fetchall():
        yield text


def readers(root, kind, split, files):
    """Return the readers of a split: names and generators of texts."""
    names = [str(f) for f in files]
    if kind == "text":
        # Its sample is a text without its last line end.
        by_paragraph = loaded("text", data_files={split: names}, sample_by="paragraph", split=split)
        return {"load_dataset(text)": (text.rstrip("\n") + "\n" for text in by_paragraph)}
    found = {"load_dataset of the folder": loaded(str(root), split=split)}
    if kind == "jsonl":
        return found | {"load_dataset(json)": loaded("json", data_files={split: names}, split=split)}
    return found | {
        "load_dataset(parquet)": loaded("parquet", data_files={split: names}, split=split),
        "DuckDB": by_duckdb(files),
    }


def check_split(root, manifest, split, report):
    kind = manifest["options"]["format"]
    shards = [s for s in manifest["shards"] if s["split"] == split]
    files = [root / s["name"] for s in shards]
    want = Seen(reference(files, kind))
    for what in ("records", "characters"):
        said = sum(s[what] for s in shards)
        if getattr(want, what) != said:
            report.wrong(f"{root} {split}", f"{getattr(want, what)} {what}, manifest.json says {said}")
    report.texts += want.records
    if not want.records:
        return  # not every reader accepts an empty file
    for name, texts in readers(root, kind, split, files).items():
        try:
            seen = Seen(texts)
        except Exception as e:  # any exception means that the reader failed
            report.wrong(f"{root} {split}", f"{name} cannot read it: {e!r}, {e.__cause__!r}")
            continue
        if vars(seen) != vars(want):
            report.wrong(f"{root} {split}", f"{name} found {seen.records} records of {seen.characters} characters"
                         f" (or other texts), not {want.records} of {want.characters}")


def check_columns(root, manifest, report):
    """No field of a record may be null, for any reader."""
    for shard in manifest["shards"]:
        for field in pq.read_schema(root / shard["name"]):
            if field.nullable:
                report.wrong(root / shard["name"], f"{field.name} may be null")


def check_index(root, manifest, report):
    index = root / "index.cdxj"
    if "index" not in manifest:
        return
    folders = {f["label"]: root / f["path"] for f in manifest["folders"]}
    before = b""
    for number, raw in enumerate(index.open("rb"), 1):
        where = f"{index}:{number}"
        if raw < before:
            report.wrong(where, "is not in order")
        before = raw
        _, stamp, capture = raw.decode().split(" ", 2)
        capture = json.loads(capture)
        name = capture["filename"]
        if len(folders) == 1:
            folder = next(iter(folders.values()))
        else:
            label, name = name.split("/", 1)
            folder = folders[label]
        with (folder / name).open("rb") as f:
            f.seek(int(capture["offset"]))
            record = next(ArchiveIterator(io.BytesIO(f.read(int(capture["length"]))), check_digests="raise"))
            record.raw_stream.read()
        head = record.rec_headers
        date = "".join(c for c in head["WARC-Date"][:19] if c.isdigit())
        has = (record.rec_type, head["WARC-Target-URI"], head["WARC-Payload-Digest"], date)
        if has != ("response", capture["url"], capture["digest"], stamp):
            report.wrong(where, f"leads to {has}")
        report.captures += 1
    if number_of(index) != manifest["index"]["records"]:
        report.wrong(index, f"{number_of(index)} lines, manifest.json says {manifest['index']['records']}")


def number_of(path):
    with path.open("rb") as f:
        return sum(1 for _ in f)


def check(root, report):
    manifest = json.loads((root / "manifest.json").read_text())
    for split in SPLITS:
        if any(s["split"] == split for s in manifest["shards"]):
            check_split(root, manifest, split, report)
    if manifest["options"]["format"] in ("parquet", "hf"):
        check_columns(root, manifest, report)
    check_index(root, manifest, report)


def main(args):
    if not args or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    report = Report()
    for arg in map(Path, args):
        roots = [arg] if (arg / "manifest.json").exists() else sorted(m.parent for m in arg.glob("export/*/manifest.json"))
        if not roots:
            report.wrong(arg, "holds no dataset")
        for root in roots:
            check(root, report)
    for problem in report.problems:
        print(problem)
    print(f"{report.texts} texts, {report.captures} responses", end="; ")
    print(f"{len(report.problems)} problems" if report.problems else "no problems")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
