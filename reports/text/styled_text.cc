#include "reports/text/styled_text.hh"

#include <algorithm>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

/// Returns SGR parameters (ECMA-48 8.3.117); empty if none.
std::string_view colour_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::dim:
      return "2";
    case Paint::strong:
      return "1";
    case Paint::state:
      return "1;36";
    case Paint::error:
    case Paint::bad:
      return "1;31";
    case Paint::action:
      return "1;33";
    case Paint::good:
      return "1;32";
    case Paint::note:
      return "35";
  }
  return "";
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

StyledText& StyledText::add(std::string_view text, Paint paint) {
  if (text.empty()) return *this;
  if (!pieces_.empty() && pieces_.back().paint == paint)
    pieces_.back().text += printable(text);
  else
    pieces_.push_back({printable(text), paint});
  return *this;
}

StyledText& StyledText::add(const StyledText& other) {
  for (const Piece& piece : other.pieces_) add(piece.text, piece.paint);
  return *this;
}

int StyledText::columns() const {
  int width = 0;
  for (const Piece& piece : pieces_) width += reports::columns(piece.text);
  return width;
}

std::string StyledText::text() const {
  std::string text;
  for (const Piece& piece : pieces_) text += piece.text;
  return text;
}

StyledText StyledText::fitted(int width, const Style& style) const {
  if (columns() <= width) return *this;
  StyledText cut;
  const bool is_quotation = pieces_.back().text.ends_with('"');
  int room = width - reports::columns(ellipsis(style)) - (is_quotation ? 1 : 0);
  for (const Piece& piece : pieces_) {
    const std::string_view part = first_columns(piece.text, room);
    cut.add(part, piece.paint);
    room -= reports::columns(part);
    if (part.size() == piece.text.size()) continue;
    cut.add(ellipsis(style), piece.paint);
    if (is_quotation) cut.add("\"", piece.paint);
    break;
  }
  return cut;
}

std::string render(const StyledText& text, const Style& style) {
  std::string out;
  for (const Piece& piece : text.pieces()) {
    const std::string_view colour = style.colour ? colour_of(piece.paint) : "";
    if (!colour.empty()) out.append("\x1b[").append(colour).append("m");
    if (style.unicode || is_ascii(piece.text))
      out += piece.text;
    else
      out += to_ascii(piece.text);
    if (!colour.empty()) out += "\x1b[0m";
  }
  return out;
}

}  // namespace tcplab::reports
