#!/bin/bash
# Checks that every C++ file is formatted. tools/format fixes what this finds.
set -euo pipefail
cd "$TCPLAB_SOURCE"
if ! command -v clang-format-14 >/dev/null; then
  echo "skipped: format: needs clang-format-14" && exit 4
fi
tools/format --check
