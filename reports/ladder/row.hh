// One line of a picture made of character cells: things are put where they belong, later ones over
// earlier ones, and nothing can leave the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/styled_text.hh"

namespace tcplab::reports {

class Row {
public:
  explicit Row(int width) : cells_(std::size_t(width > 0 ? width : 0)) {}

  /// Columns count from 0. What is beyond either edge is cut.
  void put(int column, const StyledText& text);
  void put(int column, std::string_view text, Paint paint = Paint::plain) {
    put(column, StyledText(text, paint));
  }
  /// From column `begin` up to, not including, column `end`.
  void fill(int begin, int end, std::string_view glyph, Paint paint = Paint::plain);

  /// Without the blanks at its end.
  StyledText styled() const;

private:
  struct Cell {
    std::string glyph = " ";  // empty: the right half of a wide character
    Paint paint = Paint::plain;
  };

  int put_glyph(int column, std::string_view glyph, Paint paint);

  std::vector<Cell> cells_;
};

}  // namespace tcplab::reports
