#!/bin/bash
# Checks that an installed tcplab runs a scenario: it must find the installed dnc and scenarios.
set -euo pipefail
unset TCPLAB_SCENARIOS
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$TCPLAB_BUILD_DIR" --prefix "$prefix" >/dev/null
cd "$prefix"
# If the scenario is skipped, tcplab exits with 4, and so does this test.
bin/tcplab run power-cycle --family 4 --out "$prefix/runs"
find runs -name events.jsonl -size +0 | grep -q .
