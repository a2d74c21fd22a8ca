#include "reports/html/drawn.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"

namespace tcplab::html {

std::string piece(std::string_view kind, double x, std::string_view markup,
                  std::optional<double> y) {
  return fmt::format("<tspan{} x=\"{}\"{}>{}</tspan>",
                     kind.empty() ? "" : fmt::format(" class=\"{}\"", kind), number(x),
                     y ? fmt::format(" y=\"{}\"", number(*y)) : "", markup);
}

std::string beside(const Lifeline& lane, const reports::StyledText& text, std::optional<double> y) {
  return piece(lane.is_leftward ? "left" : "", lane.outer,
               styled_spans(text.fitted(int(lane.room / kCharacter), reports::Style{})), y);
}

}  // namespace tcplab::html
