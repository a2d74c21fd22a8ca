#!/bin/bash
# clang-tidy finds nothing (.clang-tidy has the checks), and finds what is put before it.
set -euo pipefail
cd "$TCPLAB_SOURCE"
command -v clang-tidy-14 >/dev/null || { echo "skipped: lint: needs clang-tidy-14" && exit 4; }

seeded=$(mktemp -d)
trap 'rm -rf "$seeded"' EXIT
cp .clang-tidy "$seeded"
echo 'int BadName(int x) { return x; }' >"$seeded/seeded.cc"
if clang-tidy-14 --quiet "$seeded/seeded.cc" -- -std=c++20 >"$seeded/out" 2>&1; then
  echo "clang-tidy did not mind a function called BadName"
  exit 1
fi
grep -q readability-identifier-naming "$seeded/out"

tools/lint "$TCPLAB_BUILD_DIR"
