#!/usr/bin/env python3
"""Checks the static site of `tcplab site --from`: its links, its navigation, which folders it
replaces, and that it reads well in narrow windows and without JavaScript."""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import skips
from links import broken_in_pages
from pages import POWER_CYCLE, TCPLAB, BrowsedPages, Pages, lines, read, tcplab
from sites import SOURCE, SiteMaker, made_pages

DOCUMENTS = ["README.html", "documents.html", "coverage.html", "ARCHITECTURE.html",
             "CHANGELOG.html", "bench/README.html", "docs/catalogue.html", "docs/ci.html",
             "docs/comparison.html",
             "docs/dnc.html", "docs/events.html", "docs/explain.html", "docs/options.html",
             "docs/puzzlers.html", "docs/report.html", "docs/scenarios.html", "docs/shell.html"]
LARGEST_PAGE = 50_000  # bytes, of a run like the article's
NAVIGATION = re.compile(r'<nav class="site".*?</nav>', re.S)


class Content(SiteMaker, Pages):
    def test_each_document_and_each_run_has_a_page(self):
        site = self.made()
        for page in ["index.html", *DOCUMENTS, "scenarios/index.html",
                     "scenarios/power-cycle-ipv4.html", "scenarios/simultaneous-close-ipv4.html",
                     "source/ci/github-actions.yml.html"]:
            self.assertTrue((site / page).is_file(), page)
        self.assertFalse((site / "docs/puzzlers.in.html").exists())
        self.assertFalse((site / "runs").exists())

    def test_every_link_leads_somewhere_in_the_site(self):
        self.assertEqual(broken_in_pages(self.made()), [])

    def test_the_files_of_a_run_are_in_the_site(self):
        site = self.made()
        self.assertEqual((site / "scenarios/power-cycle-ipv4/events.jsonl").read_text(),
                         POWER_CYCLE.read_text())

    def test_a_very_large_file_of_a_run_is_left_out(self):
        self.record_two()
        capture = self.folder / "runs/power-cycle-ipv4/capture.pcapng"
        with open(capture, "wb") as file:
            file.truncate(9 << 20)
        site = self.made()
        self.assertFalse((site / "scenarios/power-cycle-ipv4/capture.pcapng").exists())
        self.assertEqual(broken_in_pages(site), [])

    def test_a_symbolic_link_and_a_fifo_among_the_files_of_a_run_are_left_out(self):
        self.record_two()
        (self.folder / "secret").write_text("not for the public")
        run = self.folder / "runs/power-cycle-ipv4"
        (run / "transcript.txt").symlink_to(self.folder / "secret")
        os.mkfifo(run / "capture.pcapng")
        self.assertEqual(os.listdir(self.made() / "scenarios/power-cycle-ipv4"), ["events.jsonl"])

    def test_every_page_has_the_same_navigation(self):
        site = self.made()
        seen = set()
        for page in site.rglob("*.html"):
            (bar,) = NAVIGATION.findall(page.read_text())
            for address in re.findall(r'href="([^"]*)"', bar):
                self.assertTrue((page.parent / address).is_file(), address)
            seen.add(re.sub(r'<a href="(\.\./)*([^"]*)"[^>]*>', r"<a>", bar))
            self.assertEqual(bar.count("aria-current"), 1, page)
            self.assertEqual((page.parent / re.search('href="([^"]*)"', bar)[1]).resolve(),
                             (site / "index.html").resolve(), page)
        self.assertEqual(len(seen), 1, seen)
        self.assertEqual(seen.pop().count("<a>"), 1 + 5)

    def test_a_scenario_that_a_document_names_is_a_link_to_its_page(self):
        self.record_two()
        done = self.site_of_installation("# T\n\n`simultaneous-close`\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn('<a href="scenarios/simultaneous-close-ipv4.html"><code>simultaneous-close',
                      (self.folder / "site/index.html").read_text())

    def test_an_installation_without_documents_is_named(self):
        self.record_two()
        done = self.site_of_installation(readme="")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"\Atcplab: cannot find tcplab's documents: no README.md in "
                                      r"[^\n]*/share/tcplab/; [^\n]*\n\Z")
        self.assertEqual(sorted(os.listdir(self.folder)), ["installed", "runs"])

    def site_of_installation(self, readme):
        """Runs a tcplab that is installed with one document."""
        share = self.folder / "installed/share/tcplab"
        (share / "scenarios").mkdir(parents=True)
        (share.parents[1] / "bin").mkdir()
        if readme:
            (share / "README.md").write_text(readme)
        program = share.parents[1] / "bin/tcplab"
        shutil.copy(TCPLAB, program)
        return subprocess.run([program, "site", self.folder / "site", "--from",
                               self.folder / "runs"], check=False, capture_output=True,
                              text=True, timeout=300)

    def test_answers_to_puzzlers_are_folded(self):
        page = (self.made() / "docs/puzzlers.html").read_text()
        folded = len(re.findall("^<details>", (SOURCE / "docs/puzzlers.md").read_text(), re.M))
        self.assertGreater(folded, 5)
        self.assertEqual(page.count("<details><summary>"), folded)
        contents = page.count('<details class="contents">')
        self.assertEqual(page.count("</details>"), folded + contents)

    def test_the_coverage_is_that_of_the_runs(self):
        page = (self.made() / "coverage.html").read_text()
        self.assertIn("ESTABLISHED to FIN_WAIT1", page)
        self.assertIn('class="edge seen"', page)

    def test_pages_allow_no_script_but_their_own(self):
        site = self.made()
        policy = re.compile(r'Content-Security-Policy" content="([^"]*)"')
        for page in DOCUMENTS:
            (found,) = policy.findall((site / page).read_text())
            self.assertIn("default-src 'none'", found)
            self.assertNotIn("<script", (site / page).read_text())

    def test_pages_share_one_style_and_one_script_of_each_kind(self):
        site = self.made()
        files = {file.relative_to(site).as_posix() for file in (site / "assets").iterdir()}
        self.assertEqual(len(files), 4, files)
        seen = set()
        for page in made_pages(site):
            text = page.read_text()
            self.assertNotIn("<style", text, page)
            found = re.findall(r'<link rel="stylesheet" href="([^"]*)"', text)
            found += re.findall(r"<script>[^<]*src:'([^']*)'[^<]*</script>", text)
            self.assertEqual(len(found), 1 + text.count("<script>"), page)
            seen |= {os.path.relpath(page.parent / file, site) for file in found}
        self.assertEqual(seen, files)
        for file in files:
            self.assertRegex(file, r"\Aassets/\w+-[0-9a-f]{12}\.(css|js)\Z")

    def test_a_link_to_a_page_has_a_title_and_with_an_address_a_picture(self):
        meta = re.compile(r'<meta (?:name="description" )?property="og:([^"]*)" content="([^"]*)"')
        site = self.made()
        page = site / "scenarios/power-cycle-ipv4.html"
        plain = dict(meta.findall(page.read_text()))
        self.assertEqual(plain["title"], "Power cycle · tcplab")
        self.assertIn("power cycled?", plain["description"])
        self.assertNotIn("image", plain)
        for url in ("https://example.org/lab", "https://example.org/lab/"):
            self.assertEqual(self.site("site", "--url", url).returncode, 0)
            for file in (page, site / "index.html"):
                said = dict(meta.findall(file.read_text()))
                self.assertTrue(said["image"].startswith("https://example.org/lab/docs/"), said)
                picture = site / said["image"].removeprefix("https://example.org/lab/")
                self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")

    def test_the_page_of_a_run_carries_only_what_is_its_own(self):
        page = self.made() / "scenarios/power-cycle-ipv4.html"
        self.assertLess(page.stat().st_size, LARGEST_PAGE)

    def test_text_of_a_run_does_not_become_markup(self):
        events = read(POWER_CYCLE)
        nasty = "a-b\"><img src=x onerror=alert(1)>[x](javascript:alert(1))"
        events[0].update(title=nasty, scenario=nasty, file=f"{nasty}/{nasty}.lua")
        self.record("nasty", lines(events))
        site = self.made()
        for page in site.rglob("*.html"):
            self.assertNotIn("<img src=x", page.read_text(), page.name)
            self.assertNotIn('href="javascript', page.read_text(), page.name)


