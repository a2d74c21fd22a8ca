#!/bin/bash
# `cmake --install` puts everything in place, and what it put there finds its own scenarios.
set -euo pipefail
unset TCPLAB_SCENARIOS
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$TCPLAB_BUILD_DIR" --prefix "$prefix" >/dev/null
for file in bin/tcplab bin/dnc share/tcplab/scenarios/puzzlers/power-cycle.lua \
  share/man/man1/tcplab.1 share/bash-completion/completions/tcplab share/doc/tcplab/LICENSE \
  share/cmake/tcplab/tcplabConfig.cmake share/tcplab/ci/github-actions.yml; do
  [[ -s $prefix/$file ]] || { echo "not installed: $file" && exit 1; }
done
if find "$prefix" -name '*.cc' -o -name '*.hh' -o -name '*.a' | grep .; then
  echo "installed, and nobody's business" && exit 1
fi

# Its own, and not those of the source tree: one that only the installation has is listed.
cp "$prefix/share/tcplab/scenarios/puzzlers/power-cycle.lua" \
  "$prefix/share/tcplab/scenarios/puzzlers/only-installed.lua"
cd /
"$prefix/bin/tcplab" list --names | grep -x only-installed >/dev/null  # reads all: no SIGPIPE
"$prefix/bin/tcplab" check only-installed
"$prefix/bin/dnc" --version
