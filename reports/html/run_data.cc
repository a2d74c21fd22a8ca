#include "reports/html/run_data.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/event_json.hh"
#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

using Json = nlohmann::json;

/// Texts are written once: from one moment to the next, little changes.
class Texts {
public:
  std::size_t index(const std::string& text) {
    const auto [found, is_new] = indices_.try_emplace(text, list_.size());
    if (is_new) list_.push_back(text);
    return found->second;
  }
  const Json& list() const { return list_; }

private:
  std::map<std::string, std::size_t> indices_;
  Json list_ = Json::array();
};

/// [program, kernel, truth, mistaken, states].
Json json_of(const reports::HostView& view, Texts& texts) {
  Json states = Json::array();
  for (const capture::TcpState state : view.states) states.push_back(capture::name(state));
  return Json::array({texts.index(view.program), texts.index(view.kernel), texts.index(view.truth),
                      view.is_mistaken ? 1 : 0, std::move(states)});
}

/// Changes of state in this moment: [host, from, to].
Json edges_of(const ToldRun& told, const reports::Step& step) {
  Json edges = Json::array();
  for (const std::uint64_t number : step.events) {
    const capture::Event* event = told.event(number);
    const auto* state = event == nullptr ? nullptr : std::get_if<capture::State>(&event->body);
    if (state != nullptr)
      edges.push_back({state->host, capture::name(state->from), capture::name(state->to)});
  }
  return edges;
}

std::string written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json moments_of(const ToldRun& told, Json& views, Texts& texts) {
  Json moments = Json::array();
  Json last;
  for (std::size_t index = 0; index < told.steps.size(); ++index) {
    const reports::Step& step = told.steps[index];
    Json view = Json::array();
    for (const reports::HostView& each : told.views[index]) view.push_back(json_of(each, texts));
    if (view != last) views.push_back(view);
    last = std::move(view);
    Json moment{{"e", step.events}, {"v", views.size() - 1}};
    if (step.at) moment["t"] = base::to_nanoseconds(*step.at);
    if (Json edges = edges_of(told, step); !edges.empty()) moment["s"] = std::move(edges);
    moments.push_back(std::move(moment));
  }
  return moments;
}

}  // namespace

std::string run_data(const ToldRun& told) {
  Texts texts;
  Json views = Json::array();
  Json hosts = Json::array();
  if (!told.views.empty())
    for (const reports::HostView& view : told.views.back()) hosts.push_back(view.host);
  const Json moments = moments_of(told, views, texts);
  std::string events;
  for (const auto& [number, event] : told.events) {
    std::string line = capture::to_json_line(event);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    events += (events.empty() ? "" : ",\n") + line;
  }
  const std::int64_t start = told.start ? base::to_nanoseconds(*told.start) : 0;
  return script_data(fmt::format(
      "{{\"start\":{},\n\"hosts\":{},\n\"texts\":{},\n\"views\":{},\n\"moments\":{},\n"
      "\"events\":[{}]}}",
      start, written(hosts), written(texts.list()), written(views), written(moments), events));
}

}  // namespace tcplab::html
