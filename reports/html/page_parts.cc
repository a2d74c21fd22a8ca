#include "reports/html/page_parts.hh"

#include <fmt/format.h>

#include "reports/html/assets.hh"
#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

using capture::Outcome;

std::string_view mark_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "✓";
    case Outcome::failed:
    case Outcome::bad_script:
    case Outcome::broken:
      return "✗";
    case Outcome::skipped:
      return "∅";
  }
  return "";
}

std::string_view word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::bad_script:
      return "the script is wrong";
    case Outcome::broken:
      return "the lab broke";
    case Outcome::skipped:
      return "skipped";
  }
  return "";
}

}  // namespace

std::string page_begin(const std::string& title, std::string_view kind) {
  // The page contains data from programs and the wire, so it may load nothing.
  constexpr std::string_view kPolicy =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
      "img-src data:; base-uri 'none'; form-action 'none'";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body class=\"{}\">\n",
      kPolicy, escaped(title), kReportStyle, kind);
}

std::string page_end(std::string_view script) {
  return fmt::format("<script type=\"module\">\n{}</script>\n</body>\n</html>\n", script);
}

std::string badge(Outcome outcome) {
  const bool is_good = outcome == Outcome::passed || outcome == Outcome::skipped;
  return fmt::format("<span class=\"badge {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
                     is_good ? word_of(outcome) : "failed", mark_of(outcome), word_of(outcome));
}

std::string definition(std::string_view term, std::string_view foreign_text) {
  if (foreign_text.empty()) return "";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", term, escaped(foreign_text));
}

}  // namespace tcplab::html
