#!/bin/bash
# What was installed runs a scenario: tcplab finds dnc and the scenarios beside itself.
set -euo pipefail
unset TCPLAB_SCENARIOS
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$TCPLAB_BUILD_DIR" --prefix "$prefix" >/dev/null
cd "$prefix"
bin/tcplab run power-cycle --family 4 --out "$prefix/runs"  # where it is skipped: 4, here as there
find runs -name events.jsonl -size +0 | grep -q .
