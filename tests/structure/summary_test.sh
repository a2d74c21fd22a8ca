#!/bin/bash
# Checks that ./test prints why tests were skipped, before the closing lines of ctest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' 'Output:' 'skipped: tap: needs root' 'something else' 'skipped: tap: needs root' \
  >"$folder/log"
printf '%s\n' '1/1 Test #1: x ...***Skipped' '' '100% tests passed, 0 tests failed out of 1' '' \
  'Total Test time (real) =   0.00 sec' >"$folder/ctest"
printf '%s\n' '1/1 Test #1: x ...***Skipped' '' 'skipped: tap: needs root' \
  '100% tests passed, 0 tests failed out of 1' '' 'Total Test time (real) =   0.00 sec' \
  >"$folder/wanted"
cd "$TCPLAB_SOURCE"
tools/skips-before-summary "$folder/log" <"$folder/ctest" | diff "$folder/wanted" -
