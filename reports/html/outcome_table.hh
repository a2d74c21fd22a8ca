// A table of outcomes, each a coloured cell with words in it: of an audit, of two audits, of
// scenarios on several kernels. audit.css has its style.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::html {

struct OutcomeCell {
  std::string_view kind =
      "none";  // "hangs": its class in audit.css without "o-"; "none": no colour
  std::string markup{};
};

struct OutcomeRow {
  std::string heading;               // markup
  std::vector<OutcomeCell> cells{};  // one for each column
};

/// `rows_are`: "failure". The headings of the columns are text.
std::string outcome_table(std::string_view rows_are, const std::vector<std::string>& columns,
                          const std::vector<OutcomeRow>& rows);

/// Returns what a cell begins with: a mark, and the words for the outcome.
std::string outcome_words(std::string_view mark, std::string_view words);

}  // namespace tcplab::html
