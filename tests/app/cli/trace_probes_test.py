#!/usr/bin/env python3
"""Checks `tcplab trace --probe` and `--probes`: USDT probes of real programs, without root."""
import os
import random
import shutil
import subprocess
import unittest

import lab
import skips
from probe_sources import ABANDONS, GUARDED, LOOKALIKE, ONE_PROBE, THROWING, TWO_PLACES
from traced import events, python, trace

SOURCE = lab.SCRIPTS.parent / "support" / "probed.c"


def build(folder, name, *options, source=None, compiler="cc", language="c"):
    """Compiles a program, and returns its path."""
    path = folder / name
    if source is not None:
        (folder / f"{name}.{language}").write_text(source, encoding="ascii")
    code = SOURCE if source is None else folder / f"{name}.{language}"
    subprocess.run([compiler, "-O1", "-o", path, code, *options, "-pthread", "-ldl"], check=True,
                   capture_output=True)
    return path


def probes(found):
    return [event for event in found if event["kind"] == "probe"]


def names(found):
    return [f"{event['provider']}:{event['name']}" for event in probes(found)]


def numbers(found):
    """The first argument of each probe."""
    return [event["args"][0]["value"] for event in probes(found)]


def listed(program):
    done = subprocess.run([lab.TCPLAB, "trace", "--probes", program], capture_output=True,
                          text=True, errors="replace", check=False, timeout=60)
    return done.stdout, done.stderr, done.returncode


