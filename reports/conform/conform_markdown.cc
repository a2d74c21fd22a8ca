#include <fmt/format.h>
#include <ostream>

#include "reports/conform/conform_views.hh"
#include "reports/suite/markdown_text.hh"

namespace tcplab::reports {

void write_markdown(std::ostream& out, const Conformance& table) {
  for (std::size_t i = 0; i < table.stacks.size(); ++i)
    out << (i == 0 ? "" : "  \n") << markdown_text(conform_totals(table, i));
  const std::string differences = difference_totals(table);
  out << (differences.empty() ? "" : "  \n" + markdown_text(differences)) << "\n\n";
  out << "| requirement | level | |";
  std::string rule = "|---|---|---|";
  for (const std::string& stack : table.stacks) {
    out << " " << markdown_text(stack) << " |";
    rule += "---|";
  }
  out << "\n" << rule << "\n";
  for (const ConformRow& row : table.rows) {
    const RfcRequirement& requirement = row.requirement;
    out << fmt::format("| {} | {} | {} ({}) |", markdown_text(requirement.id),
                       name(requirement.level), markdown_text(requirement.says),
                       markdown_text(requirement.rfc));
    for (const ConformCell& cell : row.cells)
      out << " " << mark_of(cell.verdict()) << " " << markdown_text(cell.text()) << " |";
    out << "\n";
  }
}

}  // namespace tcplab::reports
