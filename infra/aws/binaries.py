#!/usr/bin/env python3
"""Check the result of `sam build`: python binaries.py BUILD_FOLDER ARCHITECTURE

Each function's folder must contain one executable file, bootstrap, that is a
static ELF binary of the architecture and fits in 20 MB once zipped. Prints the
sizes and the problems; exits 1 if there are any.
"""

import io
import os
import struct
import sys
import zipfile
from pathlib import Path

FUNCTIONS = ["KeeperFunction", "CleanFunction", "CrawlFunction", "SeedFunction", "StructureFunction"]
MACHINES = {"x86_64": 0x3E, "arm64": 0xB7}  # e_machine
PT_INTERP = 3  # the program header that names a dynamic linker
LARGEST_ZIP = 20 << 20
TAGS = b"-tags=ne,lambda.norpc"  # of infra/aws/sam; Go notes them in the binary


def elf_problems(binary, arch):
    """Yield reasons why a binary cannot run on Lambda's bare image."""
    if binary[:6] != b"\x7fELF\x02\x01":
        yield "not a 64-bit little-endian ELF file"
        return
    (machine,) = struct.unpack_from("<H", binary, 18)
    if machine != MACHINES[arch]:
        yield f"for machine {machine:#x}, not {arch}"
    (offset,) = struct.unpack_from("<Q", binary, 32)
    size, count = struct.unpack_from("<HH", binary, 54)
    kinds = [struct.unpack_from("<I", binary, offset + i * size)[0] for i in range(count)]
    if PT_INTERP in kinds:
        yield "dynamically linked"


def zipped(binary):
    """Return the size of the archive that `sam deploy` uploads."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("bootstrap", binary)
    return len(archive.getvalue())


def problems(folder, arch):
    """Yield the problems of one function's folder."""
    files = sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []
    if files != ["bootstrap"]:
        yield f"holds {files}, not just bootstrap"
        return
    path = folder / "bootstrap"
    if not os.access(path, os.X_OK):
        yield "bootstrap is not executable"
    binary = path.read_bytes()
    yield from elf_problems(binary, arch)
    if TAGS not in binary:
        yield "built without the tags of infra/aws/sam"
    size = zipped(binary)
    print(f"{folder.name}: {len(binary) / 1e6:.1f} MB, {size / 1e6:.1f} MB zipped, {arch}")
    if size > LARGEST_ZIP:
        yield f"{size} bytes zipped, at most {LARGEST_ZIP}"


def main(build, arch):
    wrong = [f"{f}: {p}" for f in FUNCTIONS for p in problems(Path(build) / f, arch)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in MACHINES:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
