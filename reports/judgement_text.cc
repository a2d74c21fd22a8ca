#include "reports/judgement_text.hh"

#include "reports/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kIndent = 2;

void add_wrapped(std::vector<Painted>& lines, std::string_view text, int width, Paint paint) {
  for (const std::string& line : wrap(text, width - kIndent))
    lines.push_back(Painted(std::string(kIndent, ' ')).add(line, paint));
}

std::string seen_text(const capture::Verdict& verdict) {
  if (verdict.seen.empty()) return verdict.passed ? "" : "nothing of the kind";
  return verdict.seen;
}

}  // namespace

Painted mark(bool passed) { return passed ? Painted("✓", Paint::good) : Painted("✗", Paint::bad); }

std::vector<Painted> judgement_lines(const capture::Verdict& verdict, int width) {
  const Paint paint = verdict.passed ? Paint::plain : Paint::bad;
  const std::string seen = seen_text(verdict);
  const std::string joint = verdict.passed ? "saw " : "but saw ";
  const std::string expected = printable(verdict.expected);
  if (seen.empty() && columns(expected) + kIndent <= width)
    return {mark(verdict.passed).add(" ").add(expected, paint)};
  const std::string rest = " · " + joint + printable(seen);
  if (kIndent + columns(expected) + columns(rest) <= width)
    return {mark(verdict.passed).add(" ").add(expected, paint).add(rest, Paint::dim)};

  std::vector<Painted> lines;
  add_wrapped(lines, verdict.expected, width, paint);
  lines.front() = mark(verdict.passed).add(" ").add(lines.front().text().substr(kIndent), paint);
  if (!seen.empty()) add_wrapped(lines, joint + seen, width, Paint::dim);
  return lines;
}

}  // namespace tcplab::reports
