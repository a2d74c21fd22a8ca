// Writes a table of conformance: for a terminal, as Markdown, as a web page, as JSON, and as the
// results of a suite, for JUnit.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/conform/conformance.hh"
#include "reports/suite/suite_record.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

void write_text(std::ostream& out, const Conformance& table, const Style& style);
void write_markdown(std::ostream& out, const Conformance& table);
/// Writes a page whose cells link to the pages of their runs.
void write_html(std::ostream& out, const Conformance& table);

/// Returns the table as JSON, which column_of_json() reads.
std::string conform_json(const Conformance& table);

/// The first stack of an earlier table.
struct SavedColumn {
  std::string stack{};
  std::string file{};
  /// By the name of the scenario. Empty cells are left out.
  std::vector<std::pair<std::string, ConformCell>> cells{};
};

/// Throws base::UsageError if the text is not what conform_json() returns. `name` is the name of
/// the file.
SavedColumn column_of_json(const std::string& text, const std::string& name);

/// Returns the runs of the first stack with outcomes as a CI job needs them: a MUST that is not met
/// has failed; any other requirement that is not met, and one that does not arise, is skipped with
/// the verdict as the reason.
SuiteRecord conform_suite(const Conformance& table, SuiteRecord runs);

}  // namespace tcplab::reports
