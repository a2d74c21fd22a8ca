#include "reports/html/run_data.hh"

#include <array>
#include <nlohmann/json.hpp>

#include "capture/event/event_json.hh"
#include "reports/html/highlights.hh"
#include "reports/html/markup.hh"
#include "reports/html/script_lines.hh"
#include "reports/html/words.hh"
#include "reports/plots/plot_json.hh"
#include "reports/text/quiz.hh"

namespace tcplab::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kTimes = {"t", "sent", "delivered", "entered"};

std::int64_t start_of(const PageRun& page) {
  return page.start ? base::to_nanoseconds(*page.start) : 0;
}

/// Numbers the texts, so that each is written once. Little changes from one step to the next.
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
Json json_of(const reports::HostView& view, bool is_capture, Texts& texts) {
  Json states = Json::array();
  for (const capture::TcpState state : view.states) states.push_back(capture::name(state));
  const char* const none = is_capture ? "not seen in the capture" : "no connection";
  const std::string kernel = view.kernel.empty() ? none : view.kernel;
  return Json::array({texts.index(view.program), texts.index(kernel), texts.index(view.truth),
                      view.is_mistaken ? 1 : 0, std::move(states)});
}

/// Returns the state changes of a step: [host, from, to].
Json edges_of(const PageRun& page, const reports::Step& step) {
  Json edges = Json::array();
  for (const std::uint64_t number : step.events) {
    const capture::Event* event = page.event(number);
    const auto* state = event == nullptr ? nullptr : std::get_if<capture::State>(&event->body);
    if (state != nullptr)
      edges.push_back({state->host, capture::name(state->from), capture::name(state->to)});
  }
  return edges;
}

/// Adds the rank of the steps that matter, from 0, and the script's lines.
void add_places(const PageRun& page, Json& moments) {
  std::size_t rank = 0;
  for (const std::size_t index : highlights(page)) moments[index]["k"] = rank++;
  const std::vector<int> lines = script_lines(page);
  for (std::size_t index = 0; index < lines.size(); ++index)
    if (lines[index] != 0) moments[index]["l"] = lines[index];
}

/// Returns the colour of each host: the one of its lifeline.
Json colors_of(const Json& hosts, const Scene& scene) {
  Json colors = Json::array();
  for (const Json& host : hosts) {
    const std::size_t lane = scene.lane_of(host.get<std::string>());
    colors.push_back(lane < scene.lanes.size() ? scene.lanes[lane].color : 2);
  }
  return colors;
}

/// Returns [x, is_leftward] for each host of the picture, from left to right.
Json lanes_of(const Scene& scene) {
  Json lanes = Json::array();
  for (const Lifeline& lane : scene.lanes) lanes.push_back({lane.x, lane.is_leftward ? 1 : 0});
  return lanes;
}

Json quiz_of(const PageRun& page) {
  if (!page.run || !page.run->quiz) return nullptr;
  const reports::QuizQuestion question = reports::question_of(*page.run->quiz, page.run->scenario);
  Json choices = Json::array();
  for (const reports::QuizChoice& choice : question.choices)
    choices.push_back({choice.text, choice.right ? 1 : 0, choice.because});
  return Json{{"asks", question.asks}, {"choices", std::move(choices)}};
}

Json moments_of(const PageRun& page, const Scene& scene, Json& views, Texts& texts) {
  Json moments = Json::array();
  Json last;
  for (std::size_t index = 0; index < page.steps.size(); ++index) {
    const reports::Step& step = page.steps[index];
    Json view = Json::array();
    for (const reports::HostView& each : page.views[index])
      view.push_back(json_of(each, page.is_capture, texts));
    if (view != last) views.push_back(view);
    last = std::move(view);
    Json moment{{"e", step.events}, {"v", views.size() - 1}};
    if (step.at) moment["t"] = base::to_nanoseconds(*step.at) - start_of(page);
    if (Json edges = edges_of(page, step); !edges.empty()) moment["s"] = std::move(edges);
    if (scene.places[index].height == 0) moment["w"] = words_of(page, step);
    moments.push_back(std::move(moment));
  }
  add_places(page, moments);
  return moments;
}

/// Returns the events as in events.jsonl, but with times from the start of the run.
Json events_of(const PageRun& page) {
  Json events = Json::array();
  for (const auto& [number, event] : page.events) {
    Json written = Json::parse(capture::to_json_line(event));
    for (const char* time : kTimes)
      if (const auto found = written.find(time); found != written.end() && found->is_number())
        *found = found->get<std::int64_t>() - start_of(page);
    events.push_back(std::move(written));
  }
  return events;
}

}  // namespace

std::string run_data(const PageRun& page, const Scene& scene) {
  Texts texts;
  Json views = Json::array();
  Json hosts = Json::array();
  if (!page.views.empty())
    for (const reports::HostView& view : page.views.back()) hosts.push_back(view.host);
  Json moments = moments_of(page, scene, views, texts);
  Json colors = colors_of(hosts, scene);
  const Json data{{"of", page.is_capture ? "connection" : "run"},
                  {"hosts", std::move(hosts)},
                  {"colors", std::move(colors)},
                  {"texts", texts.list()},
                  {"views", std::move(views)},
                  {"moments", std::move(moments)},
                  {"lanes", lanes_of(scene)},
                  {"quiz", quiz_of(page)},
                  {"plots", plots::plots_json(page.plots, page.start.value_or(base::Instant{}))},
                  {"events", events_of(page)}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tcplab::html
