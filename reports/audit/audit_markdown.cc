#include "reports/audit/audit_markdown.hh"

#include <fmt/format.h>
#include <ostream>

#include "reports/audit/audit_table.hh"
#include "reports/audit/audit_words.hh"
#include "reports/suite/markdown_text.hh"

namespace tcplab::reports {

namespace {

/// Returns a link to the cell's page, or only the text.
std::string linked_text(const std::string& text, const audit::Cell& cell) {
  return cell.page.empty() ? text : fmt::format("[{}](<{}>)", text, markdown_text(cell.page));
}

std::string matrix_cell(const std::vector<const audit::Cell*>& cells) {
  std::string out;
  for (const audit::Cell* cell : cells) {
    const std::string label = std::string(outcome_mark(*cell)) + " " + outcome_label(*cell);
    out += (out.empty() ? "" : "<br>") + linked_text(markdown_text(label), *cell);
  }
  return out;
}

std::string matrix_table(const audit::Audit& audit) {
  const std::vector<std::string> moments = moments_of(audit);
  std::string text = "| failure |";
  std::string rule = "|---|";
  for (const std::string& moment : moments) {
    text += " " + markdown_text(moment) + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const FailureRow& row : failure_rows(audit)) {
    text += "| " + markdown_text(row.label) + " |";
    for (const std::string& moment : moments) text += " " + matrix_cell(row.at(moment)) + " |";
    text += "\n";
  }
  return text;
}

std::string reasons(const audit::Audit& audit) {
  std::string text = "| failure | moment | noticed | why | seen |\n|---|---|---|---|---|\n";
  for (const FailureRow& row : failure_rows(audit))
    for (const audit::Cell* cell : row.cells) {
      std::string noticed = "-";
      if (cell->noticed)
        noticed = base::describe(cell->noticed->after) + ": " + noticed_words(*cell->noticed);
      std::string why = reason_words(*cell);
      for (const std::string& words :
           {reaction_words(*cell), repeat_words(*cell), server_words(*cell), cell->trouble})
        if (!words.empty()) why += (why.empty() ? "" : "; ") + words;
      text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_text(row.label),
                          linked_text(markdown_text(cell->moment_title), *cell),
                          markdown_text(noticed), markdown_text(why), markdown_text(cell->text));
    }
  return text;
}

}  // namespace

void write_markdown(std::ostream& out, const audit::Audit& audit) {
  out << "## " << markdown_text(audit.title) << "\n\n"
      << markdown_text(count_words(audit)) << "\n\n";
  out << matrix_table(audit) << "\n### Why\n\n" << reasons(audit);
  const std::vector<AdviceGroup> groups = advice_groups(audit);
  if (!groups.empty()) out << "\n### What to change\n\n";
  for (const AdviceGroup& group : groups)
    out << fmt::format("- {} ({} cell{})\n", markdown_text(group.words), group.cells.size(),
                       group.cells.size() == 1 ? "" : "s");
}

}  // namespace tcplab::reports
