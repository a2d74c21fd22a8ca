// Writes a matrix: for a terminal, as Markdown, as a web page, as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/matrix/matrix.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// `is_all`: also the rows that are the same on all kernels.
void write_text(std::ostream& out, const Matrix& matrix, const Style& style, bool is_all);
void write_markdown(std::ostream& out, const Matrix& matrix, bool is_all);
/// Writes a page with all rows; a cell that differs shows what `tcplab diff` shows.
void write_html(std::ostream& out, const Matrix& matrix);
/// Returns all rows, each with its differences. docs/schema/matrix.schema.json describes it.
std::string matrix_json(const Matrix& matrix);

}  // namespace tcplab::reports
