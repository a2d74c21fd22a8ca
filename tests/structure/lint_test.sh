#!/bin/bash
# clang-tidy finds nothing (.clang-tidy has the checks), and finds what is put before it.
set -euo pipefail
cd "$TCPLAB_SOURCE"
command -v clang-tidy-14 >/dev/null || { echo "skipped: lint: needs clang-tidy-14" && exit 4; }

# A tree of two files, which are looked at together, and then one by one.
seeded=$(mktemp -d)
trap 'rm -rf "$seeded"' EXIT
mkdir "$seeded"/{tools,base,build}
cp tools/lint "$seeded/tools"
cp .clang-tidy "$seeded"
echo 'int good_name(int x) { return x; }' >"$seeded/base/good.cc"
echo 'int BadName(int x) { return x; }' >"$seeded/base/bad.cc"
for file in good bad; do
  printf '{"directory":"%s","command":"c++ -std=c++20","file":"%s"}\n' \
    "$seeded" "$seeded/base/$file.cc"
done | paste -sd, | sed 's/.*/[&]/' >"$seeded/build/compile_commands.json"
if XDG_CACHE_HOME="$seeded/cache" "$seeded/tools/lint" "$seeded/build" >"$seeded/out" 2>&1; then
  echo "tools/lint did not mind a function called BadName"
  exit 1
fi
grep -q "BadName.*readability-identifier-naming" "$seeded/out"
grep -q "2 files, 1 with findings" "$seeded/out"
test "$(find "$seeded/cache" -type f | wc -l)" = 1 # the good one is remembered, the bad one is not

tools/lint "$TCPLAB_BUILD_DIR"
