#include "reports/html/flame_page.hh"

#include <fmt/format.h>

#include "reports/html/flame.hh"
#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"
#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

std::string summary(const reports::WaitSums& sums, const FlamePage& page) {
  if (sums.count() == 0)
    return fmt::format("No call on a TCP socket waited for at least {}.", escaped(page.threshold));
  return fmt::format("{:.6f} s in {} of at least {}", base::in_seconds(sums.time()),
                     reports::counted(sums.count(), "wait"), escaped(page.threshold));
}

}  // namespace

std::string flame_page(const reports::WaitSums& sums, const FlamePage& page) {
  const std::string command = reports::one_line(page.command);
  std::string out =
      page_begin({"Waits of " + command + " · tcplab"}, "waits", kFlameScript) +
      "<main>\n<header>\n<h1>Where a program waits for TCP</h1>\n" +
      fmt::format(
          "<p class=\"asks\"><code>{}</code></p>\n<p class=\"outcome\">{}</p>\n"
          "<p class=\"conditions\">Traced for {}.</p>\n</header>\n",
          escaped(command), summary(sums, page), escaped(base::describe(page.traced)));
  if (sums.count() != 0)
    out += flame(sums, {.label = "Time waited in calls on TCP sockets", .start = page.start});
  return out + "</main>\n" + page_end(kFlameScript);
}

}  // namespace tcplab::html
