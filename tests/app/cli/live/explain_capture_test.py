#!/usr/bin/env python3
"""Checks tcplab explain on captures that tcpdump made of socat and nc, over a loopback that loses
frames. The expected values come from tshark."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

# Waits for each program by what it does: tcpdump reports when it listens, and ss shows the sockets.
TALK = r"""
set -e
cd "$1"
ip link set lo mtu 1500 gso_max_segs 1 up
nft -f - <<'RULES'
table inet loss {
  chain input {
    type filter hook input priority 0
    tcp dport 7001 numgen random mod 8 == 0 drop
    tcp dport 7004 drop
  }
}
RULES
listening() { until ss -Hltn "sport = :$1" | grep -q .; do :; done; }
pids=
take() {
  tcpdump --immediate-mode -B 16384 -s 200 -U -w "$1" -i "$2" ${3:+-y "$3"} 2>"$1.log" &
  pids="$pids $!"
  until grep -q 'listening on' "$1.log"; do :; done
}
take lo.pcap lo; take any.pcap any LINUX_SLL2; take cooked.pcap any LINUX_SLL
socat -u TCP-LISTEN:7001,reuseaddr OPEN:/dev/null & listening 7001
head -c 400000 /dev/zero | socat -u - TCP:127.0.0.1:7001
nc -z 127.0.0.1 7003 || true
nc -w 2 127.0.0.1 7004 </dev/null || true
socat -u TCP6-LISTEN:7002,reuseaddr OPEN:/dev/null & listening 7002
echo hello | socat -u - TCP6:[::1]:7002
both_fins() { [ "$(tcpdump -r $1 'ip6 and tcp port 7002' 2>/dev/null | grep -c '\[F')" = 2 ]; }
for file in lo.pcap any.pcap cooked.pcap; do
  until both_fins $file; do :; done
done
kill -INT $pids
wait $pids
"""


def tshark(file, *fields):
    command = ["tshark", "-r", file, "-Y", "tcp", "-T", "fields", "-E", "separator=,"]
    for field in fields:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split(",") for line in done.stdout.splitlines()]


def explain(*arguments):
    return subprocess.run([lab.TCPLAB, "explain", *map(str, arguments)], capture_output=True,
                          text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})


def counted(text, words):
    """Returns the sum of the numbers of segments that stand in place of {} in `words`."""
    found = re.findall(words.format(r"(\d+) segments?"), re.sub(r"\s+", " ", text))
    return sum(int(number) for number in found)


class ExplainCapture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        missing = [name for name in ("tcpdump", "tshark", "socat", "nft", "nc")
                   if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
        if missing:
            raise unittest.SkipTest("not installed: " + ", ".join(missing))
        if subprocess.run(["unshare", "-n", "true"], capture_output=True,
                          check=False).returncode != 0:
            raise unittest.SkipTest("a network namespace takes root")
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        os.chmod(cls.folder, 0o777)  # tcpdump drops its privileges
        subprocess.run(["unshare", "-n", "bash", "-c", TALK, "bash", cls.folder], check=True,
                       capture_output=True, timeout=300)

    def test_counts_equal_those_of_tshark(self):
        for name in ("lo.pcap", "any.pcap", "cooked.pcap"):
            with self.subTest(capture=name):
                file = self.folder / name
                rows = tshark(file, "tcp.stream", "tcp.analysis.retransmission",
                              "tcp.analysis.out_of_order")
                done = explain(file, "--most", "100")
                self.assertEqual(done.returncode, 0, done.stderr)
                streams = len({row[0] for row in rows})
                self.assertIn(f"{streams} connections", done.stdout)
                again = sum(1 for row in rows if row[1] or row[2])
                self.assertGreater(again, 5, "the loopback lost nothing")
                # On the loopback, two processors may write frames in the wrong order.
                kinds = ("retransmitted {}", "filled a gap with {}",
                         "sent {} that a later one overtook")
                ours = sum(counted(done.stdout, words) for words in kinds)
                self.assertEqual(ours, again, done.stdout)

    def test_the_end_of_each_connection_is_described(self):
        done = re.sub(r"\s+", " ", explain(self.folder / "lo.pcap", "--most", "100").stdout)
        self.assertRegex(done, r"127.0.0.1:\d+ 127.0.0.1:7001 [^:]* closed; ")
        self.assertRegex(done, r"127.0.0.1:\d+ 127.0.0.1:7003 [^:]* refused with a RST")
        self.assertRegex(done, r"127.0.0.1:\d+ 127.0.0.1:7004 [^:]* no answer to \d SYNs")
        self.assertRegex(done, r"\[::1\]:\d+ \[::1\]:7002 [^:]* closed")
        self.assertIn("Probably connection-refused", done)

    def test_byte_counts_equal_those_of_tshark(self):
        octets = set()  # a capture may miss frames, so count each captured octet once
        for port, first, length in tshark(self.folder / "lo.pcap", "tcp.dstport", "tcp.seq",
                                          "tcp.len"):
            if port == "7001":
                octets |= set(range(int(first), int(first) + int(length)))
        done = re.sub(r"\s+", " ", explain(self.folder / "lo.pcap").stdout)
        self.assertGreater(len(octets), 300000)
        self.assertIn(f"sent {len(octets)} octets", done)

    def test_an_incomplete_capture_is_described_up_to_its_end(self):
        whole = (self.folder / "lo.pcap").read_bytes()
        cut = self.folder / "cut.pcap"
        cut.write_bytes(whole[:len(whole) // 2 + 7])
        done = explain(cut)
        self.assertEqual(done.returncode, 0)
        self.assertIn("; the frames before are described", done.stderr)
        self.assertIn("of TCP", done.stdout)

    def test_a_file_that_is_not_a_capture_is_refused_in_one_line(self):
        text = self.folder / "text.pcap"
        text.write_text("no capture at all, but long enough for a header of one\n")
        done = explain(text)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        done = explain(self.folder / "lo.pcap", "--connection", "77")
        self.assertEqual(done.returncode, 2)
        self.assertIn("and no connection 77", done.stderr)

    def test_the_scenarios_named_by_the_rules_exist(self):
        root = Path(__file__).resolve().parents[4]
        rules = (root / "reports/explain").glob("diagnosis_*.cc")
        text = "".join(file.read_text() for file in rules)
        names = set(re.findall(r'DiagnosisRule{[^"]*"([a-z0-9-]+)"', text))
        names |= set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', text))  # a rule's second scenario
        self.assertGreater(len(names), 80)
        there = {file.stem for file in (root / "scenarios").glob("*/*.lua")}
        self.assertEqual(names - there, set())


if __name__ == "__main__":
    lab.main()
