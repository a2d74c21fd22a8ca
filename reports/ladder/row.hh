// One line of a picture made of character cells. Later texts overwrite earlier ones, and text
// outside the line is cut.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/styled_text.hh"

namespace tcplab::reports {

class Row {
public:
  explicit Row(int width) : cells_(std::size_t(width > 0 ? width : 0)) {}

  /// Puts text at a column, counted from 0.
  void put(int column, const StyledText& text);
  void put(int column, std::string_view text, Paint paint = Paint::plain) {
    put(column, StyledText(text, paint));
  }
  /// Fills the columns from `begin` up to `end`, without `end`.
  void fill(int begin, int end, std::string_view glyph, Paint paint = Paint::plain);

  /// Returns the line without trailing blanks.
  StyledText styled() const;

private:
  struct Cell {
    std::string glyph = " ";  // empty for the right half of a wide character
    Paint paint = Paint::plain;
  };

  int put_glyph(int column, std::string_view glyph, Paint paint);

  std::vector<Cell> cells_;
};

}  // namespace tcplab::reports