@unittest.skipUnless(os.uname().machine == "x86_64", "probes are seen on x86-64 only")
class Probes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = lab.Path(folder.name)
        header = subprocess.run(["cc", "-E", "-x", "c", "-"], input="#include <sys/sdt.h>",
                                capture_output=True, text=True, check=False)
        if header.returncode != 0:
            raise unittest.SkipTest("no sys/sdt.h (package systemtap-sdt-dev)")
        cls.program = build(cls.folder, "probed")
        cls.library = build(cls.folder, "loaded.so", "-DIN_LIBRARY", "-shared", "-fPIC")

    def traced(self, *words, probe="own:*", program=None):
        found, done = events([program or self.program, *words], "--probe", probe)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        return found, done

    def test_arguments_of_each_size_sign_and_place(self):
        wanted = [-100, 200, -30000, 60000, -7, 4000000000, -2 ** 63, 2 ** 64 - 1, -5, -11, 5, 200]
        for name, options in (("pie", ()), ("fixed", ("-no-pie",)), ("slow", ("-O0",)),
                              ("static", ("-static-pie", "-Wl,-z,noseparate-code"))):
            with self.subTest(name):
                program = build(self.folder, name, *options)
                found, _ = self.traced("numbers", program=program)
                self.assertEqual(names(found), ["own:numbers"])
                self.assertEqual([each["value"] for each in probes(found)[0]["args"]], wanted)

    def test_text_is_read_where_it_is_plausible(self):
        found, _ = self.traced("texts")
        text, binary, wrong, empty, longest, number = probes(found)[0]["args"]
        self.assertEqual(text["text"], "grüß")
        for argument in (binary, wrong, empty, number):
            self.assertNotIn("text", argument)
        self.assertEqual(longest["text"], "x" * 1024)
        self.assertTrue(longest["cut"])
        self.assertNotIn("cut", text)
        self.assertEqual(number["value"], 5)

    def test_a_line_shows_numbers_and_the_texts_that_were_read(self):
        done = trace([self.program, "texts"], "--probe", "own:texts")
        line = done.stderr.rstrip("\n")
        self.assertRegex(line, r'\] own:texts\(0x\w+ → "grüß", 0x\w+, 0x\w+, 0x\w+, '
                               r'0x\w+ → "x{64}"\.\., 5\)$')
        truss = trace([self.program, "texts"], "--probe", "own:texts", "-f", "truss").stderr
        self.assertRegex(truss, r'(?m)^\d+:\t +\d\.\d{4} own:texts\(0x\w+ → "grüß", ')

    def test_all_threads_stop_and_none_passes_unseen(self):
        found, _ = self.traced("threads")
        of = {}
        for event in probes(found):
            of.setdefault(event["tid"], []).append(event["args"][0]["value"])
        self.assertEqual(sorted(of.values()),
                         [list(range(first, first + 100)) for first in (1000, 2000, 3000, 4000)])

    def test_children_have_the_probes_from_their_first_instruction_on(self):
        found, done = self.traced("children")
        self.assertEqual(done.stdout, "0\n")  # no child was killed by a breakpoint
        self.assertEqual(sorted(numbers(found)), [*range(100, 150), 200, 300])
        of_children = {event["pid"] for event in probes(found)}
        self.assertEqual(len(of_children), 52)

    def test_a_program_after_exec_has_its_own(self):
        found, _ = self.traced("exec")
        self.assertEqual(names(found), ["own:hit", "own:numbers"])

    def test_traps_of_the_program_are_its_own(self):
        found, done = self.traced("trap")
        self.assertEqual(done.stdout, "2\n")
        self.assertEqual(numbers(found), [1, 2, 3])

    def test_a_program_that_blocks_all_signals(self):
        found, done = self.traced("block")
        self.assertEqual(numbers(found), [1, 2])
        self.assertEqual(done.stdout, "kept\n")

    def test_a_library_that_is_loaded_twice_and_its_semaphore(self):
        old = build(self.folder, "old.so", "-DIN_LIBRARY", "-shared", "-fPIC",
                    "-Wl,-z,noseparate-code")  # two segments instead of four
        for library in (self.library, old):
            with self.subTest(library.name):
                found, done = self.traced("load", library, probe="loaded:called")
                self.assertEqual(numbers(found), [0, 1])
                self.assertEqual(done.stdout, "1\n1\n")
                self.assertEqual(done.stderr, "")

    def test_a_semaphore_of_the_program(self):
        program = build(self.folder, "guarded", source=GUARDED)
        found, done = self.traced(probe="own:asked", program=program)
        self.assertEqual(names(found), ["own:asked"])
        self.assertEqual(done.stdout, "1\n")
        _, other = self.traced(probe="own:other", program=program)
        self.assertEqual(other.stdout, "0\n")

    def test_code_that_shares_a_page_of_the_file(self):
        try:
            program = build(self.folder, "lookalike", "-fuse-ld=lld", source=LOOKALIKE)
        except subprocess.CalledProcessError:
            self.skipTest("no lld (package lld)")
        found, done = self.traced(probe="own:hit", program=program)
        self.assertEqual(done.stdout, "abc 0\n")
        self.assertEqual(numbers(found), [1])

    def test_a_semaphore_of_a_library_that_is_gone_changes_nothing(self):
        zeros = self.folder / "zeros"
        zeros.write_bytes(bytes(65536))
        program = build(self.folder, "abandons", source=ABANDONS)
        for data, changed in ((zeros, 0), (self.library, 1)):
            found, done = self.traced(self.library, data, probe="loaded:called", program=program)
            self.assertEqual(names(found), [])
            self.assertEqual(done.stdout, f"{changed}\n", data)

    def test_a_probe_that_is_not_in_the_code(self):
        program = build(self.folder, "outside", source=ONE_PROBE % "outside")
        whole = bytearray(program.read_bytes())
        address = whole.index(b"stapsdt\0") + 8
        for place, why in ((0x20, "the file has no code at its address"),
                           (int.from_bytes(whole[address:address + 8], "little") + 1,
                            "the instruction there is not a nop")):
            with self.subTest(why):
                whole[address:address + 8] = place.to_bytes(8, "little")
                program.write_bytes(whole)
                found, done = events([program], "--probe", "own:*")
                notes = [event["text"] for event in found if event["kind"] == "note"]
                self.assertEqual(done.returncode, 0)
                self.assertIn(f"the probes of {program}: own:outside: {why}", notes[0])
                self.assertEqual(names(found), [])

    def test_a_file_that_is_written_again_has_its_new_probes(self):
        programs = [build(self.folder, name, source=ONE_PROBE % name) for name in ("one1", "two2")]
        place = self.folder / "rewritten"
        steps = "; ".join(f"cat {each} > {place}; chmod +x {place}; touch -d 2026-01-01 {place}; "
                          f"{place}" for each in programs)
        self.assertEqual(programs[0].stat().st_size, programs[1].stat().st_size)
        found, _ = events(["sh", "-c", steps], "--probe", "own:*")
        self.assertEqual(names(found), ["own:one1", "own:two2"])

    def test_only_the_chosen_probes(self):
        found, _ = self.traced("exec", probe="own:num*")
        self.assertEqual(names(found), ["own:numbers"])
        found, _ = events([self.program, "exec"])
        self.assertEqual(names(found), [])
        found, _ = events([self.program, "exec"], "--probe", "own:hit", "--probe", "own:numbers")
        self.assertEqual(names(found), ["own:hit", "own:numbers"])

    def test_a_probe_that_nobody_has(self):
        done = trace([self.program, "exec"], "--probe", "own:numbres")
        self.assertEqual(done.returncode, 0)
        first, last = done.stderr.splitlines()
        self.assertIn(f"{self.program} has no probe own:numbres now, but what it loads or starts "
                      "may have it; did you mean own:numbers? (its probes: tcplab trace --probes "
                      f"{self.program})", first)
        self.assertIn("no program and no library of this trace had a probe own:numbres; did you "
                      "mean own:numbers?", last)

    def test_a_probe_of_a_program_that_is_started(self):
        found, done = events(["sh", "-c", f"{self.program} exec; true"], "--probe", "own:hit")
        self.assertEqual(names(found), ["own:hit"])
        notes = [event["text"] for event in found if event["kind"] == "note"]
        self.assertEqual(len(notes), 1, notes)
        self.assertIn("sh has no probe own:hit now", notes[0])
        self.assertEqual(done.returncode, 0)

    def test_code_of_another_kind_of_processor(self):
        try:
            # Debian has this header for x86-64 only, but it fits.
            program = build(self.folder, "narrow", "-m32", "-idirafter",
                            "/usr/include/x86_64-linux-gnu")
        except subprocess.CalledProcessError:
            self.skipTest("no 32-bit compiler (package gcc-multilib)")
        done = trace([program, "exec"], "--probe", "own:hit")
        self.assertEqual(done.returncode, 0)
        self.assertIn("it is code for another kind of processor", done.stderr)

    def test_probes_go_with_stacks_and_waits(self):
        for options in (("--stack", "any"), ("--waits", "10s"), ("-q",)):
            with self.subTest(options):
                found, _ = events([self.program, "exec"], "--probe", "own:*", *options)
                self.assertEqual(names(found), ["own:hit", "own:numbers"])

    def test_the_list(self):
        text, _, status = listed(self.program)
        self.assertEqual(status, 0)
        self.assertEqual(text.splitlines(), [
            str(self.program), "  own:hit(int32)  2 places" if "2 places" in text else
            "  own:hit(int32)", "  own:numbers(int8, uint8, int16, uint16, int32, uint32, int64, "
            "uint64, int32, int32, uint64, uint8)",
            "  own:texts(uint64, uint64, uint64, uint64, uint64, uint64)"])

    def test_the_list_counts_the_places_of_a_probe(self):
        twice = build(self.folder, "twice", source=TWO_PLACES)
        self.assertEqual(listed(twice)[0].splitlines(), [str(twice), "  own:hit()  2 places"])

    def test_the_list_of_a_program_with_a_library_and_of_a_script(self):
        user = build(self.folder, "user", self.library, "-Wl,-rpath,$ORIGIN",
                     source="int call_library(int); int main(void) { return call_library(1); }")
        text, _, _ = listed(user)
        self.assertEqual(text.splitlines(), [str(self.library), "  loaded:called(int32)"])
        script = self.folder / "script"
        script.write_text(f"#!{self.program} exec\n", encoding="ascii")
        self.assertEqual(listed(script)[0], listed(self.program)[0])

    def test_a_list_without_probes_names_the_file_that_was_looked_at(self):
        true = os.path.realpath(shutil.which("true"))
        self.assertEqual(listed("true")[0].splitlines()[0],
                         f"no USDT probes in {true} or the libraries that it is linked with")
        script = self.folder / "plain"
        script.write_text(f"#!{true}\n", encoding="ascii")
        self.assertEqual(listed(script)[0].splitlines()[0],
                         f"no USDT probes in {true} (the interpreter of {script}) or the "
                         "libraries that it is linked with")

    def test_a_list_goes_with_nothing_else(self):
        for words in (("--", "true"), ("--waits", "10ms"), ("-q",), ("--probe", "own:hit")):
            with self.subTest(words):
                done = subprocess.run(
                    [lab.TCPLAB, "trace", "--probes", self.program, *words], capture_output=True,
                    text=True, check=False, timeout=60)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("--probes lists the probes of a program and runs nothing",
                              done.stderr)

    def test_a_file_with_broken_notes_is_listed_or_refused(self):
        whole = self.program.read_bytes()
        start = whole.index(b"stapsdt\0") - 12
        chance = random.Random(1)
        for number in range(60):
            broken = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                broken[start + chance.randrange(500)] = chance.randrange(256)
            (self.folder / "broken").write_bytes(broken)
            with self.subTest(number):
                self.assertIn(listed(self.folder / "broken")[2], (0, 2))

    def test_what_cannot_be_listed_or_traced(self):
        for name, said in (("/nowhere/prog", "cannot read /nowhere/prog: No such file"),
                           ("/etc/passwd", "neither a program nor a library nor a script"),
                           ("/tmp", "/tmp is not a file")):
            _, errors, status = listed(name)
            self.assertEqual(status, 2, name)
            self.assertIn(said, errors)
        done = trace(["true"], "--probe", "libc")
        self.assertEqual(done.returncode, 2)
        self.assertIn("write a probe as PROVIDER:NAME", done.stderr)
        done = trace(["true"], "--probe", "a:b", "--stop-on", "ECONNRESET")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--probe and --stop-on do not go together", done.stderr)


