#include "reports/audit/audit_terminal.hh"

#include <algorithm>
#include <ostream>

#include "audit/requirements.hh"
#include "reports/audit/audit_table.hh"
#include "reports/audit/audit_words.hh"
#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

using capture::AuditOutcome;

namespace {

constexpr int kNarrow = 90;   // below it, a moment has lines of its own
constexpr int kOutcome = 22;  // "✓ recovered 3 min 20 s"

Paint paint_of(const audit::Cell& cell) {
  if (!cell.trouble.empty() || !cell.is_judged) return Paint::note;
  if (audit::did_not_react(cell)) return Paint::bad;
  switch (cell.outcome) {
    case AuditOutcome::unaffected:
    case AuditOutcome::recovered:
      return Paint::good;
    case AuditOutcome::error:
      return Paint::action;
    case AuditOutcome::wrong_data:
    case AuditOutcome::hangs:
      return Paint::bad;
    case AuditOutcome::not_reached:
      return Paint::dim;
  }
  return Paint::plain;
}

class TextWriter {
public:
  TextWriter(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void write(const audit::Audit& audit) {
    paragraph(audit.title, 0, Paint::strong);
    paragraph(count_words(audit), 0, Paint::plain);
    if (const audit::Cell* baseline = baseline_of(audit))
      paragraph("without a failure: " + outcome_label(*baseline) +
                    (baseline->took ? " (" + base::describe(*baseline->took) + ")" : ""),
                0, Paint::plain);
    for (const std::string& moment : moments_of(audit))
      moment_width_ = std::max(moment_width_, columns(printable(moment)));
    for (const FailureRow& row : failure_rows(audit)) write_row(row);
    write_advice(audit);
  }

private:
  void line(const StyledText& text) { out_ << render(text, style_) << '\n'; }

  void paragraph(const std::string& text, int indent, Paint paint) {
    const std::string left(static_cast<std::size_t>(indent), ' ');
    for (const std::string& each : wrap(text, std::max(20, style_.width - indent)))
      line(StyledText(left).add(each, paint));
  }

  void write_row(const FailureRow& row) {
    line({});
    paragraph(row.label, 0, Paint::strong);
    for (const audit::Cell* cell : row.cells)
      style_.width < kNarrow ? write_tall(*cell) : write_wide(*cell);
  }

  /// By what, why, and what the user saw: one piece of text a line.
  static std::vector<std::string> details(const audit::Cell& cell) {
    std::vector<std::string> all;
    if (cell.noticed)
      all.push_back(base::describe(cell.noticed->after) + ": " + noticed_words(*cell.noticed));
    for (const std::string& words : {reaction_words(cell), reason_words(cell), repeat_words(cell),
                                     server_words(cell), cell.trouble})
      if (!words.empty()) all.push_back(words);
    if (!cell.text.empty()) all.push_back("\"" + cell.text + "\"");
    return all;
  }

  static StyledText outcome(const audit::Cell& cell) {
    return StyledText(std::string(outcome_mark(cell)) + " " + outcome_label(cell), paint_of(cell));
  }

  void write_tall(const audit::Cell& cell) {
    paragraph(cell.moment_title, 2, Paint::plain);
    line(StyledText("    ").add(outcome(cell)));
    for (const std::string& text : details(cell)) paragraph(text, 6, Paint::dim);
  }

  void write_wide(const audit::Cell& cell) {
    const int left = 2 + moment_width_ + 2;
    const int indent = left + kOutcome + 2;
    std::vector<std::string> lines;
    for (const std::string& text : details(cell))
      for (const std::string& each : wrap(text, std::max(20, style_.width - indent)))
        lines.push_back(each);
    StyledText first = StyledText("  ").add(cell.moment_title);
    pad(first, left);
    first.add(outcome(cell));
    if (!lines.empty()) {
      pad(first, indent);
      first.add(lines.front(), Paint::dim);
    }
    line(first);
    for (std::size_t index = 1; index < lines.size(); ++index)
      line(StyledText(std::string(static_cast<std::size_t>(indent), ' '))
               .add(lines[index], Paint::dim));
  }

  static void pad(StyledText& text, int width) {
    text.add(std::string(static_cast<std::size_t>(std::max(2, width - text.columns())), ' '));
  }

  void write_advice(const audit::Audit& audit) {
    const std::vector<AdviceGroup> groups = advice_groups(audit);
    if (groups.empty()) return;
    line({});
    paragraph("What to change", 0, Paint::strong);
    for (const AdviceGroup& group : groups) {
      const std::size_t count = group.cells.size();
      paragraph(
          "- " + group.words + " (" + std::to_string(count) + (count == 1 ? " cell)" : " cells)"),
          2, Paint::plain);
    }
  }

  std::ostream& out_;
  const Style& style_;
  int moment_width_ = 0;
};

}  // namespace

void write_text(std::ostream& out, const audit::Audit& audit, const Style& style) {
  TextWriter(out, style).write(audit);
}

}  // namespace tcplab::reports