class Folder(SiteMaker, Pages):
    def refused(self, done, says):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def leftovers(self):
        return [name for name in os.listdir(self.folder) if ".new-" in name]

    def test_an_older_site_is_replaced(self):
        site = self.made()
        (site / "old.html").write_text("of the older site")
        self.made()
        self.assertFalse((site / "old.html").exists())
        self.assertTrue((site / "index.html").exists())
        self.assertEqual(self.leftovers(), [])

    def test_an_empty_folder_becomes_a_site(self):
        (self.folder / "site").mkdir()
        self.made()
        self.assertEqual(self.leftovers(), [])

    def test_another_folder_is_refused_and_stays(self):
        self.record_two()
        (self.folder / "mine").mkdir()
        (self.folder / "mine/thesis.txt").write_text("three years of work")
        self.refused(self.site("mine"), "the folder is not empty, and tcplab site did not make it; "
                                        "name a new folder")
        self.assertEqual(os.listdir(self.folder / "mine"), ["thesis.txt"])
        self.assertEqual(self.leftovers(), [])

    def test_a_file_and_a_symbolic_link_are_refused(self):
        self.record_two()
        (self.folder / "file").write_text("")
        (self.folder / "link").symlink_to(self.made())
        for name in ("file", "link"):
            self.refused(self.site(name), "not a folder; name another place for the site")

    def test_names_of_no_new_folder_are_refused(self):
        self.record_two()
        for name in (".", "..", "/", ""):
            done = tcplab("site", name, "--from", "runs", cwd=self.folder)
            self.refused(done, "name" if name else "DIR")

    def test_a_broken_run_leaves_the_older_site_as_it_is(self):
        site = self.made()
        before = (site / "index.html").stat().st_ino
        self.record("wrong", "this is no event\n")
        done = self.site()
        self.assertEqual(done.returncode, 2)
        self.assertIn("1 of 3 runs cannot be read; the site is not written", done.stderr)
        self.assertEqual((site / "index.html").stat().st_ino, before)
        self.assertEqual(self.leftovers(), [])

    def test_wrong_arguments_are_refused(self):
        self.record_two()
        self.refused(tcplab("site"), "DIR is required")
        self.refused(tcplab("site", "x", "warmup", "--from", "runs", cwd=self.folder),
                     "WHICH cannot be combined with --from")
        self.refused(tcplab("site", "x", "--from", "none", cwd=self.folder), "none: no such run")
        self.refused(tcplab("site", "x", "power-cicle", cwd=self.folder), "power-cicle")
        for url in ("example.org", "https://", "ftp://a.b/", "https://a.b/?c", 'https://a.b/"'):
            self.refused(self.site("site", "--url", url), "is not an address such as https://")
        self.assertEqual(sorted(os.listdir(self.folder)), ["runs"])

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_a_folder_that_cannot_be_made_is_refused(self):
        self.record_two()
        os.chmod(self.folder, 0o755)
        done = tcplab("site", self.folder / "site", "--from", self.folder / "runs", user=65534)
        self.refused(done, "Permission denied (EACCES); name another place for the site")


