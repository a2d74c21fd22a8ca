"""What the tests of sites share: sites of two recorded runs."""
import os
import pathlib

from pages import HOLDING, POWER_CYCLE, tcplab

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])


def made_pages(site):
    """Returns the pages of a site, without those that the source tree has."""
    return [page for page in sorted(site.rglob("*.html"))
            if not (SOURCE / page.relative_to(site)).is_file()]


class SiteMaker:
    """For a test with a folder: makes sites of two recorded runs."""

    def record_two(self):
        self.record("power-cycle-ipv4", POWER_CYCLE.read_text())
        self.record("simultaneous-close-ipv4", HOLDING.read_text())

    def site(self, name="site", *options):
        return tcplab("site", self.folder / name, "--from", self.folder / "runs", *options)

    def made(self, name="site"):
        if not (self.folder / "runs").exists():
            self.record_two()
        done = self.site(name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"{self.folder / name}/index.html\n")
        return self.folder / name

    def visit(self, page, fragment=""):
        self.open(self.folder / "site" / page, fragment)
