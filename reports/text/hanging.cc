#include "reports/text/hanging.hh"

#include <algorithm>
#include <ostream>
#include <string>

#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kNarrowest = 20;

}  // namespace

void write_hanging(std::ostream& out, std::string_view lead, std::string_view text, Paint paint,
                   const Style& style) {
  std::string left(lead);
  const int margin = columns(left);
  for (const std::string& line : wrap(text, std::max(style.width - margin, kNarrowest))) {
    out << render(StyledText(left, paint).add(line, paint), style) << "\n";
    left.assign(static_cast<std::size_t>(margin), ' ');
  }
}

}  // namespace tcplab::reports
