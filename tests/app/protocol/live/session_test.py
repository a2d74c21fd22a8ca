#!/usr/bin/env python3
"""Drives a lab through tcplab session: verbs, handles, verdicts, events and files."""
import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from sessions import Session, SessionCase


class SessionTest(SessionCase):
    def connected(self, session):
        """Returns client, server, kang and kodos."""
        return session.values("connected")


class Verbs(SessionTest):
    def test_a_power_cycle_is_driven_by_requests_and_judged(self):
        session = self.session("--html", str(self.folder / "pages"), "--title", "From a test",
                               "--name", "from-a-test")
        self.assertEqual(session.hello["version"], 1)
        self.assertEqual(session.hello["folder"], str(self.folder / "run"))
        client, _server, kang, kodos = self.connected(session)
        self.assertEqual((kang["type"], kang["text"]), ("host", "host kang"))
        self.assertEqual(client["session"], session.hello["session"])
        session.values("power_cycle", on=kodos)
        session.values("type", "anybody there?\n", on=client)
        answer = session.expect(client, ("within", 4), ("call", "read"), ("fails", "ECONNRESET"))
        self.assertTrue(answer["ok"], answer)
        [event] = answer["values"]
        self.assertEqual((event["kind"], event["errno"]), ("call", "ECONNRESET"))
        [verdict] = answer["verdicts"]
        self.assertTrue(verdict["passed"])
        self.assertEqual(verdict["code"],
                         'lab:expect(kang_dnc):within(4):call("read"):fails("ECONNRESET")')
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("passed", 0))
        kinds = [event["kind"] for event in session.events()]
        first = session.events()[0]
        self.assertEqual((first["title"], first["scenario"]), ("From a test", "from-a-test"))
        self.assertEqual(kinds[-1], "end")
        for file in ["capture.pcapng", "transcript.txt"]:
            self.assertGreater((self.folder / "run" / file).stat().st_size, 0)
        self.assertIn("From a test", (self.folder / "pages/run.html").read_text())
        self.assertEqual(end["page"], str(self.folder / "pages/run.html"))

    def test_a_failed_expectation_tells_what_a_script_would_and_the_session_goes_on(self):
        session = self.session()
        kang, kodos = session.values("pair")
        client = session.value("dnc", kodos, 8080, on=kang)
        answer = session.expect(client, ("within", 0.2), ("in_state", "TIME_WAIT"))
        self.assertFalse(answer["ok"])
        error = answer["error"]
        self.assertEqual(error["kind"], "expectation")
        self.assertIn("TIME_WAIT", error["expected"])
        self.assertIn("within 200.0 ms", error["message"])
        self.assertIn("seen", error)
        for text in ["SYN", "RST", "kang 10.0.0.1", ":in_state(\"TIME_WAIT\")"]:
            self.assertIn(text, error["text"])
        self.assertFalse(answer["verdicts"][0]["passed"])
        self.assertTrue(
            session.expect(client, ("call", "connect"), ("fails", "ECONNREFUSED"))["ok"])
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("failed", 1))
        self.assertIn("1 expectation of the session failed", end["reason"])
        self.assertEqual((self.folder / "run/failure.txt").read_text(), error["text"])

    def test_values_are_json_and_an_object_keeps_its_handle(self):
        session = self.session("--set", "color=blue")
        kang, kodos = session.values("pair")
        for verb in ["power_off", "power_on", "reboot"]:
            self.assertEqual(session.values(verb, on=kodos), [kodos], verb)
        self.assertEqual(session.value("parameter", "color"), "blue")
        self.assertEqual(session.values("parameter", "none"), [None])
        self.assertEqual(session.ask(field="family")["values"], [4])
        self.assertEqual(session.value("name", on=kang), "kang")
        self.assertEqual(session.value("check", [1, {"a": [True, "x"]}, -0.5], "a claim"),
                         [1, {"a": [True, "x"]}, -0.5])
        text = 'tab\t "quotes" \\ 0:\0 ü \u2028 %s ]] --[['
        self.assertEqual(session.value("check", text, "a claim"), text)
        self.assertEqual(session.value("check", {"1": "a", "2": "b", "x": 3}, "a claim"),
                         {"1": "a", "2": "b", "x": 3})
        self.assertEqual(session.end()[1], 0)

    def test_a_list_with_options_is_an_object_with_numbers_as_keys(self):
        session = self.session()
        _kang, kodos = session.values("pair")
        server = session.value("service", {"1": "dnc", "2": "-l", "3": 8080,
                                           "ready": {"port": 8080}}, on=kodos)
        self.assertEqual(server["type"], "program")
        self.assertEqual(session.end()[1], 0)

    def test_a_handler_calls_verbs_when_its_condition_is_met(self):
        session = self.session()
        client, _server, _kang, kodos = self.connected(session)
        packet = session.value("packet", "kang > kodos", "data")
        session.values("when", packet, {"do": [{"on": kodos, "verb": "power_off"}]})
        session.values("type", "hello\n", on=client)
        answer = session.ask("expect_packet", "kang > kodos", "data", {"fate": "lost"})
        self.assertTrue(answer["ok"], answer)
        offs = [event for event in session.ask(events_after=0)["events"]
                if event["kind"] == "action" and event["verb"] == "power_off"]
        self.assertEqual(len(offs), 1)
        self.assertEqual(session.end()[1], 0)

    def test_a_function_keeps_its_objects_when_their_handles_are_released(self):
        session = self.session()
        client, _server, kang, kodos = self.connected(session)
        packet = session.value("packet", "kang > kodos", "data")
        session.values("when", packet, {"do": [{"on": kodos, "verb": "power_off"},
                                               {"on": kang, "verb": "power_off"}]})
        session.ask(release=[packet["handle"], kodos["handle"], kang["handle"]])
        session.values("type", "hello\n", on=client)
        lab.wait_for(lambda: len([event for event in session.ask(events_after=0)["events"]
                                  if event["kind"] == "action"
                                  and event["verb"] == "power_off"]) == 2)
        self.assertEqual(session.end()[1], 0)

    def test_events_come_if_they_are_asked_for(self):
        session = self.session()
        answer = session.ask("pair", events_after=0)
        self.assertEqual([event["n"] for event in answer["events"]],
                         list(range(1, answer["last_event"] + 1)))
        self.assertEqual([event["host"] for event in answer["events"] if event["kind"] == "host"],
                         ["kang", "kodos"])
        later = session.ask("say", "hello", events_after=answer["last_event"])
        self.assertIn("hello", str(later["events"]))
        self.assertNotIn("events", session.ask("say", "again"))
        self.assertEqual(session.end()[1], 0)

    def test_the_interface_comes_from_the_registry(self):
        session = self.session()
        told = session.ask(interface=True)["values"][0]
        printed = subprocess.run([lab.TCPLAB, "interface"], capture_output=True, check=True)
        self.assertEqual(told, json.loads(printed.stdout))

    def test_requests_in_a_file_are_carried_out_to_the_last(self):
        lines = ['{"id": "a", "verb": "pair"}', "",
                 '{"id": 2, "on": {"handle": 2}, "verb": "address"}', '{"verb": "now"}']
        done = subprocess.run([lab.TCPLAB, "session", "--out", self.folder / "run"],
                              input="\n".join(lines), capture_output=True, text=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([answer.get("id") for answer in answers[1:-1]], ["a", 2, None])
        self.assertEqual(answers[2]["values"], ["10.0.0.2"])
        self.assertEqual(answers[-1]["end"]["outcome"], "passed")


class Ends(SessionTest):
    def test_a_statement_that_checks_nothing_does_not_pass(self):
        session = self.session()
        kang, _kodos = session.values("pair")
        session.values("expect", kang)
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("bad_script", 2))
        self.assertIn("session:2: lab:expect says nothing about kang", end["reason"])

    def test_a_handler_that_never_ran_fails_the_run(self):
        session = self.session()
        _kang, kodos = session.values("pair")
        packet = session.value("packet", "kang > kodos", "RST")
        session.values("when", packet, {"do": [{"on": kodos, "verb": "power_off"}]})
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("failed", 1))

    def test_a_skip_is_told_to_the_request_and_ends_the_run(self):
        session = self.session()
        answer = session.ask("skip", "not today", id=7)
        self.assertEqual(answer, {"id": 7, "ok": False,
                                  "error": {"kind": "skipped", "message": "not today"}})
        end, status = session.end()
        self.assertEqual((end["outcome"], end["reason"], status), ("skipped", "not today", 4))

    def test_a_need_that_is_not_met_skips_the_run_before_its_first_request(self):
        session = self.session("--need", "program no-such-program")
        self.assertEqual(session.hello["end"]["outcome"], "skipped")
        self.assertIn("no-such-program", session.hello["end"]["reason"])
        self.assertEqual(session.process.wait(60), 4)

    def test_a_run_that_passes_a_limit_is_broken(self):
        session = self.session("--limit", "programs=1")
        kang, kodos = session.values("pair")
        session.value("dnc", "-l", 8080, on=kodos)
        answer = session.ask("dnc", kodos, 8080, on=kang)
        self.assertEqual(answer["error"]["kind"], "broken")
        self.assertIn("tcplab session --limit programs", answer["error"]["message"])
        end, status = session.end()
        self.assertEqual((end["outcome"], status), ("broken", 3))
        self.assertIn("programs", session.process.stderr.read())


if __name__ == "__main__":
    lab.main()
