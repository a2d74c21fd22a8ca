#include "reports/html/page_parts.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"
#include "reports/html/packed.hh"

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

// Two lifelines, and a frame from one to the other (a URL: RFC 2397).
constexpr std::string_view kIcon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath "
    "d='M2 0v16M14 0v16M3 8h9M8 4l4 4-4 4' fill='none' stroke='%232a7' "
    "stroke-width='2'/%3E%3C/svg%3E";

/// What a page says about itself to search engines, and to chats that show a link (Open Graph).
/// These take the title from <title>.
std::string about(const PageHead& head) {
  if (head.description.empty()) return "";
  return fmt::format("<meta name=\"description\" property=\"og:description\" content=\"{}\">\n",
                     escaped(head.description));
}

/// Returns a hash source of a Content Security Policy: 'sha256-...'.
std::string hash_source(const InlineAsset& asset) {
  std::string octets;
  for (std::size_t at = 0; at + 1 < asset.sha256.size(); at += 2)
    octets += static_cast<char>(std::stoi(std::string(asset.sha256.substr(at, 2)), nullptr, 16));
  return "'sha256-" + in_base64(octets) + "'";
}

}  // namespace

// The hash of a newline, which is all that the empty script has.
const InlineAsset kNoScript{"", "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"};

std::string page_begin(const PageHead& head, std::string_view kind, const InlineAsset& script,
                       Pictures pictures) {
  // The page contains data from programs and the wire, so it may load nothing. The style attributes
  // are the picture's sizes.
  const std::string policy = fmt::format(
      "default-src 'none'; style-src {}; style-src-attr 'unsafe-inline'; script-src {}; "
      "img-src data:{}; base-uri 'none'; form-action 'none'",
      hash_source(kReportStyle), hash_source(script),
      pictures == Pictures::beside ? " 'self'" : "");
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"{}\">\n<title>{}</title>\n{}<style>\n{}</style>\n</head>\n"
      "<body class=\"{}\">\n",
      policy, kIcon, escaped(head.title), about(head), kReportStyle.text, kind);
}

std::string page_end(const InlineAsset& script) {
  return fmt::format("<script type=\"module\">\n{}</script>\n</body>\n</html>\n", script.text);
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
