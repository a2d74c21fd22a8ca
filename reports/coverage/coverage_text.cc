#include "reports/coverage/coverage_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "reports/coverage/coverage_rows.hh"
#include "reports/text/hanging.hh"
#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr std::size_t kNamed = 3;
constexpr int kIndent = 4;

class Table {
public:
  Table(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void section(const CoverageSection& section) {
    int width = 0;
    for (const CoverageRow& row : section.rows) width = std::max(width, columns(row.name));
    line(StyledText(section.title, Paint::strong).add(": " + describe(count(section)), Paint::dim));
    for (const CoverageRow& row : section.rows) this->row(row, width);
    out_ << '\n';
  }

  void line(const StyledText& text) {
    out_ << render(text.fitted(style_.width, style_), style_) << '\n';
  }

private:
  void row(const CoverageRow& row, int width) {
    StyledText text = mark(row);
    text.add(fmt::format("{:<{}}  ", row.name, width), row.is_seen() ? Paint::state : Paint::plain);
    text.add(row.detail);
    line(text);
    StyledText below(std::string(kIndent, ' '));
    if (row.is_seen())
      below.add(some_of(row.seen, kNamed), Paint::dim);
    else
      below.add(row.unseen.empty() ? "not seen" : "impossible here: " + row.unseen,
                row.is_open() ? Paint::bad : Paint::dim);
    line(below);
  }

  static StyledText mark(const CoverageRow& row) {
    if (row.is_seen()) return StyledText("  ✓ ", Paint::good);
    return row.is_open() ? StyledText("  ✗ ", Paint::bad) : StyledText("  – ", Paint::dim);
  }

  std::ostream& out_;
  const Style& style_;
};

std::string table_cell(const std::string& content) {
  std::string text = printable(content);
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string who(const CoverageRow& row) {
  if (row.is_seen()) return some_of(row.seen, kNamed);
  return row.is_open() ? "**not seen**" : "impossible here: " + row.unseen;
}

std::string findings_line(const Coverage& coverage) {
  const std::size_t findings = coverage.findings().size();
  return findings == 0 ? "All transitions are in RFC 9293 or are known Linux behaviour."
                       : fmt::format("{} transitions are not in RFC 9293:", findings);
}

}  // namespace

void write_coverage(std::ostream& out, const Coverage& coverage, const Style& style) {
  Table table(out, style);
  std::string sums;
  for (const CoverageSection& section : coverage_sections(coverage)) {
    table.section(section);
    if (section.kind == "jumps") continue;
    sums += fmt::format("{}{} {}/{}", sums.empty() ? "" : ", ", section.title, count(section).seen,
                        count(section).all() - count(section).impossible);
  }
  for (const std::string& line : wrap(sums, style.width)) table.line(StyledText(line));
  const bool is_clean = coverage.findings().empty();
  write_hanging(out, "", findings_line(coverage), is_clean ? Paint::good : Paint::bad, style);
  for (const UnexplainedTransition& finding : coverage.findings())
    write_hanging(out, "  ", finding.scenario + ": " + finding.what, Paint::bad, style);
}

std::string coverage_markdown(const Coverage& coverage) {
  std::string text;
  for (const CoverageSection& section : coverage_sections(coverage)) {
    text += fmt::format("## {}\n\n{}.\n\n", section.title, describe(count(section)));
    const bool are_edges = section.kind == "edges";
    text += are_edges ? "| | event | source | seen by |\n|---|---|---|---|\n"
                      : "| | | seen by |\n|---|---|---|\n";
    for (const CoverageRow& row : section.rows)
      text +=
          fmt::format("| {} | {} |{} {} |\n", table_cell(row.name), table_cell(row.detail),
                      are_edges ? " " + table_cell(row.source) + " |" : "", table_cell(who(row)));
    text += "\n";
  }
  text += "## Findings\n\n" + findings_line(coverage) + "\n";
  for (const UnexplainedTransition& finding : coverage.findings())
    text += fmt::format("- {}: {}\n", printable(finding.scenario), printable(finding.what));
  return text;
}

}  // namespace tcplab::reports
