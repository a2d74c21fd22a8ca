#!/bin/bash
# Checks shell scripts with shellcheck, and scenarios with luacheck (its options: .luacheckrc).
set -euo pipefail
cd "$TCPLAB_SOURCE"
for tool in shellcheck luacheck; do
  command -v "$tool" >/dev/null || { echo "skipped: scripts: needs $tool" && exit 4; }
done
git ls-files -z | xargs -0 grep -lZE -m1 '^#!(/bin/(ba)?sh|/usr/bin/env bash)' -- \
  | xargs -0 shellcheck
mapfile -t scenarios < <(git ls-files 'scenarios/*.lua')
((${#scenarios[@]} == 0)) || luacheck --quiet --no-color "${scenarios[@]}"
