#include <regex>
#include <set>

#include "reports/coverage/state_diagram.hh"
#include "reports/html/diagram.hh"
#include "reports/html/draw_arrow.hh"
#include "reports/html/layout.hh"
#include "reports/html/markup.hh"
#include "reports/html/run_page.hh"
#include "tests/catch.hh"
#include "tests/reports/html/gathered.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::milliseconds;

std::string page(const SampleRun& run) { return html::run_page(gathered(run), "index.html"); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Returns the part of the page that is readable with JavaScript off: without style sheet, scripts
/// and data.
std::string body(const std::string& page) {
  const auto begin = page.find("<main>");
  return page.substr(begin, page.find("</main>") - begin);
}

}  // namespace

TEST_CASE("without JavaScript a page has the question, verdict, explanation and picture") {
  const std::string text = body(page(power_cycle()));
  CHECK(has(text, "<h1>Power cycle</h1>"));
  CHECK(has(text, "when one end is power cycled?"));
  CHECK(has(text, "passed"));
  CHECK(has(text, "The article saw"));
  CHECK(has(text, "What Linux does"));
  CHECK(has(text, ">SYN</text>"));
  CHECK(has(text, "ECONNRESET"));
  CHECK(has(text, "20 s · nothing happens"));
}

TEST_CASE("a page says how long calls took, and links the slowest to its step") {
  const std::string text = body(page(power_cycle()));
  const auto begin = text.find("How long system calls took");
  REQUIRE(begin != std::string::npos);
  const std::string table = text.substr(begin, text.find("</details>", begin) - begin);
  CHECK(has(table, "<td>read<td>ECONNRESET, "));
  std::smatch link;
  REQUIRE(std::regex_search(table, link, std::regex("href=\"#event=([0-9]+)\">20 s<")));
  SampleRun silent;
  silent.start({}).hosts();
  CHECK_FALSE(has(page(silent), "How long system calls took"));
}

TEST_CASE("a page says to search engines and chats what it is about") {
  const std::string text = page(power_cycle());
  CHECK(has(text, "name=\"description\" property=\"og:description\" content=\"What happens to "));
  SampleRun silent;
  silent.start({}).hosts();
  CHECK_FALSE(has(page(silent), "og:description"));
}

TEST_CASE("a page loads nothing from outside") {
  const std::string text = page(power_cycle());
  CHECK_FALSE(has(text, "src="));
  CHECK_FALSE(has(text, "@import"));
  CHECK_FALSE(std::regex_search(text, std::regex("url\\((?!#)")));
  const std::regex address("https?://(?!www\\.w3\\.org/2000/svg)");
  CHECK_FALSE(std::regex_search(text, address));
}

TEST_CASE("every step has the id of its event, and ids are unique") {
  const std::string text = body(page(power_cycle()));
  const std::regex id("id=\"event=([0-9]+)\"");
  std::set<std::string> seen;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), id);
       found != std::sregex_iterator(); ++found)
    CHECK(seen.insert((*found)[1]).second);
  CHECK(seen.size() > 20);
}

TEST_CASE("in a long run equal rows share a drawing, and bands continue") {
  SampleRun run;
  run.start({}).hosts();
  run.add(capture::State{.host = "kang", .to = TcpState::established});
  for (int index = 0; index < 400; ++index)
    run.later(std::chrono::milliseconds(1)).add(capture::Note{"again"});
  run.add(capture::Note{"at last"});
  const std::string text = body(page(run));
  CHECK(count(text, ">again<") == 2);  // once drawn, and once as text
  CHECK(count(text, "<use href=\"#row=0\"") == 400);
  CHECK(count(text, ">at last<") == 2);
  CHECK(count(text, "id=\"band=0\"") == 1);
  CHECK(count(text, "<use href=\"#band=0\"") + 1 == count(text, "class=\"sheet\""));
  CHECK(count(body(page(power_cycle())), "#row=") == 0);
}

TEST_CASE("a step has the event numbers of its frame and states") {
  const html::PageRun run = gathered(power_cycle());
  const auto is_syn = [](const Step& step) {
    const auto* arrow = std::get_if<Arrow>(&step.content);
    return arrow != nullptr && arrow->states.size() == 2;
  };
  const auto syn = std::find_if(run.steps.begin(), run.steps.end(), is_syn);
  REQUIRE(syn != run.steps.end());
  REQUIRE(syn->events.size() == 3);
  CHECK(std::holds_alternative<capture::Packet>(run.event(syn->events[0])->body));
  CHECK(std::holds_alternative<capture::State>(run.event(syn->events[1])->body));
}

TEST_CASE("failed expectations are at the top, with links to their steps") {
  const std::string text = body(page(with_loss()));
  const auto failures = text.find("<section class=\"failures\"");
  REQUIRE(failures != std::string::npos);
  CHECK(failures < text.find("<div class=\"ladder\""));
  const std::regex link("<a href=\"#(event=[0-9]+)\">kodos: read returns 0 within 2 s</a>");
  std::smatch found;
  REQUIRE(std::regex_search(text, found, link));
  CHECK(has(text, "id=\"" + found[1].str() + "\""));
  CHECK_FALSE(has(body(page(power_cycle())), "class=\"failures\""));
}