class Browsed(SiteMaker, BrowsedPages):
    def test_pages_fit_into_a_narrow_window(self):
        self.made()
        self.browser.size(400, 800, mobile=True)
        for page in ["index.html", *DOCUMENTS, "docs/clients-map.html", "scenarios/index.html",
                     "scenarios/power-cycle-ipv4.html"]:
            self.visit(page)
            with self.subTest(page):
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 400)

    def test_pictures_are_shown_from_disk(self):
        self.made()
        self.visit("README.html")
        shown = self.browser.run("[...document.images].map((image) => image.naturalWidth)")
        self.assertGreaterEqual(len(shown), 1)
        self.assertNotIn(0, shown)

    def test_a_document_reads_without_scripts_in_the_dark(self):
        self.made()
        self.browser.scripts(False)
        self.addCleanup(self.browser.dark, False)
        self.browser.dark(True)
        self.visit("docs/scenarios.html")
        self.browser.scripts(True)
        self.assertIn("Your first scenario", self.text("article"))
        background = self.browser.run("getComputedStyle(document.body).backgroundColor")
        self.assertLess(max(map(int, re.findall(r"\d+", background))), 60)

    def test_a_run_is_played_from_disk(self):
        self.made()
        self.visit("scenarios/power-cycle-ipv4.html")
        self.press("End")
        self.assertEqual(self.at(), self.browser.run(
            "[...document.querySelectorAll('.step')].filter((step) => step.id).at(-1).id"))

    def test_the_index_is_filtered_from_disk(self):
        self.made()
        self.visit("scenarios/index.html", "#text=simultaneous")
        self.until('!document.querySelector(".filters").hidden')
        self.assertEqual(self.text(".where"), "1 of 2")

    def test_a_page_of_a_run_runs_no_script_but_the_one_of_the_site(self):
        site = self.made()
        (site / "scenarios/other.js").write_text("window.hacked = true;")
        page = site / "scenarios/power-cycle-ipv4.html"
        text = page.read_text()
        for place, script in (("parsed", '<script src="other.js"></script>'),
                              ("inline", "<script>window.hacked = true;</script>")):
            with self.subTest(place):
                page.write_text(text.replace("<main>", script + "<main>", 1))
                self.visit("scenarios/power-cycle-ipv4.html")
                self.assertIn("violates the following Content Security Policy",
                              " ".join(self.browser.complaints()))
                self.assertIs(self.browser.run("window.hacked || false"), False)
                self.assertEqual(self.browser.run("document.body.dataset.player"), "ready")
        self.browser.events.clear()

    def test_the_table_of_contents_is_beside_the_text_or_above_it(self):
        self.made()
        visible = ("[...document.querySelectorAll('.contents')]"
                   ".map((box) => [box.localName, box.checkVisibility()])")
        self.visit("docs/scenarios.html")
        self.assertEqual(self.browser.run(visible), [["nav", True], ["details", False]])
        self.browser.size(400, 800, mobile=True)
        self.browser.run("new Promise(requestAnimationFrame)")
        self.assertEqual(self.browser.run(visible), [["nav", False], ["details", True]])

    def test_a_click_in_the_navigation_goes_to_the_run(self):
        self.made()
        self.visit("docs/dnc.html")
        for click in ("nav.site a:nth-child(1)", "a[href='scenarios/index.html']",
                      "a[href='./power-cycle-ipv4.html']"):
            self.browser.follow(click)
        self.assertEqual(self.text("h1"), "Power cycle")


if __name__ == "__main__":
    skips.main()
