#include "reports/html/diagram.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "reports/coverage/state_diagram.hh"
#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

using capture::TcpState;
using enum TcpState;

constexpr double kWidth = 360;
constexpr double kHeight = 372;
constexpr double kNodeWidth = 92;
constexpr double kNodeHeight = 20;

struct Node {
  TcpState state;
  double x;
  double y;
};

// CLOSED appears twice: where connections begin, and where they end.
constexpr std::array<Node, 12> kNodes = {{{closed, 180, 20.8},
                                          {listen, 180, 73.6},
                                          {syn_recv, 66, 128},
                                          {syn_sent, 294, 128},
                                          {established, 180, 182.4},
                                          {fin_wait1, 66, 236.8},
                                          {close_wait, 294, 236.8},
                                          {fin_wait2, 66, 294.4},
                                          {closing, 180, 294.4},
                                          {last_ack, 294, 294.4},
                                          {time_wait, 180, 352},
                                          {closed, 294, 352}}};

struct Route {
  TcpState from;
  TcpState to;
  std::string_view path;
};

// The figure's edges, then those that its notes and section 3.10 add (aborts, resets).
constexpr std::array<Route, 32> kRoutes = {{
    {closed, listen, "M174 31.2V61.6"},
    {listen, closed, "M186 63.2V32.8"},
    {closed, syn_sent, "M226 24C285 32 306 72 300 116"},
    {syn_sent, closed, "M288 117.6C288 76 270 44 228 29.6"},
    {listen, syn_recv, "M134 76.8C95 81.6 74 96 68 116"},
    {listen, syn_sent, "M226 76.8C258 83.2 278 97.6 288 116"},
    {syn_sent, syn_recv, "M248 128H114"},
    {syn_sent, established, "M282 138.4C270 160 250 172 228 179.2"},
    {syn_recv, established, "M78 138.4C90 160 110 172 132 179.2"},
    {syn_recv, listen, "M84 117.6C94 99.2 110 88 132 81.6"},
    {syn_recv, fin_wait1, "M60 138.4V224.8"},
    {established, fin_wait1, "M140 192.8C120 209.6 98 217.6 80 224.8"},
    {established, close_wait, "M220 192.8C240 209.6 262 217.6 280 224.8"},
    {fin_wait1, fin_wait2, "M66 247.2V282.4"},
    {fin_wait1, closing, "M100 247.2C130 260 152 272 166 282.4"},
    {close_wait, last_ack, "M294 247.2V282.4"},
    {fin_wait2, time_wait, "M76 304.8C90 329.6 112 344 132 348.8"},
    {closing, time_wait, "M180 304.8V340"},
    {last_ack, closed, "M294 304.8V340"},
    {time_wait, closed, "M226 352H246"},
    {fin_wait1, time_wait, "M92 247.2C128 276 140 316 158 340"},
    {established, closed, "M216 172C248 136 246 64 214 32.8"},
    {syn_recv, closed, "M30 117.6C14 72 70 27.2 132 22.4"},
    {fin_wait1, closed, "M20 240C-14 304 10 377.6 130 377.6C220 379.2 262 374.4 284 364"},
    {fin_wait2, closed, "M40 304.8C52 352 90 372.8 150 374.4C220 376 262 371.2 280 364"},
    {close_wait, closed, "M340 240C362 272 362 328 342 347.2"},
    {closing, closed, "M208 304.8C230 316.8 252 329.6 266 340"},
    {syn_recv, close_wait, "M112 132.8C200 140.8 262 184 288 224.8"},
    {closed, established, "M146 31.2C112 72 120 144 152 170.4"},
    {closed, syn_recv, "M134 24C84 35.2 58 72 60 116"},
    {time_wait, syn_recv, "M134 356.8C40 368 6 320 12 240C14 200 20 160 44 140"},
    {time_wait, syn_sent, "M220 341.6C350 320 366 208 312 140"},
}};

