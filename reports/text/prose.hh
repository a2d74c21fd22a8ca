// Explanations for people: headings in the margin, and beside each its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/styled_text.hh"

namespace tcplab::reports {

// Long lines are hard to read, however wide the window (Bringhurst, 2.1.2: 45 to 75 characters).
inline constexpr int kWidestProse = 96;

/// A heading in the margin with prose beside it; above it where there is no room. Nothing for an
/// empty text.
void add_paragraph(std::vector<StyledText>& lines, const std::string& heading,
                   std::string_view text, const Style& style);

}  // namespace tcplab::reports
