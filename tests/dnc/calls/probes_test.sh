#!/bin/sh
# Checks that dnc contains the USDT probes, in the section that tracers read (.note.stapsdt).
dnc=${TCPLAB_BIN:?the folder with dnc}/dnc
if ! command -v readelf >/dev/null; then
  echo "skipped: no readelf (package binutils)"
  exit 4
fi
if ! echo '#include <sys/sdt.h>' | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1; then
  echo "skipped: no sys/sdt.h (package systemtap-sdt-dev), so dnc was built without probes"
  exit 4
fi
notes=$(readelf -n "$dnc") || exit 1
for probe in call__entry call__return; do
  if ! echo "$notes" | grep -A1 'Provider: dnc' | grep -q "Name: $probe\$"; then
    echo "no probe dnc:$probe in $dnc"
    exit 1
  fi
done
echo "dnc:call__entry and dnc:call__return are there"
