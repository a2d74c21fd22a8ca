#!/usr/bin/env python3
"""Drives labs with the package in python/."""
import copy
import dataclasses
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import unittest
from unittest import mock

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
sys.path.insert(0, str(SOURCE / "python"))
import lab as live
import tcplab
from tcplab import events, objects

os.environ["TCPLAB"] = str(live.TCPLAB)
# Waits for an hour in a lab, and says when.
WAITS = """
import tcplab
with tcplab.Lab() as lab:
    lab.pair()
    print(lab._session.process.pid, flush=True)
    lab.wait(3600)
"""


class Verbs(unittest.TestCase):
    def test_a_power_off_is_driven_and_judged(self):
        with tcplab.Lab(title="From Python") as lab:
            client, _server, _kang, kodos = lab.connected()
            self.assertIs(kodos.power_off(), kodos)
            client.type("anybody there?\n")
            event = lab.expect(client).within(lab.timer("r2", client) * 1.5 + 5).call("read").fails(
                "ETIMEDOUT")
        self.assertIsInstance(event, events.CallEvent)
        self.assertEqual((event.call, event.errno, event.host), ("read", "ETIMEDOUT", "kang"))

    def test_a_failed_expectation_is_an_exception_with_the_ladder(self):
        with self.assertRaises(tcplab.ExpectationFailed) as caught, tcplab.Lab() as lab:
            kang, kodos = lab.pair()
            client = kang.dnc(kodos, 8080)
            lab.expect(client).within(0.2).in_state("TIME_WAIT")
        error = caught.exception
        self.assertIsInstance(error, AssertionError)
        self.assertIn("TIME_WAIT, within 200.0 ms", error.expected)
        self.assertIn("kang 10.0.0.1", str(error))
        self.assertIn("RST", str(error))

    def test_options_are_keywords_and_parameters_have_names(self):
        with tcplab.Lab(family=6, parameters={"color": "blue"}) as lab:
            kang, kodos = lab.pair(offload=True, sysctls={"net.ipv4.tcp_retries2": 4})
            self.assertEqual((lab.family, lab.parameter("color")), (6, "blue"))
            self.assertEqual(kang.sysctl("net.ipv4.tcp_retries2"), "4")
            server = kodos.service("dnc", "-l", 8080, "-k", ready={"port": 8080})
            client = kang.run("dnc", kodos, 8080, env={"A": "b"}, name="netcat")
            self.assertEqual(repr(client), "<program kang's netcat>")
            lab.expect(client).in_state("ESTABLISHED")
            fault = lab.lose("kang > kodos", "data", count=1)
            client.type("hello\n")
            packet = lab.expect_packet("kang > kodos", "data", fate="lost")
            self.assertEqual((packet.from_, packet.length, packet.fate), ("kang", 6, "lost"))
            fault.remove()
            key, event = lab.first(printed=server.prints("hello"), left=client.exits(), within=10)
            self.assertEqual((key, event.kind), ("printed", "program"))
            self.assertEqual(lab.first(client.exits(), within=0.01), (None, None))
            client.type("again\n")
            self.assertEqual(lab.await_(server, 60).prints("again").text, "again\n")
            self.assertIsNone(lab.await_(server, 0.01).prints("never"))
            client.stop(only="main")
            lab.expect(client).ends()
            self.assertIsInstance(lab.connection(server).local_port, int)

    def test_networks_lists_and_values(self):
        with tcplab.Lab() as lab:
            hosts = lab.hosts(["kang"])
            self.assertEqual(hosts, (hosts[0],))
            self.assertEqual(hosts[0].name(), "kang")
            self.assertEqual(lab.check({"a": [1, None]}, "a claim", None), {"a": [1]})
            self.assertIsNone(lab.wait(0.01))
        with tcplab.Lab() as lab:
            made = lab.network(links={"east": {}, "west": {}},
                               hosts={"kang": ["east"], "burns": ["east", "west"],
                                      "kodos": ["west"]})
            self.assertEqual(sorted(made), ["burns", "kang", "kodos"])
            self.assertIsInstance(made["kodos"], objects.Host)

    def test_a_handler_is_a_verb(self):
        with tcplab.Lab() as lab:
            client, _server, _kang, kodos = lab.connected()
            lab.when(lab.packet("kang > kodos", "data"), kodos.power_off)
            lab.when(client.notices(), [functools.partial(lab.say, "noticed")], optional=True)
            client.type("hello\n")
            lab.expect_packet("kang > kodos", "data", fate="lost")
            self.assertEqual(len(lab.events("action", verb="power_off")), 1)
            condition = client.exits()
            with self.assertRaisesRegex(tcplab.UsageError, "functools.partial"):
                lab.when(condition, lambda event: None, optional=True)
            lab.first(condition, within=0.01)

    def test_events_are_dataclasses_with_times_in_seconds(self):
        with tcplab.Lab() as lab:
            lab.connected()
            first = lab.events()[0]
            self.assertEqual((first.kind, first.n, first.t), ("run", 1, 0.0))
            states = lab.events("state", host="kang", to="ESTABLISHED")
            self.assertEqual(len(states), 1)
            self.assertTrue(0 < states[0].t < 60)
            for event in lab.events():
                known = {each.name.rstrip("_") for each in dataclasses.fields(event)}
                self.assertLessEqual(set(event.raw) - {"kind"}, known, event.kind)
            packets = lab.events("packet")
            self.assertTrue(all(each.sent <= each.delivered for each in packets))
            count = len(lab.events())
            lab.say("more")
            self.assertEqual(lab.events()[-1].n, len(lab.events()))
            self.assertGreater(len(lab.events()), count)

    def test_objects_in_events_are_as_in_the_file(self):
        with tcplab.Lab() as lab:
            kang, _kodos = lab.pair()
            client = kang.run("cat")
            client.inject("write", delay=0.5, optional=True)
            [action] = lab.events("action", verb="inject")
        self.assertEqual(action.injection["delay"], 500_000_000)
        self.assertEqual(action.raw["injection"], action.injection)

    def test_a_closed_lab_has_all_its_events(self):
        with live.Folder() as folder, tcplab.Lab(out=folder / "run") as kept, \
                tcplab.Lab() as lab, tcplab.Lab(out=folder / "deleted") as deleted:
            for each in [lab, kept, deleted]:
                each.connected()
                each.say("the last one that is fetched")
                each.events()
                each.say("not fetched")
                each.close()
            lines = (folder / "run/events.jsonl").read_text().splitlines()
            shutil.rmtree(deleted.folder)
            with self.assertRaisesRegex(tcplab.LabBroken, "events.jsonl is not there"):
                deleted.events()
            self.assertEqual([event.raw for event in kept.events()], list(map(json.loads, lines)))
        for each in [lab, kept]:
            self.assertEqual([event.n for event in each.events()],
                             list(range(1, len(each.events()) + 1)))
            self.assertEqual(len(each.events("note", text="not fetched")), 1)
            self.assertEqual(each.events("end")[0].outcome, "passed")

    def test_a_lab_whose_run_has_ended_has_all_its_events(self):
        with tcplab.Lab() as lab:
            with self.assertRaises(tcplab.Skipped):
                lab.skip("not today")
            self.assertEqual(lab.events("end")[0].reason, "not today")

    def test_objects_that_are_not_needed_are_released(self):
        with tcplab.Lab() as lab:
            kang, _kodos = lab.pair()
            number = None
            for _ in range(5):
                subject = lab.expect(kang)
                number = subject._handle["handle"]
                subject.has_no_connection()
            del subject
            lab.now()
            with self.assertRaisesRegex(tcplab.RequestError, "was released"):
                lab._session.request(on={"handle": number}, verb="within", args=[1])

    def test_an_object_whose_copy_is_not_needed_is_kept(self):
        with tcplab.Lab() as lab:
            kang, _kodos = lab.pair()
            copy.copy(kang)
            self.assertEqual(kang.name(), "kang")
            self.assertEqual(kang.name(), "kang")

    def test_an_object_that_comes_again_while_the_last_one_is_deleted_is_kept(self):
        with tcplab.Lab() as lab:
            hosts = list(lab.pair())
            handle, request = hosts[0].as_argument(), lab._session.request

            def answered(**members):
                answer = request(**members)
                hosts.clear()  # as another thread may do
                return answer
            with mock.patch.object(lab._session, "request", answered):
                [kang] = lab.check([handle], "there is a host")
            self.assertEqual(kang.name(), "kang")

    def test_threads_may_share_a_lab(self):
        with tcplab.Lab() as lab:
            lab.pair()
            times = []
            threads = [threading.Thread(target=lambda: times.extend(lab.now() for _ in range(50)))
                       for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(len(times), 200)

    def test_threads_that_ask_for_events_get_each_once(self):
        with tcplab.Lab() as lab:
            lab.connected()
            begin = threading.Barrier(4)

            def ask():
                begin.wait()
                for number in range(20):
                    lab.say(f"note {number}")
                    lab.events()
            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(lab.events("note")), 80)
            self.assertEqual([event.n for event in lab.events()],
                             list(range(1, len(lab.events()) + 1)))


