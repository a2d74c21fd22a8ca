// The markup of a flame graph's table. The graph itself is tested in a browser:
// tests/app/cli/waits_page_test.py.
#include "reports/html/flame.hh"

#include <cerrno>

#include "reports/html/flame_page.hh"
#include "tests/catch.hh"
#include "tests/reports/waits/sample_waits.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using reports::TraceWait;
using reports::WaitSums;
using reports::tests::kStart;
using reports::tests::waited;

namespace {

std::string flame_of(const TraceWait& wait,
                     const html::FlameView& view = {.label = "x", .start = kStart}) {
  WaitSums sums;
  sums.add(wait);
  return html::flame(sums, view);
}

}  // namespace

TEST_CASE("text from outside never becomes markup of a flame graph") {
  TraceWait wait = waited("recvfrom", 1, 10ms);
  wait.process = "<b>\"";
  wait.call.call = "<i>";
  wait.call.stack = {"f<u> (a.py:1)"};
  const std::string markup = flame_of(wait, {.label = "\"<s>", .start = kStart});
  for (const char* tag : {"<b>", "<i>", "<u>", "<s>"}) CHECK_THAT(markup, !Contains(tag));
  CHECK_THAT(markup,
             Contains("&lt;b&gt;&quot; [4711]") && Contains("data-label=\"&quot;&lt;s&gt;"));
}

TEST_CASE("a row of the table has the exact duration, when it began, and the step") {
  TraceWait wait = waited("recvfrom", -ETIMEDOUT, 127ms + 300us + 123us);
  wait.event = 12;
  const std::string markup = flame_of(wait);
  CHECK_THAT(markup, Contains("<td>0.127423 s<td>0.872577 s<td>python3 [4711]<td>recvfrom"));
  CHECK_THAT(markup, Contains("<td class=\"end-error\">ETIMEDOUT") && Contains("2 frames"));
  CHECK_THAT(markup, Contains("All waits, the longest first") && !Contains("#event=12"));
  const std::string linked =
      flame_of(wait, {.label = "x", .start = kStart, .has_threads = false, .has_links = true});
  CHECK_THAT(linked, Contains("<a href=\"#event=12\">0.127423 s</a>") && !Contains("[4711]"));
}

TEST_CASE("the table says how many waits it leaves out") {
  WaitSums sums;
  for (std::size_t i = 0; i <= WaitSums::kListed; ++i) sums.add(waited("recvfrom", 1, 10ms));
  CHECK_THAT(html::flame(sums, {.label = "x", .start = kStart}),
             Contains("The 50 longest of 51 waits"));
}

TEST_CASE("a page without waits says so, and has no graph") {
  const std::string page =
      html::flame_page({}, {.command = "a </script>", .threshold = "10ms", .start = kStart});
  CHECK_THAT(page, Contains("No call on a TCP socket waited for at least 10ms."));
  CHECK_THAT(page, Contains("<code>a &lt;/script&gt;</code>") && !Contains("class=\"flame\""));
}
