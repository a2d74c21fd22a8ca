#include "reports/html/flame.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/event/call_thread.hh"
#include "reports/html/assets.hh"
#include "reports/html/markup.hh"
#include "reports/html/packed.hh"
#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

using Json = nlohmann::ordered_json;
using reports::TraceWait;
using reports::WaitSums;

std::string_view class_of(reports::WaitOutcomeKind kind) {
  switch (kind) {
    case reports::WaitOutcomeKind::came:
      return "came";
    case reports::WaitOutcomeKind::error:
      return "error";
    case reports::WaitOutcomeKind::nothing:
      return "nothing";
  }
  return "";
}

/// Returns what flame.js draws: {texts, stacks, sums}. A sum is [program, stack, call, peer,
/// connection, end, kind of the end, nanoseconds, waits].
std::string flame_data(const WaitSums& sums) {
  Json stacks = Json::array();
  if (sums.has_stacks()) stacks = sums.stacks();
  Json rows = Json::array();
  for (const reports::WaitSum& sum : sums.limited(kMostSums)) {
    const reports::WaitKey& key = sum.key;
    rows.push_back({key.program, key.stack, key.call, key.peer, key.connection, key.end,
                    class_of(key.end_kind), sum.time.count(), sum.count});
  }
  const Json data{
      {"texts", sums.texts()}, {"stacks", std::move(stacks)}, {"sums", std::move(rows)}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string exact(base::nanoseconds time) {
  return fmt::format("{:.6f} s", base::in_seconds(time));
}

std::string stack_cell(const TraceWait& wait) {
  if (wait.call.stack.empty()) return "<td>";
  std::string frames;
  for (const std::string& frame : wait.call.stack) frames += "<li>" + escaped(frame);
  return fmt::format("<td><details class=\"stack\"><summary>{}</summary><ol>{}</ol></details>",
                     reports::counted(wait.call.stack.size(), "frame"), frames);
}

std::string thread_cell(const TraceWait& wait) {
  const capture::Call& call = wait.call;
  const int thread = capture::thread_of(call);
  return fmt::format(
      "<td>{} [{}]", escaped(wait.process),
      thread == call.pid ? fmt::format("{}", call.pid) : fmt::format("{}/{}", call.pid, thread));
}

std::string wait_row(const TraceWait& wait, const FlameView& view, bool has_stacks) {
  std::string time = exact(wait.duration());
  if (view.has_links && wait.event != 0)
    time = fmt::format("<a href=\"#event={}\">{}</a>", wait.event, time);
  const reports::WaitOutcome end = reports::end_of(wait);
  return fmt::format("<tr><td>{}<td>{}{}<td>{}<td>{}<td class=\"end-{}\">{}{}\n", time,
                     exact(wait.entered - view.start), view.has_threads ? thread_cell(wait) : "",
                     escaped(wait.call.call), escaped(reports::connection_of(wait)),
                     class_of(end.kind), escaped(end.text), has_stacks ? stack_cell(wait) : "");
}

std::string longest(const WaitSums& sums, const FlameView& view) {
  std::string rows;
  for (const TraceWait& wait : sums.longest()) rows += wait_row(wait, view, sums.has_stacks());
  const std::size_t listed = sums.longest().size();
  const std::string title = listed == sums.count()
                                ? std::string("All waits, the longest first")
                                : fmt::format("The {} longest of {} waits", listed, sums.count());
  const auto column = [](std::string_view name) {
    return fmt::format("<th scope=\"col\">{}</th>", name);
  };
  return fmt::format(
      "<div class=\"longest\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table><caption>{0}"
      "</caption>\n<thead><tr>{1}{2}{3}{4}{5}{6}{7}</tr></thead>\n<tbody>{8}</tbody></table></"
      "div>\n",
      title, column("waited"), column("began after"), view.has_threads ? column("program") : "",
      column("call"), column("connection"), column("ended by"),
      sums.has_stacks() ? column("stack") : "", rows);
}

}  // namespace

std::string flame(const WaitSums& sums, const FlameView& view) {
  return fmt::format(
             "<div class=\"flame\" data-label=\"{}\">\n{}<script "
             "type=\"text/plain\">{}</script>\n</div>\n",
             escaped(view.label), kFlame, packed(flame_data(sums))) +
         longest(sums, view);
}

}  // namespace tcplab::html
