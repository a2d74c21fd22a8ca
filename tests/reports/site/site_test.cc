#include "reports/site/site.hh"

#include <regex>

#include "reports/site/front_page.hh"
#include "tests/catch.hh"

namespace tcplab::site {

namespace {

const std::map<std::string, std::string> kTree = {
    {"README.md",
     "# tcplab and dnc\n\nSee [b](docs/b.md#two), [a](docs/a.md), [job](ci/job.yml), "
     "[`.lua`](scenarios/puzzlers/power-cycle.lua), [all](scenarios/puzzlers/), "
     "[coverage](docs/coverage.md), [gone](gone.txt), [out](../out.txt), [web](https://a.b/c), "
     "![ladder](docs/pictures/live.svg) [map](docs/map.html)\n\n`power-cycle` `close`\n"},
    {"docs/a.md", "# First: of two\n\n[b](b.md) and [readme](../README.md#tcplab-and-dnc)\n"},
    {"docs/b.md", "# Second\n\n## Two\n"},
    {"docs/coverage.md", "# Old coverage\n"},
    {"docs/front.md",
     "# Front\n\nIntroduction.\n\n## Door\n\n[a](a.md)\n\n    run\n\n## Map\n\nAll\n"},
    {"docs/puzzlers.md", "# Puzzlers\n"},
    {"docs/clients.md",
     "# Clients\n\n| client | off |\n|---|---|\n| [curl](../ci/job.yml) | ! 9.4 s |\n"},
    {"docs/pictures/live.svg", "<svg/>"},
    {"docs/map.html", "<head>\n</head>\n<body>\n<p>map"},
    {"ci/job.yml", "a: <b>\n"},
};

std::optional<std::string> read(const std::string& path) {
  const auto found = kTree.find(path);
  return found == kTree.end() ? std::nullopt : std::optional(found->second);
}

Site some_site() { return {{"README.md", "docs/a.md", "docs/b.md", "docs/coverage.md"}, read}; }

Site site_with_front() {
  return {{"README.md", "docs/a.md", "docs/b.md", "docs/clients.md", "docs/front.md",
           "docs/puzzlers.md"},
          read};
}

html::IndexEntry run_of(const std::string& name, const std::string& file) {
  html::IndexEntry entry;
  entry.page = name + "-ipv4.html";
  entry.run.scenario = name;
  entry.run.file = file;
  return entry;
}

std::map<std::string, std::string> contents(Site& site) {
  std::map<std::string, std::string> found;
  for (const SiteFile& file : site.files()) found[file.path] = file.content;
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::map<std::string, std::string> with_runs(Site site) {
  site.add_runs({run_of("power-cycle", "/home/x/scenarios/puzzlers/power-cycle.lua"),
                 run_of("close", "/home/x/scenarios/close/close.lua")},
                "## Seen\n\nall\n");
  return contents(site);
}

std::map<std::string, std::string> whole_site() { return with_runs(some_site()); }

/// Returns the labels of the navigation's links in their order; the marked one has a *.
std::string navigation_of(const std::string& page) {
  const std::regex link("<a href=\"[^\"]*\"( aria-current=\"[a-z]*\")?>([^<]*)</a>\n");
  const std::string bar = page.substr(page.find("<nav"), page.find("</nav>") - page.find("<nav"));
  std::string labels;
  for (std::sregex_iterator found(bar.begin(), bar.end(), link), end; found != end; ++found)
    labels += (*found)[2].str() + ((*found)[1].matched ? "* " : " ");
  return labels;
}

}  // namespace

TEST_CASE("a site has a page for each document, and for each file that one links to") {
  std::vector<std::string> paths;
  for (const auto& [path, content] : whole_site())
    if (!path.starts_with("assets/")) paths.push_back(path);
  CHECK(paths == std::vector<std::string>{"coverage.html", "docs/a.html", "docs/b.html",
                                          "docs/map.html", "docs/pictures/live.svg",
                                          "documents.html", "index.html",
                                          "source/ci/job.yml.html"});
}

TEST_CASE("a document's first paragraph says what its page is about") {
  std::map<std::string, std::string> site = whole_site();
  CHECK(has(site["docs/a.html"], "property=\"og:description\" content=\"b and readme\">"));
  CHECK_FALSE(has(site["docs/b.html"], "og:description"));
}

TEST_CASE("a link to a file becomes a link to its page") {
  const std::string index = whole_site()["index.html"];
  CHECK(has(index, "<a href=\"docs/b.html#two\">b</a>"));
  CHECK(has(index, "<a href=\"source/ci/job.yml.html\">job</a>"));
  CHECK(has(index, "<a href=\"scenarios/power-cycle-ipv4.html\"><code>.lua</code></a>"));
  CHECK(has(index, "<a href=\"scenarios/index.html#topic=puzzlers\">all</a>"));
  CHECK(has(index, "<a href=\"coverage.html\">coverage</a>"));
  CHECK(has(index, "<a href=\"https://a.b/c\">web</a>"));
  CHECK(has(index, "<img src=\"docs/pictures/live.svg\" alt=\"ladder\" />"));
  CHECK(has(whole_site()["docs/a.html"], "<a href=\"../index.html#tcplab-and-dnc\">readme</a>"));
}

TEST_CASE("a link to a file that the site does not have is only its text") {
  const std::string index = whole_site()["index.html"];
  CHECK(has(index, ", gone, out, "));
}

TEST_CASE("the name of a scenario is a link, if it cannot be another word") {
  const std::string index = whole_site()["index.html"];
  CHECK(has(index, "<a href=\"scenarios/power-cycle-ipv4.html\"><code>power-cycle</code></a>"));
  CHECK(has(index, " <code>close</code>"));
}

TEST_CASE("the navigation has the site's name and at most five entries") {
  std::map<std::string, std::string> site = with_runs(site_with_front());
  CHECK(navigation_of(site["index.html"]) ==
        "tcplab* Scenarios Puzzlers Clients Coverage Documents ");
  CHECK(navigation_of(site["docs/clients.html"]) ==
        "tcplab Scenarios Puzzlers Clients* Coverage Documents ");
  CHECK(navigation_of(site["docs/a.html"]) ==
        "tcplab Scenarios Puzzlers Clients Coverage Documents* ");
  CHECK(navigation_of(site_with_front().place_of_runs().navigation) ==
        "tcplab Scenarios* Puzzlers Clients Coverage Documents ");
  CHECK(has(site["source/ci/job.yml.html"], "<a href=\"../../index.html\">tcplab</a>"));
}

TEST_CASE("a document that the tree does not have is not in the navigation") {
  CHECK(navigation_of(whole_site()["docs/a.html"]) == "tcplab Scenarios Coverage Documents* ");
}

TEST_CASE("a page of another program gets the navigation and its style") {
  const std::string page = whole_site()["docs/map.html"];
  CHECK(has(page, "<a href=\"../index.html\">tcplab</a>"));
  CHECK(has(page, "nav.site"));
  CHECK(page.find("</nav>") < page.find("<p>map"));
}

TEST_CASE("the front page has a door for each section with a command, and the heat map") {
  std::map<std::string, std::string> site = with_runs(site_with_front());
  const std::string front = site["index.html"];
  CHECK(has(front,
            "<section class=\"door\">\n<h2><span id=\"door\">Door</span></h2>\n"
            "<p><a href=\"docs/a.html\">a</a></p>"));
  CHECK(has(front,
            "<th scope=\"row\"><a href=\"source/ci/job.yml.html\">curl</a></th>"
            "<td class=\"t2\">! 9.4 s</td>"));
  CHECK(front.find("id=\"map\"") < front.find("class=\"heat\""));
  CHECK(has(front, "href=\"scenarios/index.html\""));
  CHECK(has(site["README.html"], "tcplab and dnc"));
}

TEST_CASE("the list of documents has their first paragraphs") {
  CHECK(has(whole_site()["documents.html"],
            "<a href=\"docs/a.html\">First</a></dt><dd>b and readme</dd>"));
}

TEST_CASE("the colour of a client's cell is that of its time") {
  CHECK(heat_of("! < 1 ms") == "t0");
  CHECK(heat_of("! 99 ms") == "t0");
  CHECK(heat_of("! 100 ms") == "t1");
  CHECK(heat_of("✓ 1 s") == "t2");
  CHECK(heat_of("✗ 59 s") == "t3");
  CHECK(heat_of("! 15 min 39 s") == "t4");
  CHECK(heat_of("! 2 h 12 min") == "t4");
  CHECK(heat_of("! 2 h") == "t4");
  CHECK(heat_of("∞") == "hangs");
  CHECK(heat_of("=") == "calm");
  CHECK(heat_of("-").empty());
  CHECK(heat_of("").empty());
}

TEST_CASE("the page of the coverage shows the site's own runs") {
  const std::string page = whole_site()["coverage.html"];
  CHECK(has(page, "id=\"coverage\""));
  CHECK(has(page, "id=\"seen\""));
  CHECK(has(page, "<svg"));
  CHECK_FALSE(has(page, "Old coverage"));
}

TEST_CASE("the text of a file is escaped") {
  CHECK(has(whole_site()["source/ci/job.yml.html"], "a: &lt;b&gt;"));
}

TEST_CASE("an address between pages is relative and encoded") {
  CHECK(address_between("index.html", "docs/a.html") == "docs/a.html");
  CHECK(address_between("docs/a.html", "docs/b.html#two") == "b.html#two");
  CHECK(address_between("docs/a.html", "index.html") == "../index.html");
  CHECK(address_between("a/b/c.html", "d/x y:z.html") == "../../d/x%20y%3Az.html");
}

TEST_CASE("a link names a file only within the source tree") {
  CHECK(linked_file("docs/a.md", "../ci/x.yml#line") == "ci/x.yml");
  CHECK(linked_file("README.md", "scenarios/puzzlers/") == "scenarios/puzzlers");
  CHECK(linked_file("docs/a.md", "../../etc/passwd").empty());
  CHECK(linked_file("docs/a.md", "/etc/passwd").empty());
  CHECK(linked_file("docs/a.md", "https://x.y/docs/a.md").empty());
  CHECK(linked_file("docs/a.md", "//x.y/docs/a.md").empty());
  CHECK(linked_file("docs/a.md", "#place").empty());
}

}  // namespace tcplab::site
