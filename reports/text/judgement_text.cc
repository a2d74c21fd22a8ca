#include "reports/text/judgement_text.hh"

#include <fmt/format.h>

#include "base/split.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kIndent = 2;

void add_wrapped(std::vector<StyledText>& lines, std::string_view text, int width, Paint paint) {
  for (const std::string& line : wrap(text, width - kIndent))
    lines.push_back(StyledText(std::string(kIndent, ' ')).add(line, paint));
}

std::string seen_text(const capture::Verdict& verdict) {
  if (verdict.seen.empty()) return verdict.passed ? "" : "nothing that matches";
  return verdict.seen;
}

void add_field(std::vector<StyledText>& lines, std::string_view name, std::string_view text,
               int width, Paint paint) {
  constexpr int kRightMargin = 12;
  if (text.empty()) return;
  bool is_first = true;
  for (const std::string& line : wrap(text, width - kRightMargin)) {
    StyledText styled(fmt::format("  {:<10}", is_first ? name : ""), Paint::strong);
    lines.push_back(styled.add(line, paint));
    is_first = false;
  }
}

/// Each line of what a program wrote is a line of its own.
void add_written(std::vector<StyledText>& lines, const capture::Verdict::LastLines& written,
                 int width) {
  add_field(lines, written.stream, written.host + "'s " + written.program + ":", width,
            Paint::plain);
  for (const std::string& line : base::split(written.text, '\n'))
    add_field(lines, "", printable(line), width, Paint::error);
}

}  // namespace

std::vector<StyledText> written_lines(const capture::Verdict::LastLines& written, int width) {
  std::vector<StyledText> lines;
  add_written(lines, written, width);
  return lines;
}

std::vector<StyledText> judgement_details(const capture::Verdict& verdict, int width) {
  std::vector<StyledText> lines;
  add_field(lines, "expected", verdict.expected, width, Paint::plain);
  add_field(lines, "seen", seen_text(verdict), width, verdict.passed ? Paint::plain : Paint::error);
  add_field(lines, "nearest", verdict.nearest, width, Paint::action);
  for (const capture::Verdict::LastLines& written : verdict.last_lines)
    add_written(lines, written, width);
  return lines;
}

std::vector<StyledText> script_lines(const capture::Verdict& verdict, const Style& style) {
  std::vector<StyledText> lines;
  if (verdict.script.empty()) return lines;
  lines.emplace_back(fmt::format("{}:{}", verdict.script, verdict.line));
  const auto begin = verdict.code.find_first_not_of(" \t");
  if (begin == std::string::npos) return lines;
  StyledText code(fmt::format("{:>5} │ ", verdict.line), Paint::dim);
  lines.push_back(code.add(verdict.code.substr(begin), Paint::strong).fitted(style.width, style));
  return lines;
}

std::string unchecked_text(const capture::Unchecked& unchecked) {
  return "not checked, holds since Linux " + unchecked.since + ": " + unchecked.expected;
}

StyledText mark(bool passed) {
  return passed ? StyledText("✓", Paint::good) : StyledText("✗", Paint::bad);
}

namespace {

std::vector<StyledText> expected_and_seen(const capture::Verdict& verdict, int width) {
  const Paint paint = verdict.passed ? Paint::plain : Paint::bad;
  const std::string seen = seen_text(verdict);
  const std::string expected = printable(verdict.expected);
  if (seen.empty() && columns(expected) + kIndent <= width)
    return {mark(verdict.passed).add(" ").add(expected, paint)};
  const std::string rest = " · " + printable(seen);
  if (kIndent + columns(expected) + columns(rest) <= width)
    return {mark(verdict.passed).add(" ").add(expected, paint).add(rest, Paint::dim)};

  std::vector<StyledText> lines;
  add_wrapped(lines, verdict.expected, width, paint);
  lines.front() = mark(verdict.passed).add(" ").add(lines.front().text().substr(kIndent), paint);
  if (!seen.empty()) add_wrapped(lines, seen, width, Paint::dim);
  return lines;
}

}  // namespace

std::vector<StyledText> judgement_lines(const capture::Verdict& verdict, int width) {
  std::vector<StyledText> lines = expected_and_seen(verdict, width);
  for (const capture::Verdict::LastLines& written : verdict.last_lines)
    add_written(lines, written, width);
  return lines;
}

}  // namespace tcplab::reports
