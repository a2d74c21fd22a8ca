#!/bin/bash
# Checks that `cmake --install` installs everything, and that the installed tcplab finds the
# installed scenarios.
set -euo pipefail
unset TCPLAB_SCENARIOS
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$TCPLAB_BUILD_DIR" --prefix "$prefix" >/dev/null
for file in bin/tcplab bin/dnc share/tcplab/scenarios/puzzlers/power-cycle.lua \
  share/man/man1/tcplab.1 share/bash-completion/completions/tcplab share/doc/tcplab/LICENSE \
  libexec/tcplab/tcplab-agent libexec/tcplab/tcplab-guest.so \
  share/zsh/site-functions/_tcplab share/fish/vendor_completions.d/tcplab.fish \
  share/cmake/tcplab/tcplabConfig.cmake share/tcplab/ci/github-actions.yml; do
  [[ -s $prefix/$file ]] || { echo "not installed: $file" && exit 1; }
done
if find "$prefix" -name '*.cc' -o -name '*.hh' -o -name '*.a' | grep .; then
  echo "these files must not be installed" && exit 1
fi

# Add a scenario that the source tree does not have: tcplab must list it.
cp "$prefix/share/tcplab/scenarios/puzzlers/power-cycle.lua" \
  "$prefix/share/tcplab/scenarios/puzzlers/only-installed.lua"
cd /
# grep -q would stop reading, and tcplab would get SIGPIPE.
"$prefix/bin/tcplab" list --names | grep -x only-installed >/dev/null
"$prefix/bin/tcplab" check only-installed
"$prefix/bin/dnc" --version

# It finds the installed requirements, too.
cp "$prefix/share/tcplab/conformance/rst-exact.lua" "$prefix/share/tcplab/conformance/only-here.lua"
"$prefix/bin/tcplab" conform --list | grep -w only-here >/dev/null

# The installed tcplab makes a site of the installed documents, with all their pictures and links.
mkdir -p "$prefix/runs/power-cycle-ipv4"
cp "$TCPLAB_SOURCE/tests/events/power-cycle.jsonl" \
  "$prefix/runs/power-cycle-ipv4/events.jsonl"
"$prefix/bin/tcplab" site "$prefix/site" --from "$prefix/runs" >/dev/null
diff <(cd "$TCPLAB_SOURCE/docs/pictures" && printf '%s\n' *.svg *.png) \
  <(cd "$prefix/site/docs/pictures" && printf '%s\n' *.svg *.png)
PYTHONDONTWRITEBYTECODE=1 python3 - "$prefix/site" <<'CHECK'
import sys

from links import broken_in_pages

broken = broken_in_pages(sys.argv[1])
sys.exit("\n".join(broken) if broken else 0)
CHECK
