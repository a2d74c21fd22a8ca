#include "reports/suite/markdown_text.hh"

#include "reports/text/text.hh"

namespace tcplab::reports {

std::string_view github_entity(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '@':
      return "&#64;";
    default:
      return "";
  }
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarks = "\\`*_[]()|~#!$";
  std::string out;
  for (const char letter : printable(text)) {
    if (kMarks.find(letter) != std::string_view::npos) out += '\\';
    const std::string_view named = github_entity(letter);
    if (named.empty())
      out += letter;
    else
      out += named;
  }
  return out;
}

}  // namespace tcplab::reports
