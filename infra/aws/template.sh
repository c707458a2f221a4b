#!/bin/sh
# What SAM itself says of the template, and the functions built from it: static
# binaries for the architecture asked for, in archives of at most 20 MB.
set -eu
cd "$(dirname "$0")/../.."

sam=$PWD/infra/aws/sam
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$sam" validate --lint
for arch in arm64 x86_64; do
	"$sam" build --build-dir "$out/$arch" --parameter-overrides Architecture=$arch >"$out/log" 2>&1 || { cat "$out/log" && exit 1; }
	python3 infra/aws/binaries.py "$out/$arch" $arch
done