@unittest.skipUnless(os.uname().machine == "x86_64", "probes are seen on x86-64 only")
class KnownPrograms(unittest.TestCase):
    """Probes of programs that others have built."""

    def test_dnc(self):
        if "dnc:call__return" not in listed(lab.BIN / "dnc")[0]:
            self.skipTest("dnc was built without sys/sdt.h (package systemtap-sdt-dev)")
        found, _ = events([lab.BIN / "dnc", "-n", "127.0.0.1", "1"], "--probe", "dnc:call__*")
        connects = [event for event in probes(found) if event["args"][0].get("text") == "connect"]
        self.assertEqual([event["name"] for event in connects], ["call__entry", "call__return"])
        descriptor, result, error = (each["value"] for each in connects[1]["args"][1:])
        self.assertEqual((descriptor, result, error), (3, -1, 111))

    def test_an_exception_of_cpp(self):
        with lab.Folder() as folder:
            program = build(folder, "thrower", source=THROWING, compiler="c++", language="cc")
            if "libstdcxx:throw" not in listed(program)[0]:
                self.skipTest("this libstdc++ has no probes")
            found, _ = events([program], "--probe", "libstdcxx:*")
        self.assertEqual(names(found), ["libstdcxx:throw", "libstdcxx:catch"])

    def test_functions_of_python(self):
        interpreter = "/usr/bin/python3"  # the system's
        if not os.path.exists(interpreter) or (
                "python:function__return" not in listed(interpreter)[0]):
            self.skipTest("this Python has no probes")
        command = [interpreter, *python("def fetch(): pass\nfetch()")[1:]]
        # Python 3.11 reaches function__entry for few functions: its issue 98894.
        found, _ = events(command, "--probe", "python:function__return")
        fetch = [(event["args"][0]["text"], event["args"][2]["value"])
                 for event in probes(found) if event["args"][1].get("text") == "fetch"]
        self.assertEqual(fetch, [("<string>", 1)])


if __name__ == "__main__":
    skips.main()
