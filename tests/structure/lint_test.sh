#!/bin/bash
# Checks that tools/lint finds a bad name in a small tree, and finds nothing in the files of ours
# that have changed; ./test --all checks every file. .clang-tidy has the checks.
set -euo pipefail
cd "$TCPLAB_SOURCE"
command -v clang-tidy-14 >/dev/null || { echo "skipped: lint: needs clang-tidy-14" && exit 4; }

# A tree of two files, one of them in a unity file. tools/lint checks them together, finds
# something, and checks each alone.
seeded=$(mktemp -d)
trap 'rm -rf "$seeded"' EXIT
mkdir -p "$seeded"/{tools,base,build/Unity}
cp tools/lint tools/compile_commands.py "$seeded/tools"
cp .clang-tidy "$seeded"
mkdir "$seeded/cmake"
echo 'base: | fmt::fmt' >"$seeded/cmake/rooms.txt"
echo 'int good_name(int x) { return x; }' >"$seeded/base/good.cc"
echo 'int BadName(int x) { return x; }' >"$seeded/base/bad.cc"
printf '#include "%s"\n' "$seeded/base/bad.cc" >"$seeded/build/Unity/unity_0_cxx.cxx"
for file in base/good.cc build/Unity/unity_0_cxx.cxx; do
  printf '{"directory":"%s","command":"c++ -std=c++20","file":"%s"}\n' "$seeded" "$seeded/$file"
done | paste -sd, | sed 's/.*/[&]/' >"$seeded/build/compile_commands.json"
if XDG_CACHE_HOME="$seeded/cache" "$seeded/tools/lint" "$seeded/build" >"$seeded/out" 2>&1; then
  echo "tools/lint accepted a function called BadName"
  exit 1
fi
grep -q "BadName.*readability-identifier-naming" "$seeded/out"
grep -q "2 files, 1 with findings" "$seeded/out"
test "$(find "$seeded/cache" -type f | wc -l)" = 1 # only the good file is in the cache

# --changed checks only files that the newest commits change, or that are not committed yet.
seeded_git() { git -C "$seeded" -c user.name=T -c user.email=t@localhost "$@"; }
changed_lint() { XDG_CACHE_HOME="$seeded/other" "$seeded/tools/lint" --changed "$seeded/build"; }
seeded_git init -q
seeded_git add .
seeded_git commit -qm "Add all"
seeded_git checkout -q --orphan new
seeded_git commit -qm "Begin anew" tools build cmake
if changed_lint >"$seeded/out"; then
  echo "tools/lint --changed accepted a function called BadName in a new file"
  exit 1
fi
seeded_git commit -qm "Add the rest" base/bad.cc
for _ in {1..20}; do seeded_git commit -q --allow-empty -m "Change nothing"; done
changed_lint >"$seeded/out" # only good.cc is new
grep -q "of 1 changed files, 0 are not checked" "$seeded/out"

# Each top folder of the rooms has files to check.
tools/lint --list "$TCPLAB_BUILD_DIR" >"$seeded/listed"
sed -n 's|^\([a-z]*\)[/:].*|\1|p' cmake/rooms.txt | sort -u | while read -r folder; do
  grep -q "^$folder/" "$seeded/listed" || { echo "tools/lint checks no file of $folder/"; exit 1; }
done

options=(--changed)
[[ -n ${TCPLAB_TEST_ALL:-} ]] && options=()
tools/lint "${options[@]}" "$TCPLAB_BUILD_DIR"
