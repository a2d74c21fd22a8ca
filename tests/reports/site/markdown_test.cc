#include "reports/site/markdown.hh"

#include "tests/catch.hh"

namespace tcplab::site {

namespace {

/// Renders with links that stay as they are.
RenderedText plain(const std::string& markdown) {
  return rendered(markdown, {.of_link = [](const std::string& link) { return link; },
                             .of_code = [](const std::string&) { return std::string(); }});
}

}  // namespace

TEST_CASE("headings have the anchors of GitHub") {
  CHECK(anchor_of("Two commands") == "two-commands");
  CHECK(anchor_of("In CI, on one machine and on many") == "in-ci-on-one-machine-and-on-many");
  CHECK(anchor_of("events.jsonl, version 2") == "eventsjsonl-version-2");
  CHECK(anchor_of("`snd_una` and A-B") == "snd_una-and-a-b");
}

TEST_CASE("equal headings have different anchors") {
  const RenderedText text = plain("# One\n\n## The `lab`\n\n## The lab\n");
  REQUIRE(text.headings.size() == 3);
  CHECK(text.headings[1].anchor == "the-lab");
  CHECK(text.headings[2].anchor == "the-lab-1");
  CHECK(text.headings[2].level == 2);
  CHECK(text.html.find("<h2><span id=\"the-lab\">The <code>lab</code></span></h2>") !=
        std::string::npos);
}

TEST_CASE("raw HTML is left out") {
  const RenderedText text =
      plain("# T\n\n<script>alert(1)</script>\n\na <b onclick=\"x\">bold</b> <!-- note --> word\n");
  CHECK(text.html.find("script") == std::string::npos);
  CHECK(text.html.find("onclick") == std::string::npos);
  CHECK(text.html.find("<!--") == std::string::npos);
  CHECK(text.html.find("<p>a bold  word</p>") != std::string::npos);
}

TEST_CASE("a part that is folded on GitHub is folded") {
  const std::string html =
      plain("<details><summary><code>run it</code>, then look</summary>\n\n*text*\n\n</details>\n")
          .html;
  CHECK(html ==
        "<details><summary><code>run it</code>, then look</summary>\n<p><em>text</em></p>\n"
        "</details>\n");
  CHECK(plain("<details onclick=\"x\">\n").html.empty());
  CHECK(plain("<details><script>x</script></details>\n").html.empty());
}

TEST_CASE("an empty <a id> names a place") {
  CHECK(plain("x <a id=\"the-place\"></a>y\n").html ==
        "<p>x <span id=\"the-place\"></span>y</p>\n");
  CHECK(plain("<a id=\"x\" onclick=\"y\"></a>z\n").html == "<p>z</p>\n");
}

TEST_CASE("a link without an address keeps its text") {
  const RenderedText text =
      rendered("[the *file*](gone.md), ![a picture](gone.png) and [this](here.md)\n",
               {.of_link =
                    [](const std::string& link) {
                      return link == "here.md" ? std::string("here.html") : std::string();
                    },
                .of_code = [](const std::string&) { return std::string(); }});
  CHECK(text.html == "<p>the <em>file</em>, a picture and <a href=\"here.html\">this</a></p>\n");
}

TEST_CASE("a link that would run a script leads nowhere") {
  CHECK(plain("[x](javascript:alert(1))\n").html == "<p><a href=\"\">x</a></p>\n");
}

TEST_CASE("code that names a page becomes a link, but not inside a link") {
  const AddressRules rules{
      .of_link = [](const std::string& link) { return link; },
      .of_code = [](const std::string& code) { return code == "a-b" ? "a-b.html" : ""; }};
  CHECK(rendered("`a-b` `c` [`a-b`](x)\n", rules).html ==
        "<p><a href=\"a-b.html\"><code>a-b</code></a> <code>c</code> "
        "<a href=\"x\"><code>a-b</code></a></p>\n");
}

TEST_CASE("tables and code scroll in boxes of their own") {
  const std::string html = plain("| a |\n|---|\n| b |\n\n    code <table>\n").html;
  CHECK(html.find("<div class=\"wide\" tabindex=\"0\"><table>") != std::string::npos);
  CHECK(html.find("<pre tabindex=\"0\"><code>code &lt;table&gt;") != std::string::npos);
}

}  // namespace tcplab::site
