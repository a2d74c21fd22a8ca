#!/usr/bin/env python3
"""Checks the record that `tcplab trace --abort-on` and `--stop-on` write, and `tcplab look`, which
reads it beside the core file."""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab
import schemas
from cores import allow_cores, forbid_cores, require_core_files
from failing import (ABORTS_LATER, ASKS_AFTER, ASKS_BEFORE, ATTEMPT, DIAL, MAPS_DATA,
                     POLLS_LONG_AGO, REFUSED, RESET, TIMEOUT)


# AddressSanitizer turns core files off, for what it starts, too.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "disable_coredump=0"}


def trace(folder, program, *options, cores=True, before=()):
    """Runs a program until it is aborted, and returns what the trace said at the end."""
    (folder / "client.py").write_text(program, encoding="utf-8")
    done = subprocess.run([*before, lab.TCPLAB, "trace", "-q", *options, "--", sys.executable,
                           "client.py"], cwd=folder, capture_output=True, text=True, check=False,
                          timeout=120, env=ENVIRONMENT,
                          preexec_fn=allow_cores if cores else forbid_cores)
    return done.stderr


def look(folder, *arguments):
    return subprocess.run([lab.TCPLAB, "look", *arguments], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=120)


def record_in(folder):
    """Returns the path of the one record there, and what it has."""
    path, = folder.glob("core.*.tcplab.json")
    return path, schemas.checked(path.read_text(encoding="utf-8"))


def core_in(folder):
    core, = [file for file in folder.glob("core*") if file.suffix != ".json"]
    return core