TEST_CASE("each fate of a frame has its own shape and text") {
  const std::string text = body(page(with_loss()));
  for (const char* kind : {"frame lost", "frame held", "frame forged", "frame flood"}) {
    INFO(kind);
    CHECK(has(text, kind));
  }
  CHECK(count(text, "class=\"lostmark\"") == 2);
  CHECK(count(text, "class=\"heldmark\"") == 1);
  CHECK(has(text, "class=\"hangs\""));
  CHECK(has(text, "kodos, lost: lose 2 of kang &gt; kodos, tcp"));
}

TEST_CASE("a host without power has a dark span instead of a band") {
  const html::PageRun run = gathered(power_cycle());
  const html::Scene scene = html::lay_out(run);
  REQUIRE(scene.darknesses.size() == 1);
  const html::Darkness& darkness = scene.darknesses.front();
  CHECK(darkness.end > darkness.begin);
  for (const html::Band& band : scene.bands)
    if (band.lane == darkness.lane) CHECK(band.end <= darkness.begin);
}

TEST_CASE("rows do not overlap, and page breaks are between them") {
  const html::PageRun run = gathered(warm_up());
  const html::Scene scene = html::lay_out(run);
  double y = 0;
  for (const html::StepPlace& place : scene.places) {
    CHECK(place.top >= y);
    y = place.top + place.height;
    for (const double cut : scene.cuts) CHECK_FALSE((cut > place.top && cut < y));
  }
  CHECK(scene.height > y);
}

TEST_CASE("the arrow of a held frame starts at its sending, and its state has its own row") {
  const auto scene_of = [](const std::vector<capture::Effect>& effects) {
    SampleRun run;
    run.start({}).hosts().at(milliseconds(1));
    capture::Packet late = run.packet("kang", "S", 0, 0, 0);
    run.later(milliseconds(1)).call("kang", "connect", 3, 0, 0);
    late.delivered = late.sent + milliseconds(5);
    late.effects = effects;
    run.later(milliseconds(4)).add(late);
    run.state("kang", capture::TcpState::closed, capture::TcpState::syn_sent);
    const html::PageRun story = gathered(run);
    const html::Scene scene = html::lay_out(story);
    const auto is_arrow = [](const Step& step) {
      return std::holds_alternative<Arrow>(step.content);
    };
    const auto arrow = std::ranges::find_if(story.steps, is_arrow);
    const html::StepPlace place = scene.places[std::size_t(arrow - story.steps.begin())];
    const html::Drawn drawn =
        html::draw_arrow(story, scene, *arrow, place, std::get<Arrow>(arrow->content));
    std::smatch y;
    REQUIRE(std::regex_search(drawn.text, y, std::regex(" y=\"([0-9.]+)\"[^>]*>.*SYN_SENT")));
    CHECK(std::stod(y[1]) > place.top);
    return place;
  };
  const html::StepPlace busy = scene_of({});
  CHECK(busy.tail > busy.top);
  const html::StepPlace held = scene_of({{.kind = capture::EffectKind::held}});
  CHECK(held.tail < held.top);
}

/// Returns the CSS classes of the arrow of a delivered frame with this effect.
std::string classes_of(const capture::Effect& effect) {
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1));
  capture::Packet frame = run.packet("kang", "S", 0, 0, 0);
  frame.delivered = frame.sent + milliseconds(5);
  frame.effects = {effect};
  run.add(frame);
  const html::PageRun story = gathered(run);
  const html::Scene scene = html::lay_out(story);
  for (std::size_t index = 0; index < story.steps.size(); ++index) {
    const auto* arrow = std::get_if<Arrow>(&story.steps[index].content);
    if (arrow == nullptr) continue;
    const std::string shapes =
        html::draw_arrow(story, scene, story.steps[index], scene.places[index], *arrow).shapes;
    std::smatch names;
    REQUIRE(std::regex_search(shapes, names, std::regex("<g class=\"([^\"]*)\"")));
    return names[1];
  }
  return "no arrow";
}

TEST_CASE("an arrow's class comes from the frame's effect, not from the fault's name") {
  using capture::EffectKind;
  const capture::FaultRule misnamed{.verb = capture::ActionVerb::delay,
                                    .name = "not corrupt, no duplicate"};
  CHECK(classes_of({.kind = EffectKind::delayed, .fault = misnamed}) == "frame delayed");
  CHECK(classes_of({.kind = EffectKind::reordered}) == "frame delayed");
  CHECK(classes_of({.kind = EffectKind::corrupted}) == "frame damaged");
  CHECK(classes_of({.kind = EffectKind::truncated}) == "frame damaged");
  CHECK(classes_of({.kind = EffectKind::duplicated}) == "frame duplicate");
  CHECK(classes_of({.kind = EffectKind::copied, .frame = 7}) == "frame duplicate");
  CHECK(classes_of({.kind = EffectKind::stepped}) == "frame");
}

