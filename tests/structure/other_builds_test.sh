#!/bin/bash
# Checks that the other builds of ./test --all can be configured, and that the one with sanitizers
# has tests, but none that would find nothing more there. Compiles the dnc that users get: all its
# rooms are compiled together, so two files in different rooms must not define the same name.
set -euo pipefail
cd "$TCPLAB_SOURCE"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

configure() { cmake -S . -B "$folder/$1" -G Ninja -DTCPLAB_WERROR=ON "${@:2}" >"$folder/log" 2>&1 ||
  { cat "$folder/log" && exit 1; }; }

configure sanitized -DTCPLAB_SANITIZE=ON -DTCPLAB_RELEASE_BIN="$TCPLAB_RELEASE_BIN"
ctest --test-dir "$folder/sanitized" -N >"$folder/tests"
grep -q "netns.live.host" "$folder/tests"
if grep -E "suite\.live|structure|fuzz" "$folder/tests"; then
  echo "the build with sanitizers has these tests, too"
  exit 1
fi
configure single -DCMAKE_UNITY_BUILD=OFF
configure users -DCMAKE_BUILD_TYPE=Release -DTCPLAB_TESTS=OFF
ninja -C "$folder/users" dnc_program >"$folder/log" 2>&1 || { cat "$folder/log" && exit 1; }