class Records(unittest.TestCase):
    """What is in a record, without a core file."""

    def setUp(self):
        self.began = time.time_ns()

    def test_it_has_the_call_the_connections_and_the_threads(self):
        with lab.Folder() as folder:
            said = trace(folder, RESET, "--abort-on", "ECONNRESET", cores=False)
            path, record = record_in(folder)
            self.assertIn(f"its connections and calls: tcplab look {path}", said)
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            self.check_failure(record)
            self.check_connections(record)
            self.check_threads(record)
            self.check_text(look(folder, path.name).stdout, record)
            self.assertEqual(schemas.checked(look(folder, path.name, "--json").stdout), record)

    def check_failure(self, record):
        failure = record["failure"]
        self.assertEqual([failure["call"], failure["errno"]], ["recvfrom", "ECONNRESET"])
        self.assertLessEqual(failure["t"], record["t_sockets"])
        self.assertLess(record["t_sockets"], record["t_threads"])
        date = failure["t"] + record["wall_clock"]
        self.assertTrue(self.began <= date <= time.time_ns(), date)
        functions = [frame for frame in failure["stack"] if "client.py" in frame]
        self.assertEqual([frame.split(" ")[0] for frame in functions],
                         ["fetch", "business", "<module>"])

    def check_connections(self, record):
        first, *others = record["connections"]
        self.assertTrue(first["is_forgotten"] and first["was_connected"])
        self.assertEqual(first["state"], "CLOSE")
        self.assertEqual([first["local"], first["remote"]],
                         [record["failure"]["local"], record["failure"]["remote"]])
        # 61 requests of 12 octets, of which the last has no answer; connect and setsockopt.
        self.assertEqual([first["octets_sent"], first["octets_received"]], [61 * 12, 60 * 2])
        self.assertEqual(first["options_set"], ["SO_KEEPALIVE = 1"])
        self.assertEqual(first["options"]["SO_KEEPALIVE"], True)
        self.assertEqual([first["calls_returned"], len(first["calls"])], [2 + 61 + 61, 50])
        self.assertEqual([call["call"] for call in first["calls"]], ["sendto", "recvfrom"] * 25)
        self.assertEqual(first["calls"][-1]["errno"], "ECONNRESET")
        times = [call["t"] for call in first["calls"]]
        self.assertEqual(times, sorted(times))
        awaited, = [each["fds"] for each in record["threads"] if each["does"] == "waits"
                    and "rest (" in " ".join(each["frames"])]
        second, = [each for each in others if each["fds"] == awaited]
        self.assertEqual([second["state"], second["octets_sent"], second["octets_received"]],
                         ["ESTABLISHED", 210, 210])
        self.assertEqual(second["calls_returned"], 1 + 70 + 70)
        self.assertNotIn("is_forgotten", second)
        self.assertEqual(len(second["calls"]), 50)
        self.assertNotEqual(second["fds"], first["fds"])
        listeners = [each for each in others if each["state"] == "LISTEN"]
        self.assertEqual(len(listeners), 2)

    def check_threads(self, record):
        failed, *others = record["threads"]
        self.assertEqual(failed["call"], "recvfrom")
        self.assertIn("fetch (", " ".join(failed["frames"]))
        self.assertTrue(any(re.search(r"rest \(.*client\.py:4\)", " ".join(each["frames"]))
                            and each["call"] == "recvfrom" and each["does"] == "waits"
                            for each in others if "frames" in each), others)

    def check_text(self, text, record):
        first = record["connections"][0]
        self.assertRegex(text, r"(?m)^  recvfrom\(\d+, 4096 bytes\) failed with ECONNRESET")
        ends = f"{first['local']} > {first['remote']}"
        self.assertIn(f"fd {first['fds'][0]}  {ends}  CLOSE", text)
        self.assertIn("The kernel has forgotten the connection.", " ".join(text.split()))
        self.assertIn("732 octets sent, 120 octets received", text)
        self.assertIn("the last 12 of 124 calls:", text)
        self.assertIn("= -1 ECONNRESET", text)

    def test_a_connection_that_timed_out_says_how_often_it_retransmitted(self):
        lab.need("nft", "unshare")
        if os.geteuid() != 0:
            self.skipTest("a network namespace takes root")
        with lab.Folder() as folder:
            trace(folder, TIMEOUT, "--abort-on", "ETIMEDOUT", cores=False,
                  before=["unshare", "-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh"])
            path, record = record_in(folder)
            text = " ".join(look(folder, path.name).stdout.split())
        first = record["connections"][0]
        self.assertTrue(first["is_forgotten"])
        self.assertGreaterEqual(first["retransmissions"], 1)
        self.assertEqual(first["unacknowledged"], 10)
        self.assertEqual(first["options"]["TCP_USER_TIMEOUT"], 1_000_000_000)
        self.assertRegex(text, r"it had retransmitted (once|\d+ times in a row) without an ack")
        sent, received = [call["t"] for call in first["calls"] if call["call"] in
                          ("sendto", "recvfrom")]
        self.assertGreaterEqual(received - sent, 1_000_000_000)
        self.assertRegex(text, r"recvfrom\(4, 1 bytes\) failed with ETIMEDOUT after [\d.]+ m?s")

    def test_a_connection_that_was_never_there_is_not_called_forgotten(self):
        with lab.Folder() as folder:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED", cores=False)
            path, record = record_in(folder)
            text = look(folder, path.name).stdout
        first = record["connections"][0]
        self.assertNotIn("was_connected", first)
        self.assertEqual(first["remote"], record["failure"]["remote"])
        self.assertIn("No call has shown that it was ever connected.", " ".join(text.split()))
        self.assertNotIn("forgotten", text)
        self.assertNotIn("unacknowledged", text)  # the SYN

    def test_an_attempt_that_poll_has_named_is_not_called_a_connection(self):
        for program, is_connected in ((ATTEMPT, False), (ATTEMPT.replace("= owner", "= listener"),
                                                         True)):
            with self.subTest(is_connected=is_connected), lab.Folder() as folder:
                trace(folder, program, "--abort-on", "ECONNREFUSED", "--abort-on", "ECONNRESET",
                      cores=False)
                _, record = record_in(folder)
                first = record["connections"][0]
                self.assertEqual(first.get("was_connected", False), is_connected, first)
                self.assertIn(["poll"], [[call["call"]] for call in first["calls"]])

    def test_an_error_that_was_asked_for_too_early_or_too_late_shows_no_connection(self):
        for program, error in ((ASKS_BEFORE, "ECONNREFUSED"), (ASKS_AFTER, "EPIPE")):
            with self.subTest(error=error), lab.Folder() as folder:
                trace(folder, program, "--abort-on", error, cores=False)
                path, record = record_in(folder)
                text = look(folder, path.name).stdout
                self.assertIn("No call has shown", " ".join(text.split()))
                self.assertNotIn("forgotten", text)
                self.assertNotIn("unacknowledged", text)  # the SYN

    def test_a_connection_is_known_though_its_last_calls_do_not_show_it(self):
        with lab.Folder() as folder:
            trace(folder, POLLS_LONG_AGO, "--abort-on", "ECONNRESET", cores=False)
            path, record = record_in(folder)
            text = look(folder, path.name).stdout
        self.assertTrue(record["connections"][0]["was_connected"])
        self.assertIn("The kernel has forgotten the connection", " ".join(text.split()))

    def test_the_command_can_be_pasted_from_a_folder_with_a_blank(self):
        with lab.Folder() as folder:
            inside = folder / "it's a folder"
            inside.mkdir()
            said = trace(inside, REFUSED, "--abort-on", "ECONNREFUSED", cores=False)
            path, _ = record_in(inside)
        command = said.split("its connections and calls: ")[1].splitlines()[0]
        self.assertEqual(shlex.split(command), ["tcplab", "look", str(path)])

    def test_a_stopped_program_has_a_record_too(self):
        with lab.Folder() as folder:
            (folder / "client.py").write_text(REFUSED, encoding="utf-8")
            process = subprocess.Popen([lab.TCPLAB, "trace", "-q", "--stop-on", "ECONNREFUSED",
                                        "--", sys.executable, "client.py"], cwd=folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            line = process.stderr.readline()
            path, record = record_in(folder)
            self.assertRegex(line, rf"process {record['pid']} is stopped at connect: ECONNREFUSED")
            self.assertIn(f"its connections and calls: tcplab look {path}", line)
            self.assertEqual(record["act"], "stopped")
            if shutil.which("gcore"):  # a core file without an end
                subprocess.run(["gcore", str(record["pid"])], cwd=folder, check=True,
                               capture_output=True)
                done = look(folder, f"core.{record['pid']}")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("the program was stopped there", done.stdout)
            os.kill(record["pid"], signal.SIGCONT)
            self.assertEqual(process.communicate(timeout=60)[0], "111\n")

    def test_the_record_of_a_program_with_other_files_is_where_the_trace_is(self):
        if os.geteuid() != 0:
            self.skipTest("a mount namespace takes root")
        with lab.Folder() as folder:
            (folder / "inside").mkdir()
            (folder / "client.py").write_text(REFUSED, encoding="utf-8")
            script = "mount -t tmpfs none inside && cd inside && exec python3 ../client.py"
            done = subprocess.run([lab.TCPLAB, "trace", "-q", "--abort-on", "ECONNREFUSED", "--",
                                   "unshare", "-m", "sh", "-c", script], cwd=folder, text=True,
                                  capture_output=True, check=False, timeout=60,
                                  preexec_fn=forbid_cores)
            path, _ = record_in(folder)
            self.assertIn(f"tcplab look {path}\n", done.stderr)

    def test_a_program_that_handles_the_signal_has_a_record(self):
        with lab.Folder() as folder:
            said = trace(folder, "import signal; signal.signal(signal.SIGABRT, print)\n" + REFUSED,
                         "--abort-on", "ECONNREFUSED")
            path, record = record_in(folder)
            text = look(folder, path.name).stdout
        self.assertIn("tcplab sent SIGABRT to the program there", " ".join(text.split()))
        self.assertIn("but SIGABRT did not end it: it handles or ignores the signal", said)
        self.assertIn(f"its connections and calls: tcplab look {path}", said)
        self.assertEqual(record["failure"]["errno"], "ECONNREFUSED")

    def test_a_record_that_cannot_be_written_does_not_stop_the_abort(self):
        with lab.Folder() as folder:
            (folder / "inside").mkdir()
            program = "import os; os.rmdir(os.getcwd())\n" + REFUSED
            script = f"cd inside && exec {lab.TCPLAB} trace -q --abort-on ECONNREFUSED -- " \
                     f"{sys.executable} -c '{program}'"
            done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True,
                                  check=False, timeout=60)
        self.assertEqual(done.returncode, 128 + signal.SIGABRT, done.stderr)
        self.assertIn("no record of its connections: cannot write", done.stderr)


