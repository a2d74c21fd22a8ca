#include "reports/plots/plot_json.hh"

#include <nlohmann/json.hpp>

namespace tcplab::plots {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const FlowPlot& plot, Instant start) {
  const auto since = [start](Instant at) { return nanoseconds(at - start).count(); };
  Json segments = Json::array();
  for (const SentSegment& each : plot.segments)
    segments.push_back({each.event, since(each.at), each.begin, each.end,
                        static_cast<int>(each.kind), each.is_lost ? 1 : 0});
  Json acks = Json::array();
  for (const Acknowledged& each : plot.acknowledgments) {
    Json ack = {each.event, since(each.at), each.number, each.edge};
    for (const auto& [begin, end] : each.sack) {
      ack.push_back(begin);
      ack.push_back(end);
    }
    acks.push_back(std::move(ack));
  }
  const auto measures = [&since](const std::vector<Measure>& points) {
    Json list = Json::array();
    for (const Measure& each : points) list.push_back({each.event, since(each.at), each.value});
    return list;
  };
  Json kernel = Json::array();
  for (const KernelMeasure& each : plot.kernel)
    kernel.push_back({each.event, since(each.at), each.cwnd, each.ssthresh, each.window,
                      each.srtt.count(), each.rto.count()});
  return {{"from", plot.from},
          {"to", plot.to},
          {"source", plot.source.to_string()},
          {"destination", plot.destination.to_string()},
          {"segments", std::move(segments)},
          {"acks", std::move(acks)},
          {"flight", measures(plot.flight)},
          {"rtt", measures(plot.round_trips)},
          {"kernel", std::move(kernel)}};
}

}  // namespace

Json plots_json(const std::vector<FlowPlot>& plots, Instant start) {
  Json list = Json::array();
  for (const FlowPlot& plot : plots) list.push_back(json_of(plot, start));
  return list;
}

}  // namespace tcplab::plots
