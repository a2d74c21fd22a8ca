#!/bin/bash
# Every C++ file is as clang-format writes it. tools/format mends what this finds.
set -euo pipefail
cd "$TCPLAB_SOURCE"
if ! command -v clang-format-14 >/dev/null; then
  echo "skipped: format: needs clang-format-14" && exit 4
fi
tools/format --check
