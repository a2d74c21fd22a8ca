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
/// Outside a site, these take the title from <title>.
std::string about(const PageHead& head) {
  std::string out;
  const auto say = [&out](std::string_view names, std::string_view content) {
    if (!content.empty()) out += fmt::format("<meta {} content=\"{}\">\n", names, escaped(content));
  };
  say("name=\"description\" property=\"og:description\"", head.description);
  if (!head.site) return out;
  say("property=\"og:title\"", head.title);
  say("property=\"og:site_name\"", "tcplab");
  if (head.site->picture.empty()) return out;
  say("property=\"og:image\"", head.site->picture);
  say("property=\"og:image:alt\"", "The page of a run: a ladder of packets, and a state diagram");
  say("name=\"twitter:card\"", "summary_large_image");
  return out;
}

/// Returns a hash source of a Content Security Policy: 'sha256-...'.
std::string hash_source(std::string_view sha256) {
  std::string octets;
  for (std::size_t at = 0; at + 1 < sha256.size(); at += 2)
    octets += static_cast<char>(std::stoi(std::string(sha256.substr(at, 2)), nullptr, 16));
  return "'sha256-" + in_base64(octets) + "'";
}

/// The page contains data from programs and the wire, so it may load nothing. The style attributes
/// are the picture's sizes. A page of a site may load styles and pictures from there, and the
/// script that its loader names. The hash of the shared script would not do: a browser checks it
/// only with the attribute `integrity`, and then loads nothing from disk.
std::string policy(const PageHead& head, const Asset& script) {
  const bool is_in_site = head.site.has_value();
  std::string styles = is_in_site ? "'self'" : hash_source(kReportStyle.sha256);
  if (head.style != nullptr) styles += " " + hash_source(head.style->sha256);
  const bool has_loader = is_in_site && !script.loader.empty();
  return fmt::format(
      "default-src 'none'; style-src {}; style-src-attr 'unsafe-inline'; script-src {}; "
      "img-src data:{}; base-uri 'none'; form-action 'none'",
      styles,
      has_loader ? hash_source(script.loader_sha256) + " 'strict-dynamic'"
                 : hash_source(script.sha256),
      is_in_site ? " 'self'" : "");
}

std::string style(const PageHead& head) {
  if (head.site)
    return fmt::format("<link rel=\"stylesheet\" href=\"{}{}\">\n", escaped(head.site->root),
                       kSharedStyleFile);
  std::string out = fmt::format("<style>\n{}</style>\n", kReportStyle.text);
  if (head.style != nullptr) out += fmt::format("<style>\n{}</style>\n", head.style->text);
  return out;
}

/// Returns a file that does what the text does as a module. Browsers load no modules from disk.
std::string shared_script(const Asset& script) {
  return fmt::format("\"use strict\";\n(async () => {{\n{}}})();\n", script.text);
}

}  // namespace

// The hash of a newline, which is all that the empty script has.
const Asset kNoScript{"", "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"};

std::string page_begin(const PageHead& head, std::string_view kind, const Asset& script) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"{}\">\n<title>{}</title>\n{}{}</head>\n<body class=\"{}\">\n{}",
      policy(head, script), kIcon, escaped(head.title), about(head), style(head), kind,
      head.site ? head.site->navigation : "");
}

std::string page_end(const Asset& script, const std::optional<SitePlace>& site) {
  std::string element;
  if (!site)
    element = fmt::format("<script type=\"module\">\n{}</script>\n", script.text);
  else if (!script.loader.empty())
    element = fmt::format("<script>{}</script>\n", script.loader);
  return element + "</body>\n</html>\n";
}

std::vector<SharedFile> shared_files() {
  std::vector<SharedFile> files = {
      {std::string(kSharedStyleFile), std::string(kReportStyle.text) + std::string(kSiteStyle)}};
  for (const Asset* script : {&kReportScript, &kIndexScript, &kFrontScript})
    files.push_back({std::string(script->file), shared_script(*script)});
  return files;
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
