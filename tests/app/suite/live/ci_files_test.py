#!/usr/bin/env python3
"""Checks that the files in ci/ are valid YAML, and that their commands, run here for each shard,
start each run once and join the results."""
import json
import os
import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
import lab

try:
    import yaml
except ImportError:
    yaml = None

CI = Path(__file__).resolve().parents[4] / "ci"
SOME_PASS = 'return { title = "t", asks = "?", run = function(lab) end }'
FAILS = 'return { title = "t", asks = "?", run = function(lab) lab:expect_between(300, 1, 2) end }'
SHARDS = 4


@unittest.skipIf(yaml is None, "needs python3-yaml, which is not installed")
class CiFile(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("tcplab", "sudo"):  # tcplab as in a clone, and sudo as on a runner
            self.script(name, f'exec {lab.TCPLAB} "$@"' if name == "tcplab" else 'shift; exec "$@"')
        (self.folder / "toys").mkdir()
        for i in range(6):
            (self.folder / f"toys/toy-{i}.lua").write_text(SOME_PASS)

    def script(self, name, line):
        (self.folder / name).write_text(f"#!/bin/bash\n{line}\n")
        (self.folder / name).chmod(0o755)

    def load(self, name):
        with open(CI / name, encoding="utf-8") as file:
            return list(yaml.safe_load_all(file))

    def sh(self, command, shell=("bash", "-e", "-o", "pipefail"), **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB")}
        clean.update(environment, SCENARIOS="toys", PATH=f"{self.folder}:{os.environ['PATH']}")
        return subprocess.run([*shell, "-c", command], cwd=self.folder, env=clean, timeout=300,
                              capture_output=True, text=True, check=False)

    def passes(self, command, **more):
        done = self.sh(command, **more)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")

    def check_runs(self, results):
        with open(self.folder / results, encoding="utf-8") as file:
            document = json.load(file)
        runs = Counter((one["name"], one["variant"]) for one in document["results"])
        self.assertEqual(len(runs), 12)
        self.assertEqual(set(runs.values()), {1})


class GitHub(CiFile):
    def setUp(self):
        super().setUp()
        (self.workflow,) = self.load("github-actions.yml")
        self.jobs = self.workflow["jobs"]

    def command(self, job, name, shard=0):
        """Returns a step's command and environment, as the CI runner sets them."""
        step = next(step for step in self.jobs[job]["steps"] if step.get("name") == name)
        known = {"matrix.shard": str(shard), "strategy.job-total": str(SHARDS)}
        fill = lambda text: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text)
        return fill(step["run"]), {key: fill(text) for key, text in step.get("env", {}).items()}

    def judge(self):
        return self.sh(self.command("judge", "Join the parts")[0],
                       GITHUB_STEP_SUMMARY=str(self.folder / "summary.md"))

    def test_the_workflow_has_shards_and_a_judge(self):
        self.assertEqual(self.jobs["shard"]["strategy"]["matrix"]["shard"], [1, 2, 3, 4])
        self.assertIn("SCENARIOS", self.workflow["env"])
        self.assertEqual(self.jobs["judge"]["needs"], "shard")
        for job in self.jobs.values():
            for step in job["steps"]:
                self.assertTrue(("uses" in step) != ("run" in step), step)

    def run_shards(self, shards=range(1, SHARDS + 1)):
        for shard in shards:
            command, environment = self.command("shard", "Run a part", shard)
            done = self.sh(command, **environment)
            part = self.folder / f"parts/results-{shard}"  # where a CI job downloads the artifact
            part.mkdir(parents=True)
            (self.folder / f"results-{shard}.json").rename(part / f"results-{shard}.json")
            yield done.returncode

    def test_each_run_appears_once(self):
        self.assertEqual(list(self.run_shards()), [0] * SHARDS)
        self.assertEqual(self.judge().returncode, 0)
        self.check_runs("results.json")
        self.assertIn('tests="12"', (self.folder / "junit.xml").read_text())

    def test_a_failure_fails_its_shard_and_the_merge(self):
        (self.folder / "toys/toy-3.lua").write_text(FAILS)
        self.assertIn(1, list(self.run_shards()))
        self.assertEqual(self.judge().returncode, 1)
        page = (self.folder / "summary.md").read_text()
        self.assertRegex(page, r"toy-3 .* \| failed \|")
        self.assertIn("<details><summary>toy-3", page)
        self.check_runs("results.json")

    def test_a_missing_shard_is_named(self):
        list(self.run_shards((1, 2, 4)))
        done = self.judge()
        self.assertEqual(done.returncode, 3)
        self.assertIn("no file contains shard 3/4", done.stderr)


class Pages(CiFile):
    def setUp(self):
        super().setUp()
        (self.workflow,) = self.load("github-pages.yml")
        self.steps = self.workflow["jobs"]["publish"]["steps"]

    def make_site(self):
        (step,) = [step for step in self.steps if "run" in step]
        return self.sh(step["run"])

    def published(self):
        (step,) = [step for step in self.steps
                   if "upload-pages-artifact" in step.get("uses", "")]
        return self.folder / step["with"]["path"]

    def test_the_site_that_is_made_is_the_one_that_is_published(self):
        done = self.make_site()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.published() / "index.html").is_file())
        self.assertEqual(len(list((self.published() / "scenarios").glob("toy-*.html"))), 12)

    def test_a_failure_stops_the_job_before_it_publishes(self):
        (self.folder / "toys/toy-3.lua").write_text(FAILS)
        self.assertEqual(self.make_site().returncode, 1)
        uses = [step.get("uses", "").split("@")[0] for step in self.steps]
        self.assertLess([bool(step.get("run")) for step in self.steps].index(True),
                        uses.index("actions/deploy-pages"))

    def test_the_job_may_publish(self):
        self.assertEqual(self.workflow["permissions"],
                         {"contents": "read", "pages": "write", "id-token": "write"})