class Mistakes(unittest.TestCase):
    def test_each_is_a_clear_exception(self):
        with tcplab.Lab() as lab, tcplab.Lab() as other:
            kang, _kodos = lab.pair()
            with self.assertRaisesRegex(AttributeError, "'power_of'; did you mean power_o"):
                kang.power_of()
            with self.assertRaisesRegex(tcplab.UsageError, "must be a number"):
                lab.wait("long")
            with self.assertRaisesRegex(tcplab.UsageError, "no option `offlaod`"):
                other.pair(offlaod=True)
            with self.assertRaisesRegex(TypeError, "host.name has no option `x`"):
                kang.name(x=1)
            with self.assertRaisesRegex(tcplab.UsageError, "type object"):
                lab.say(object())
            with self.assertRaisesRegex(tcplab.UsageError, "kind 'pakcet'; did you mean packet"):
                lab.events("pakcet")
            with self.assertRaisesRegex(tcplab.UsageError, "'call' has no member 'erno'.*errno"):
                lab.events("call", erno="ECONNRESET")
            with self.assertRaisesRegex(tcplab.UsageError, "an event has no member 'hots'.*host"):
                lab.events(hots="kang")
            with self.assertRaisesRegex(tcplab.RequestError, "is of session"):
                other.expect(kang)
            self.assertIn("power_off", dir(kang))
            self.assertIn("Switches the host off", kang.power_off.__doc__)

    def test_what_checks_nothing_does_not_pass(self):
        with self.assertRaisesRegex(tcplab.UsageError, "lab:expect says nothing about kang"):
            with tcplab.Lab() as lab:
                lab.expect(lab.pair()[0])

    def test_a_need_a_limit_and_a_missing_program_have_their_own_exceptions(self):
        with self.assertRaisesRegex(tcplab.Skipped, "no-such-program"):
            tcplab.Lab(needs=["program no-such-program"])
        with self.assertRaisesRegex(tcplab.Skipped, "no-such-program"):
            tcplab.Lab(needs="program no-such-program")
        with self.assertRaisesRegex(tcplab.UsageError, "--kernel|kernel"):
            tcplab.Lab(kernel="9.99")
        with self.assertRaisesRegex(tcplab.LabBroken, "cannot start /no/tcplab"):
            tcplab.Lab(program="/no/tcplab")
        with self.assertRaisesRegex(tcplab.LabBroken, "programs"), \
                tcplab.Lab(limits={"programs": 1}) as lab:
            lab.connected()
        with self.assertRaisesRegex(tcplab.Skipped, "not today"), tcplab.Lab() as lab:
            lab.skip("not today")
        with self.assertRaisesRegex(tcplab.LabBroken, "the lab is closed"):
            lab.now()

    def test_files_stay_only_where_the_caller_wants_them(self):
        with live.Folder() as folder:
            with tcplab.Lab(out=folder / "run", html=folder / "pages") as lab:
                lab.pair()
            self.assertEqual(lab.folder, str(folder / "run"))
            self.assertTrue((folder / "run/events.jsonl").exists())
            self.assertEqual(lab.close()["page"], str(folder / "pages/run.html"))
        with tcplab.Lab() as lab:
            self.assertTrue(pathlib.Path(lab.folder, "events.jsonl").exists())
        self.assertFalse(pathlib.Path(lab.folder).exists())


class Ends(unittest.TestCase):
    def test_an_interrupt_and_a_kill_end_the_run(self):
        for number in [signal.SIGINT, signal.SIGKILL]:
            with self.subTest(signal=number.name):
                script = subprocess.Popen(
                    [sys.executable, "-c", WAITS], stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True,
                    env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
                self.addCleanup(script.stdout.close)
                session = int(script.stdout.readline())
                script.send_signal(number)
                script.wait(60)
                live.wait_for(lambda session=session: not is_running(session))


def is_running(process):
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


if __name__ == "__main__":
    live.main()
