#!/usr/bin/env python3
"""Summarise test results: go test -json … | python3 gotest.py

A line for each package, all that failed tests said, and each test that was
skipped with its reason: nothing is left out in silence. Exits 1 if a test
failed or none ran.
"""

import json
import sys
from collections import Counter, defaultdict


def said(lines):
    """Return a test's own output, without the lines of the test runner."""
    return "".join(line for line in lines if not line.lstrip().startswith(("=== ", "--- ")))


def main():
    counts, output, skips = Counter(), defaultdict(list), []
    for line in sys.stdin:
        try:
            event = json.loads(line)
        except ValueError:
            print(line, end="")
            continue
        action, test = event["Action"], event.get("Test")
        key = event.get("Package"), test
        if action == "build-output":
            print(event["Output"], end="")
        elif action == "output":
            if test is None and event["Output"].startswith(("ok", "FAIL\t", "panic")):
                print(event["Output"], end="", flush=True)
            output[key].append(event["Output"])
        elif test is None:
            if action == "fail":  # the process died, or TestMain failed
                counts["failed packages"] += 1
                print("".join(output[key]), end="")
        elif action in ("pass", "fail", "skip"):
            counts[action] += 1
            if action == "fail":
                print(f"FAIL {key[0]} {test}\n{said(output[key])}", end="")
            elif action == "skip":
                skips.append(f"SKIP {test}: {' '.join(said(output[key]).split())}")
    print(*sorted(skips), sep="\n", end="\n" if skips else "")
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return 1 if counts["fail"] or counts["failed packages"] or not counts["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
