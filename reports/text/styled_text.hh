// Text in pieces, each with a Paint. Only render() adds colours, and replaces what is not ASCII.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/style.hh"

namespace tcplab::reports {

struct Piece {
  std::string text;
  Paint paint = Paint::plain;
};

class StyledText {
public:
  StyledText() = default;
  explicit StyledText(std::string_view text, Paint paint = Paint::plain) { add(text, paint); }

  /// Appends text. Text from outside is allowed: it is made printable.
  StyledText& add(std::string_view text, Paint paint = Paint::plain);
  StyledText& add(const StyledText& other);

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool empty() const { return pieces_.empty(); }
  int columns() const;
  std::string text() const;  // without paint

  /// Cuts the text to `width` columns, with an ellipsis. A quotation at the end keeps its closing
  /// quote.
  StyledText fitted(int width, const Style& style) const;

private:
  std::vector<Piece> pieces_;
};

/// Returns the text with or without colours, in UTF-8 or ASCII, as the style says. Adds no line
/// feed.
std::string render(const StyledText& text, const Style& style);

}  // namespace tcplab::reports
