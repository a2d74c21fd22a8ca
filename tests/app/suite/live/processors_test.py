#!/usr/bin/env python3
"""Commands that run at the same time, each with one run, share the processors of the machine."""
import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import lab

COMMANDS = 16  # enough that all of them are on one processor only if each takes the same


class Processors(unittest.TestCase):
    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "this machine has one processor")
    def test_runs_of_different_commands_use_different_processors(self):
        with lab.Folder() as folder:
            script = folder / "processor.lua"
            script.write_text("""return {
  title = "The processor of a run",
  asks = "Where do the programs of a run run?",
  run = function(lab)
    local kang = lab:pair()
    lab:expect(kang:run("grep", "Cpus_allowed_list", "/proc/self/status")):exits(0)
  end,
}
""")
            folders = [folder / str(number) for number in range(COMMANDS)]
            for each in folders:
                each.mkdir()
            with ThreadPoolExecutor(COMMANDS) as pool:
                runs = list(pool.map(lambda out: lab.Run(script, out), folders))
            processors = []
            for run in runs:
                self.assertEqual(run.status, 0, run.said())
                processors += [event["text"].split()[-1] for event in run.events("program")
                               if event["change"] == "wrote"]
        self.assertEqual(len(processors), COMMANDS)
        self.assertTrue(all(processor.isdigit() for processor in processors), processors)
        self.assertGreater(len(set(processors)), 1, "all runs use the same processor")


if __name__ == "__main__":
    lab.main()