class AuditOfAPair(CiFile):
    def test_the_job_writes_what_it_shows_and_uploads(self):
        (workflow,) = self.load("github-audit.yml")
        steps = workflow["jobs"]["audit"]["steps"]
        (self.folder / "audit.lua").write_text("""
return include "tcplab/audit/audit.lib.lua" {
  server = { "python3", "-m", "http.server", "8000" }, port = 8000,
  client = { "python3", "-c", "import sys, urllib.request as u; u.urlopen(sys.argv[1]).read()",
    "http://SERVER:8000/toys/" },
  failures = { "reset" }, moments = { "waiting" },
}
""")
        audit, show = [step["run"] for step in steps if "run" in step]
        done = self.sh(audit, AUDIT=workflow["env"]["AUDIT"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.passes(show, GITHUB_STEP_SUMMARY="summary.md")
        self.assertIn("RST", (self.folder / "summary.md").read_text())
        for name in steps[-1]["with"]["path"].split():
            self.assertTrue((self.folder / name).exists(), name)


class GitLab(CiFile):
    def test_each_run_appears_once(self):
        (document,) = self.load("gitlab-ci.yml")
        self.assertEqual(document["scenarios"]["parallel"], SHARDS)
        self.assertEqual([document[job]["stage"] for job in ("scenarios", "judge")],
                         document["stages"])
        for shard in range(1, SHARDS + 1):
            for command in document["scenarios"]["script"]:
                self.passes(command, CI_NODE_INDEX=str(shard), CI_NODE_TOTAL=str(SHARDS))
        for command in document["judge"]["script"]:
            self.passes(command)
        self.check_runs("results.json")


class Kubernetes(CiFile):
    def setUp(self):
        super().setUp()
        documents = self.load("kubernetes-indexed-job.yaml")
        self.jobs = {one["metadata"]["name"]: one for one in documents if one["kind"] == "Job"}
        (self.folder / "results").mkdir()

    def pod(self, job, **environment):
        """Returns the container's command, with its volume in a local folder."""
        container = self.jobs[job]["spec"]["template"]["spec"]["containers"][0]
        for variable in container.get("env", []):
            environment.setdefault(variable["name"], variable["value"])
        (mount,) = container["volumeMounts"]
        command = container["args"][0].replace(mount["mountPath"], str(self.folder / "results"))
        return self.sh(command.replace("/tmp/runs", str(self.folder / "runs")), shell=("sh",),
                       **environment)

    def test_the_job_has_one_index_for_each_shard(self):
        run = self.jobs["tcplab-run"]["spec"]
        self.assertEqual(run["completionMode"], "Indexed")
        (shards,) = [one["value"] for one in run["template"]["spec"]["containers"][0]["env"]
                     if one["name"] == "SHARDS"]
        self.assertEqual(int(shards), run["completions"])

    def test_each_run_appears_once(self):
        for index in range(SHARDS):
            done = self.pod("tcplab-run", JOB_COMPLETION_INDEX=str(index))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.pod("tcplab-judge")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_runs("results/all.json")

    def test_a_failure_fails_the_merge_and_a_broken_command_fails_its_pod(self):
        (self.folder / "toys/toy-3.lua").write_text(FAILS)
        for index in range(SHARDS):
            self.assertEqual(self.pod("tcplab-run", JOB_COMPLETION_INDEX=str(index)).returncode, 0)
        self.assertEqual(self.pod("tcplab-judge").returncode, 1)
        self.assertEqual(self.pod("tcplab-run", JOB_COMPLETION_INDEX="9").returncode, 1)


if __name__ == "__main__":
    lab.main()