const Node& node_of(TcpState state, bool is_end) {
  if (state == closed && is_end) return kNodes.back();
  for (const Node& node : kNodes)
    if (node.state == state) return node;
  return kNodes.front();
}

/// Returns the events that cause this transition, one per line, escaped.
std::string occasions(const StatePair& pair) {
  std::string text;
  for (const reports::Edge& edge : reports::state_diagram())
    if (edge.from == pair.first && edge.to == pair.second)
      text += fmt::format("\n{} ({})", escaped(edge.event), escaped(edge.source));
  return text;
}

bool is_in_figure(const StatePair& pair) {
  return std::ranges::any_of(reports::state_diagram(), [&pair](const reports::Edge& edge) {
    return edge.from == pair.first && edge.to == pair.second &&
           edge.origin == reports::Origin::figure;
  });
}

/// Returns a straight line between the borders of two nodes.
std::string straight(const StatePair& edge) {
  const Node& from = node_of(edge.first, false);
  const Node& to = node_of(edge.second, true);
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double reach = std::min(std::abs(kNodeWidth / 2 / (dx == 0 ? 1e-9 : dx)),
                                std::abs(kNodeHeight / 2 / (dy == 0 ? 1e-9 : dy)));
  const double begin = std::min(reach, 0.4);
  const double end = 1 - begin;
  return fmt::format("M{} {}L{} {}", number(from.x + begin * dx), number(from.y + begin * dy),
                     number(from.x + end * dx), number(from.y + end * dy));
}

std::string draw_edge(const StatePair& edge, std::string_view path, bool is_seen,
                      const EdgeNote& note) {
  const auto from = capture::name(edge.first);
  const auto to = capture::name(edge.second);
  std::string title = fmt::format("{} → {}", from, to) + occasions(edge);
  const std::string more = note ? note(edge) : "";
  if (!more.empty()) title += "\nseen in: " + escaped(more);
  return fmt::format(
      "<g class=\"edge{}{}\" data-edge=\"{} {}\"><title>{}</title>"
      "<path class=\"broad\" d=\"{}\"/><path class=\"line\" d=\"{}\"/></g>\n",
      is_seen ? " seen" : "", is_in_figure(edge) ? "" : " extra", from, to, title, path, path);
}

std::string edges(const EdgeSet& seen, const EdgeNote& note) {
  std::string out;
  EdgeSet left = seen;
  for (const Route& route : kRoutes) {
    const StatePair edge{route.from, route.to};
    const bool is_seen = left.take(edge);
    if (is_seen || is_in_figure(edge)) out += draw_edge(edge, route.path, is_seen, note);
  }
  // Changes that are not in the diagram: several transitions seen as one, or a finding.
  for (const StatePair& edge : left.all())
    if (edge.first != close && edge.second != close && edge.first != edge.second)
      out += draw_edge(edge, straight(edge), true, note);
  return out;
}

std::string draw_node(const Node& node, bool is_end) {
  const auto name = capture::name(node.state);
  return fmt::format(
      "<g class=\"node s-{}\" data-node=\"{}{}\" data-x=\"{}\" data-y=\"{}\"><rect x=\"{}\" "
      "y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"{}\" y=\"{}\">{}</text></g>\n",
      name, name, is_end ? " end" : "", number(node.x), number(node.y),
      number(node.x - kNodeWidth / 2), number(node.y - kNodeHeight / 2), number(kNodeWidth),
      number(kNodeHeight), number(node.x), number(node.y + 4), name);
}

}  // namespace

std::string diagram(const EdgeSet& seen, const EdgeNote& note) {
  std::string out = fmt::format(
      "<svg class=\"states\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"The state diagram of "
      "RFC 9293, figure 5\">\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0.5L8 4L0 "
      "7.5z\"/></marker></defs>\n",
      number(kWidth), number(kHeight));
  out += edges(seen, note);
  for (std::size_t index = 0; index < kNodes.size(); ++index)
    out += draw_node(kNodes[index], index + 1 == kNodes.size());
  return out + "<g class=\"tokens\"></g></svg>\n";
}

}  // namespace tcplab::html
