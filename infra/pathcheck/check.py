#!/usr/bin/env python3
"""Evaluate XPaths of sluice with lxml.

    $(infra/venv readers)/python infra/pathcheck/check.py < CASES

A line of CASES is a JSON object: page (HTML), xpath (of a region), record_xpath,
and texts, those of the first elements of all records without white space. The
region must be one element, and the records those with these texts. Prints the
problems and exits 1 if there are any.
"""

import json
import sys

import lxml.html


def text(element):
    """Return the text of an element without white space."""
    return "".join("".join(element.itertext()).split())


def problems(case):
    """Yield what lxml finds in another way."""
    root = lxml.html.document_fromstring(case["page"])
    regions = root.xpath(case["xpath"])
    if len(regions) != 1:
        yield f"{len(regions)} regions at {case['xpath']}"
    records = [text(r) for r in root.xpath(case["record_xpath"])]
    if records != case["texts"]:
        yield f"{len(records)} records, not the {len(case['texts'])}, at {case['record_xpath']}"


def main():
    found = cases = 0
    for line in sys.stdin:
        cases += 1
        for problem in problems(json.loads(line)):
            found += 1
            print(problem)
    print(f"{cases} lists, {found} problems")
    return 1 if found or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
