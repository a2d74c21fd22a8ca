#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "reports/conform/conform_views.hh"
#include "reports/text/hanging.hh"
#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

Paint paint_of(Conformity verdict) {
  switch (verdict) {
    case Conformity::met:
      return Paint::good;
    case Conformity::not_met:
      return Paint::bad;
    case Conformity::does_not_arise:
    case Conformity::not_seen:
      return Paint::dim;
  }
  return Paint::plain;
}

std::string padded(std::string text, int width) {
  text.append(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
  return text;
}

/// A line for each requirement, and below it a line for each verdict that needs words.
class ConformWriter {
public:
  ConformWriter(std::ostream& out, const Style& style, const Conformance& table)
      : out_(out), style_(style), table_(table) {
    for (const std::string& stack : table.stacks)
      stack_width_ = std::max(stack_width_, columns(printable(stack)));
    for (const ConformRow& row : table.rows)
      id_width_ = std::max(id_width_, columns(row.requirement.id));
  }

  void write() {
    const RequirementLevel* level = nullptr;
    for (const ConformRow& row : table_.rows) {
      if (level == nullptr || *level != row.requirement.level) begin_level(row.requirement.level);
      level = &row.requirement.level;
      write(row);
    }
    if (!table_.rows.empty()) out_ << '\n';
    for (std::size_t i = 0; i < table_.stacks.size(); ++i)
      write_hanging(out_, "", conform_totals(table_, i), Paint::strong, style_);
    const std::string differences = difference_totals(table_);
    if (!differences.empty()) write_hanging(out_, "", differences, Paint::strong, style_);
  }

private:
  void begin_level(RequirementLevel level) {
    out_ << (is_begun_ ? "\n" : "") << render(StyledText(name(level), Paint::strong), style_)
         << '\n';
    is_begun_ = true;
  }

  void write(const ConformRow& row) {
    std::string marks;
    for (const ConformCell& cell : row.cells) marks += mark_of(cell.verdict());
    const std::string lead = marks + (row.differs() ? " ≠ " : "   ");
    write_hanging(out_, lead + padded(row.requirement.id, id_width_) + "  ", row.requirement.says,
                  paint_of(row.cells.front().verdict()), style_);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (row.differs() || row.cells[i].verdict() != Conformity::met) write(i, row.cells[i]);
  }

  void write(std::size_t column, const ConformCell& cell) {
    const std::string stack = padded(printable(table_.stacks[column]), stack_width_);
    write_hanging(out_, fmt::format("      {}  {} ", stack, mark_of(cell.verdict())), cell.text(),
                  paint_of(cell.verdict()), style_);
  }

  std::ostream& out_;
  const Style& style_;
  const Conformance& table_;
  int stack_width_ = 0;
  int id_width_ = 0;
  bool is_begun_ = false;
};

}  // namespace

void write_text(std::ostream& out, const Conformance& table, const Style& style) {
  ConformWriter(out, style, table).write();
}

}  // namespace tcplab::reports
