#include "reports/html/rows.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

constexpr std::size_t kOften = 3;

std::string row_text(double y, const std::string& text) {
  return text.empty() ? "" : fmt::format("<text y=\"{}\">{}</text>", number(y), text);
}

/// Returns the step's number, which is left of its time. A step without a time leaves its place
/// empty.
std::string numbered(std::size_t number, const std::string& time) {
  return fmt::format("<tspan{}>{}</tspan> {}", time.empty() ? " dx=\"-52\"" : "", number, time);
}

std::string drawing(const DrawnStep& row) { return row.shapes + row_text(row.baseline, row.text); }

}  // namespace

Rows::Rows(const PageRun& page, const Scene& scene) : scene_(scene) {
  std::map<std::string, std::size_t> counts;
  std::size_t drawn = 0;
  for (std::size_t step = 0; step < page.steps.size(); ++step) {
    rows_.push_back(draw_step(page, scene, step));
    if (!rows_.back().shapes.empty()) rows_.back().time = numbered(++drawn, rows_.back().time);
    if (scene.is_long() && !rows_.back().shapes.empty()) ++counts[drawing(rows_.back())];
  }
  for (const auto& [drawing, count] : counts)
    if (count >= kOften) shared_.emplace(drawing, shared_.size());
}

std::string Rows::shared() const {
  std::string out;
  for (const auto& [drawing, number] : shared_)
    out += fmt::format("<g class=\"row\" id=\"row={}\">{}</g>\n", number, drawing);
  return out.empty() ? out
                     : "<svg class=\"rows\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>" +
                           out + "</defs></svg>";
}

std::string Rows::markup(std::size_t step) const {
  const DrawnStep& row = rows_[step];
  if (row.shapes.empty()) return "";
  const double top = scene_.places[step].top;
  if (const auto found = shared_.find(drawing(row)); found != shared_.end())
    return fmt::format("<g class=\"step\"{}><use href=\"#row={}\" y=\"{}\"/>{}</g>\n", row.address,
                       found->second, number(top), row_text(top + row.baseline, row.time));
  return fmt::format("<g class=\"step\"{} transform=\"translate(0 {})\">{}{}</g>\n", row.address,
                     number(top), row.shapes, row_text(row.baseline, row.time + row.text));
}

}  // namespace tcplab::html
