#!/bin/sh
# Validates the template with SAM, and builds the functions: static binaries for
# each given architecture, in archives of at most 20 MB:
#
#	infra/aws/template.sh arm64 x86_64
set -eu
cd "$(dirname "$0")/../.."

sam=$PWD/infra/aws/sam
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$sam" validate --lint
for arch; do
	"$sam" build --build-dir "$out/$arch" --parameter-overrides Architecture=$arch >"$out/log" 2>&1 || { cat "$out/log" && exit 1; }
	python3 infra/aws/binaries.py "$out/$arch" $arch
done
