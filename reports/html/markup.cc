#include "reports/html/markup.hh"

#include <cmath>
#include <fmt/format.h>

#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

using reports::Paint;

std::string_view class_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::dim:
      return "dim";
    case Paint::strong:
      return "strong";
    case Paint::state:
      return "state";
    case Paint::error:
      return "error";
    case Paint::action:
      return "action";
    case Paint::good:
      return "good";
    case Paint::bad:
      return "bad";
    case Paint::note:
      return "note";
  }
  return "";
}

}  // namespace

std::string escaped(std::string_view foreign) {
  std::string out;
  for (const char c : reports::printable(foreign)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string link_to(std::string_view file_name) {
  constexpr std::string_view kUnreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out = "./";
  for (const char c : file_name) {
    if (kUnreserved.find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string number(double value) {
  const double rounded = std::round(value * 10) / 10;
  return fmt::format("{:g}", rounded == 0 ? 0.0 : rounded);
}

std::string styled_spans(const reports::StyledText& text) {
  std::string out;
  for (const reports::Piece& piece : text.pieces()) {
    const std::string_view name = class_of(piece.paint);
    if (name.empty())
      out += escaped(piece.text);
    else
      out += fmt::format("<tspan class=\"{}\">{}</tspan>", name, escaped(piece.text));
  }
  return out;
}

}  // namespace tcplab::html
