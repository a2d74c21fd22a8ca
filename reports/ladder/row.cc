#include "reports/ladder/row.hh"

#include "base/utf8.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

void Row::put(int column, const StyledText& text) {
  for (const Piece& piece : text.pieces()) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::size_t length = base::decode_utf8(rest).length;
      column += put_glyph(column, rest.substr(0, length), piece.paint);
      rest.remove_prefix(length);
    }
  }
}

int Row::put_glyph(int column, std::string_view glyph, Paint paint) {
  const int width = columns(glyph);
  const int last = int(cells_.size());
  if (width == 0 && column > 0 && column <= last) cells_[std::size_t(column) - 1].glyph += glyph;
  if (width == 0 || column < 0 || column + width > last) return width;
  cells_[std::size_t(column)] = {std::string(glyph), paint};
  for (int half = 1; half < width; ++half)
    cells_[std::size_t(column) + std::size_t(half)] = {"", paint};
  return width;
}

void Row::fill(int begin, int end, std::string_view glyph, Paint paint) {
  for (int column = begin; column < end; ++column) put_glyph(column, glyph, paint);
}

StyledText Row::styled() const {
  std::size_t end = cells_.size();
  while (end > 0 && cells_[end - 1].glyph == " ") --end;
  StyledText line;
  for (std::size_t index = 0; index < end; ++index)
    line.add(cells_[index].glyph, cells_[index].paint);
  return line;
}

}  // namespace tcplab::reports
