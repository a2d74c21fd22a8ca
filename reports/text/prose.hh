// Formats explanations: each paragraph beside its heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/styled_text.hh"

namespace tcplab::reports {

// Long lines are hard to read in any window (Bringhurst, 2.1.2: 45 to 75 characters).
inline constexpr int kWidestProse = 96;

/// Adds a heading with its text beside it, or below it in a narrow window. Adds nothing if the text
/// is empty.
void add_paragraph(std::vector<StyledText>& lines, const std::string& heading,
                   std::string_view text, const Style& style);

}  // namespace tcplab::reports
