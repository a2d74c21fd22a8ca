// Text with meaning: pieces that each have a Paint. Colour and the ASCII fallback are applied at
// the very end, by render(), so that nobody else thinks of escapes.
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

  /// Foreign text is welcome: it is made printable.
  StyledText& add(std::string_view text, Paint paint = Paint::plain);
  StyledText& add(const StyledText& other);

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool empty() const { return pieces_.empty(); }
  int columns() const;
  std::string text() const;  // without paint

  /// At most `width` columns, with an ellipsis where something is missing; a quotation at its
  /// end keeps its closing mark.
  StyledText fitted(int width, const Style& style) const;

private:
  std::vector<Piece> pieces_;
};

/// As the style allows: with or without colours, UTF-8 or ASCII. No line feed is added.
std::string render(const StyledText& text, const Style& style);

}  // namespace tcplab::reports
