"""Checks which functions `make deploy` builds, and where it deploys them.

Run by the Python of requirements/sam.txt. .ci/test-aws asks a deployed stack.
"""

import os
import struct
import subprocess
import sys
from pathlib import Path

import architecture
import binaries
import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "args",
    [
        ["--parameter-overrides", "Architecture=x86_64"],
        ["--parameter-overrides", "Contact=you@example.org", "Architecture=x86_64"],
        ["--parameter-overrides", 'Contact="you@example.org" Architecture="x86_64"', "--stack-name", "sluice2"],
        ["--parameter-overrides", "ParameterKey=Architecture,ParameterValue=x86_64"],
        ["--parameter-overrides", 'ProxyUrl="http://a:1 http://b:2"', "Architecture=x86_64", "--stack-name", "sluice2"],
        ["--parameter-overrides", "Contact=o'neil@example.org", "Architecture=x86_64"],
    ],
    ids=["alone", "last", "quoted", "long form", "spaces", "apostrophe"],
)
def test_architecture_is_that_of_the_arguments(args):
    assert architecture.architecture(args) == "x86_64"


def test_short_options_end_the_parameters():
    architecture.check_spaces(["--parameter-overrides", "Architecture=x86_64", "-t", "template.yaml"])


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--parameter-overrides", "Architecture=amd64"], "it must be one of arm64, x86_64"),
        (["--parameter-override", "Architecture=x86_64", "--stack"], "No such option"),
        ([], "set AWS_REGION"),
        (["--parameter-overrides", "ProxyUrl=http://a:1 http://b:2", "Contact=x"], "'http://b:2' belongs to no parameter"),
        (["--stack-name", "s" * 58], "has 58 characters: write one of at most 57"),
    ],
)
def test_architecture_refuses(args, says):
    env = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")} | {"AWS_CONFIG_FILE": "/dev/null"}
    run = subprocess.run(
        [sys.executable, HERE / "architecture.py", *args], env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0 and run.stdout == ""
    assert says in run.stderr


@pytest.mark.parametrize(
    ("env", "region"),
    [
        ({"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "us-east-1"}, "eu-west-1"),
        ({"AWS_REGION": "eu-west-1"}, "eu-west-1"),
        ({"AWS_DEFAULT_REGION": "us-east-1"}, "us-east-1"),
        ({}, "None"),
    ],
)
def test_sam_takes_the_region_that_sluice_takes(env, region):
    show = "import boto3; print(boto3.Session().region_name)"
    script = f'here={HERE} && . {HERE}/env.sh && "$sam/python" -c "{show}"'
    clean = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")} | {"AWS_CONFIG_FILE": "/dev/null"}
    run = subprocess.run(["sh", "-euc", script], env=clean | env, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == region


def elf(machine, interpreter=False):
    """Return an ELF file that has a header, and a program header if it names a dynamic linker."""
    head = b"\x7fELF\x02\x01" + bytes(12) + struct.pack("<H", machine) + bytes(12)
    head += struct.pack("<Q", 64) + bytes(14) + struct.pack("<HH", 56, int(interpreter)) + bytes(6)
    return head + struct.pack("<I", binaries.PT_INTERP) + bytes(52)


@pytest.mark.parametrize(
    ("binary", "arch", "problems"),
    [
        (elf(0xB7), "arm64", []),
        (elf(0x3E), "x86_64", []),
        (elf(0xB7), "x86_64", ["for machine 0xb7, not x86_64"]),
        (elf(0x3E), "arm64", ["for machine 0x3e, not arm64"]),
        (elf(0x3E, interpreter=True), "x86_64", ["dynamically linked"]),
        (b"#!/bin/sh\n", "arm64", ["not a 64-bit little-endian ELF file"]),
    ],
)
def test_binaries_are_for_the_architecture(binary, arch, problems):
    assert list(binaries.elf_problems(binary, arch)) == problems