TEST_CASE("a host keeps its colour when there are other hosts") {
  const auto color = [](const html::Scene& scene, const std::string& host) {
    return scene.lanes.at(scene.lane_of(host)).color;
  };
  const html::Scene two = html::lay_out(gathered(power_cycle()));
  const html::Scene three = html::lay_out(gathered(three_hosts()));
  std::set<int> colors;
  for (const html::Lifeline& lane : three.lanes) colors.insert(lane.color);
  CHECK(colors.size() == 3);
  CHECK(color(two, "kang") == color(three, "kang"));
  CHECK(color(two, "kodos") == color(three, "kodos"));
}

TEST_CASE("three hosts stand side by side, with the middle of the path in the middle") {
  const html::Scene scene = html::lay_out(gathered(three_hosts()));
  REQUIRE(scene.lanes.size() == 3);
  std::string order;
  for (const html::Lifeline& lane : scene.lanes) order += lane.host + " ";
  CHECK((order == "kodos kang krusty " || order == "krusty kang kodos "));
  CHECK(scene.lanes[0].x < scene.lanes[1].x);
}

TEST_CASE("text from the wire or a script never becomes markup or code") {
  SampleRun run = hostile_text();
  capture::RunStart start;
  start.title = "</title><script>alert(1)</script>";
  start.asks = "\"quoted\" & 'apostrophe' <b>";
  start.here = "</script><img src=x onerror=alert(2)>";
  SampleRun worse;
  worse.start(start);
  worse.hosts().action("kang", capture::ActionVerb::type, "dnc-2",
                       "</script><script>alert(3)</script>");
  worse.add(capture::Note{"<!--<script>"}).verdict(false, "<i>\"' onload=\"x", "]]>\x01\xff");
  for (const std::string& text : {page(run), page(worse)}) {
    CHECK(count(text, "<script") == 2);
    CHECK(count(text, "</script") == 2);
    CHECK(count(text, "<!--") == 0);
    CHECK_FALSE(has(text, "<img"));
    CHECK_FALSE(has(text, "<i>"));
    CHECK_FALSE(std::regex_search(body(text), std::regex("[\\x00-\\x08\\x0b-\\x1f\\x7f]")));
  }
  CHECK(has(page(run), "Title \\x1b[2J with \\xff and \\u202e bidi"));
}

TEST_CASE("characters with a meaning in HTML are escaped") {
  CHECK(html::escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html::escaped("\x1b\n") == "\\x1b\\n");
  CHECK(html::number(12) == "12");
  CHECK(html::number(-0.01) == "0");
  CHECK(html::number(12.34) == "12.3");
}

TEST_CASE("the diagram has every edge of Figure 5, and highlights the seen edges") {
  html::EdgeSet seen;
  seen.add(
      {.from = TcpState::established, .to = TcpState::closed, .cause = capture::StateCause::frame});
  seen.add({.from = TcpState::closed, .to = TcpState::listen, .cause = capture::StateCause::poll});
  seen.add(
      {.from = TcpState::time_wait, .to = TcpState::closed, .cause = capture::StateCause::power});
  const std::string text = html::diagram(seen);
  for (const reports::Edge& edge : state_diagram()) {
    if (edge.origin != Origin::figure) continue;
    const auto key = std::string(capture::name(edge.from)) + " " + std::string(name(edge.to));
    INFO(key);
    CHECK(count(text, "data-edge=\"" + key + "\"") == 1);
  }
  CHECK(has(text, "class=\"edge seen extra\" data-edge=\"ESTABLISHED CLOSED\""));
  CHECK(has(text, "class=\"edge seen\" data-edge=\"CLOSED LISTEN\""));
  CHECK(has(text, "class=\"edge\" data-edge=\"TIME_WAIT CLOSED\""));
}

TEST_CASE("an unfinished run, and a run without events or hosts, have a page") {
  CHECK(has(page(SampleRun{}), "unfinished"));
  SampleRun begun;
  begun.start({});
  CHECK(has(page(begun), "unfinished"));
  begun.add(capture::RunEnd{capture::Outcome::skipped, "no program tcpdump here", {}});
  CHECK(has(page(begun), "no program tcpdump here"));
}

TEST_CASE("a page of a very long run keeps a bounded number of steps, and counts the others") {
  SampleRun run;
  run.start({}).hosts();
  for (int index = 0; index < 21'000; ++index)
    run.later(std::chrono::milliseconds(1)).add(capture::Note{"again"});
  const html::PageRun kept = gathered(run);
  CHECK(kept.steps.size() < 20'300);
  CHECK(kept.left_out > 500);
}

}  // namespace tcplab::reports::tests
