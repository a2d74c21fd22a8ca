#include <nlohmann/json.hpp>

#include "reports/diff/difference_json.hh"
#include "reports/matrix/matrix_views.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const MatrixCell& cell, const std::string& kernel) {
  Json object = {{"kernel", kernel}, {"behaviour", word(cell.kind)}};
  add_text(object, "reason", cell.reason);
  add_text(object, "directory", cell.directory);
  object["runs"] = cell.runs;
  object["ways"] = cell.ways;
  if (cell.kind == MatrixKind::differs) object["difference"] = json_of(cell.difference);
  return object;
}

Json json_of(const MatrixRow& row, const std::vector<std::string>& kernels) {
  Json object = {{"scenario", row.name}, {"variant", row.variant}, {"is_same", row.is_same()}};
  Json& cells = object["cells"] = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    cells.push_back(json_of(row.cells[i], kernels[i]));
  return object;
}

}  // namespace

std::string matrix_json(const Matrix& matrix) {
  Json document = json_document("tcplab-matrix");
  document["kernels"] = matrix.kernels;
  document["repeat"] = matrix.repeat;
  Json& rows = document["rows"] = Json::array();
  for (const MatrixRow& row : matrix.rows) rows.push_back(json_of(row, matrix.kernels));
  return json_text(document);
}

}  // namespace tcplab::reports
