#!/usr/bin/env python3
"""Checks the random delays of --perturb. A run that fails with them has a race that also shows on a
busy machine; the seed is in its message. ./test runs some topics with one seed; ./test --all runs
the whole catalogue with ten (perturb_seeds_test.py)."""
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

SEEDS = range(1, 21)


class Perturb(unittest.TestCase):
    def perturbed(self, *options, folder):
        return subprocess.run([lab.TCPLAB, "run", "--out", folder, *options], text=True,
                              capture_output=True, check=False)

    def test_runs_pass_with_the_delays_of_a_seed(self):
        with lab.Folder() as folder:
            done = self.perturbed("puzzlers", "segments", "--perturb=1", folder=folder)
            self.assertEqual(done.returncode, 0, lab.troubles(done.stdout) + done.stderr)

    def test_the_output_says_how_to_repeat_the_delays(self):
        with lab.Folder() as folder:
            done = self.perturbed("power-cycle", "--family", "4", "--perturb", folder=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            seeds = re.findall(r"^Random delays; to repeat them: --perturb=(\d+)$", done.stdout,
                               re.M)
            self.assertEqual(len(seeds), 2)
            self.assertEqual(len(set(seeds)), 1)

    def test_a_race_fails_with_a_seed_and_again_and_its_repair_passes(self):
        """Without a delay, 0.1 s is mostly enough for the first program. A scenario that waits for
        the program itself passes with every seed."""
        with lab.Folder() as folder:
            failed = [seed for seed in SEEDS if self.run_race("lab:wait(0.1)", seed, folder) == 1]
            self.assertTrue(failed, "no seed found the race")
            self.assertEqual(self.run_race("lab:wait(0.1)", failed[0], folder), 1)
            for seed in SEEDS:
                self.assertEqual(self.run_race("lab:expect(first):exits(0)", seed, folder), 0)

    def run_race(self, wait, seed, folder):
        script = folder / "race.lua"
        script.write_text(f"""return {{
  title = "A race",
  asks = "Is a file there when the next program looks for it?",
  run = function(lab)
    local kang = lab:pair()
    local first = kang:run("touch", "/tmp/file")
    {wait}
    lab:expect(kang:run("ls", "/tmp/file")):exits(0)
  end,
}}
""")
        return self.perturbed(script, "--family", "4", f"--perturb={seed}",
                              folder=folder / "runs").returncode


if __name__ == "__main__":
    lab.main()