class Cores(unittest.TestCase):
    """A record beside a core file."""

    @classmethod
    def setUpClass(cls):
        require_core_files()

    def test_look_shows_both(self):
        with lab.Folder() as folder:
            said = trace(folder, RESET, "--abort-on", "ECONNRESET")
            core = core_in(folder)
            self.assertIn(f"its connections and calls: tcplab look {core}", said)
            done = look(folder, core)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"failed with ECONNRESET(?s:.*)thread \d+, ended by "
                                          r"SIGABRT(?s:.*)at fetch(?s:.*)has forgotten")
            self.assertNotIn("A core file has no sockets", done.stdout)
            looked = schemas.checked(look(folder, core, "--json").stdout)
            path, record = record_in(folder)
            self.assertEqual((looked["failure"], looked["record"]), (record, str(path)))
            path.rename(folder / "moved.json")
            self.assertIn("A core file has no sockets", look(folder, core).stdout)
            moved = look(folder, core, "--record", "moved.json")
            self.assertIn("has forgotten", moved.stdout)

    def test_the_record_of_another_process_with_that_number_is_refused(self):
        with lab.Folder() as folder, lab.Folder() as other:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED")
            trace(other, REFUSED, "--abort-on", "ECONNREFUSED")
            path, record = record_in(folder)
            _, another = record_in(other)
            # As if the number had been used again.
            another["pid"], another["own_pid"] = record["pid"], record["own_pid"]
            path.write_text(json.dumps(another), encoding="utf-8")
            core = core_in(folder)
            done = look(folder, core)
            self.assertEqual(done.returncode, 0)
            self.one_line(done, f"{path}: is the record of another process than {core}")
            self.assertIn("A core file has no sockets", done.stdout)
            named = look(folder, core, "--record", path)
            self.assertEqual((named.returncode, named.stdout), (2, ""))
            self.one_line(named, "is the record of another process")
            # The random bytes alone decide if the addresses are not random.
            record["identity"]["random"] = "0" * 16
            path.write_text(json.dumps(record), encoding="utf-8")
            self.one_line(look(folder, core), "is the record of another process")

    def test_a_program_that_another_thread_ends_shows_the_thread_that_failed(self):
        with lab.Folder() as folder:
            trace(folder, ABORTS_LATER, "--abort-on", "ECONNREFUSED")
            _, record = record_in(folder)
            text = look(folder, core_in(folder)).stdout
        failed = record["threads"][0]["tid"]
        self.assertRegex(text, rf"(?s)  thread {failed} python3 was in connect\(.*at <module> .*"
                               r"  thread (?!" + str(failed) + r")\d+, ended by SIGABRT")

    def test_a_file_of_data_in_the_core_is_not_called_foreign(self):
        with lab.Folder() as folder:
            trace(folder, MAPS_DATA + REFUSED, "--abort-on", "ECONNREFUSED")
            done = look(folder, core_in(folder), "--json")
        self.assertNotIn("foreign_files", schemas.checked(done.stdout))

    def test_a_core_file_of_another_machine_shows_the_stacks_of_the_record(self):
        lab.need("cc")
        with lab.Folder() as folder:
            # Two programs that differ in the name of a function.
            for name in ("reach", "other"):
                (folder / "dial.c").write_text(DIAL.replace("NAME", name), encoding="utf-8")
                subprocess.run(["cc", "-g", "-O1", "-o", name, "dial.c"], check=True, cwd=folder)
            program = folder / "client"
            (folder / "reach").rename(program)
            subprocess.run([lab.TCPLAB, "trace", "-q", "--abort-on", "ECONNREFUSED", "--",
                            "./client"], cwd=folder, capture_output=True, check=False, timeout=60,
                           preexec_fn=allow_cores, env=ENVIRONMENT)
            core, (path, _) = core_in(folder), record_in(folder)
            here = look(folder, core).stdout
            self.assertIn("ended by SIGABRT", here)
            self.assertNotIn("the process had", here)
            for change in (lambda: (folder / "other").rename(program), program.unlink):
                change()
                with self.subTest(exists=program.exists()):
                    text = " ".join(look(folder, core).stdout.split())
                    self.assertIn(f"{program} is not the file that the process had", text)
                    self.assertRegex(text, r"at reach \(client, .*dial\.c:\d+\)")
                    self.assertNotIn("at other", text)
                    looked = schemas.checked(look(folder, core, "--json").stdout)
                    self.assertEqual(looked["foreign_files"], [str(program)])
            path.unlink()
            text = " ".join(look(folder, core).stdout.split())
            self.assertIn("Frames there have no names", text)
            self.assertNotIn("at reach", text)

    def test_a_damaged_record_gets_one_line(self):
        with lab.Folder() as folder:
            trace(folder, REFUSED, "--abort-on", "ECONNREFUSED")
            path, record = record_in(folder)
            core, whole = core_in(folder), path.read_text(encoding="utf-8")
            for damage, expected in (
                    (whole[:len(whole) // 2], "it is no JSON, or is cut off"),
                    ("", "it is no JSON, or is cut off"),
                    ("[]", "it is no JSON object"),
                    ("{}", "is no record of tcplab trace --abort-on or --stop-on"),
                    (json.dumps({**record, "version": 2}), "has version 2 of the record"),
                    (json.dumps({**record, "threads": []}), '"threads" is empty'),
                    (json.dumps({**record, "threads": 7}), '"threads" is not a list'),
                    (json.dumps({**record, "failure": 7}), '"failure" is not an event'),
                    (json.dumps({**record, "own_pid": "x"}), '"own_pid" is not a whole number'),
                    (whole.replace('"CLOSE"', '"OPEN"'), '"state" is not a TCP state: OPEN'),
                    (whole.replace('"kind": "call"', '"kind": "note"'), '"failure" is not a call')):
                with self.subTest(expected=expected):
                    path.write_text(damage, encoding="utf-8")
                    done = look(folder, core)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.one_line(done, expected)
                    self.assertIn("ended by SIGABRT", done.stdout)
                    named = look(folder, core, "--record", path)
                    self.assertEqual((named.returncode, named.stdout), (2, ""), named.stderr)
                    self.one_line(named, expected)

    def one_line(self, done, text):
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(text, done.stderr)


class Mistakes(unittest.TestCase):
    def test_a_record_is_for_a_core_file(self):
        done = look("/", "1", "--record", "/nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--record is for a core file", done.stderr)

    def test_a_file_of_another_format(self):
        with lab.Folder() as folder:
            (folder / "core.1.tcplab.json").write_text('{"a": 1}', encoding="utf-8")
            done = look(folder, "core.1.tcplab.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("core.1.tcplab.json: is no record", done.stderr)


if __name__ == "__main__":
    lab.main()
