#include "reports/text/prose.hh"

#include <algorithm>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

// The longest heading is "The article saw"; two blanks follow it.
constexpr int kMargin = 17;
constexpr int kNarrow = 60;

}  // namespace

void add_paragraph(std::vector<StyledText>& lines, const std::string& heading,
                   std::string_view text, const Style& style) {
  if (text.empty()) return;
  const bool is_narrow = style.width < kNarrow;
  const int margin = is_narrow ? 2 : kMargin;
  if (is_narrow) lines.emplace_back(heading, Paint::strong);
  bool is_first = !is_narrow;
  for (const std::string& line : wrap(text, std::min(style.width, kWidestProse) - margin)) {
    const std::string left = is_first ? heading : "";
    const int blanks = std::max(1, margin - columns(printable(left)));
    StyledText styled(left, Paint::strong);
    lines.push_back(styled.add(std::string(std::size_t(blanks), ' ')).add(line));
    is_first = false;
  }
}

}  // namespace tcplab::reports
