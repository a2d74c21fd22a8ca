#include "app/suite/snapshot_json.hh"

#include <nlohmann/json.hpp>

namespace tcplab::app {

namespace {

using capture::SendingInfo;
using capture::Socket;
using capture::SocketDetail;
using nlohmann::json;
using reports::HeldFrame;
using reports::HostSnapshot;

base::nanoseconds span(const json& value) { return base::nanoseconds(value.get<std::int64_t>()); }

json write(const SendingInfo& info) {
  return {{"rto", info.rto.count()},
          {"rtt", info.rtt.count()},
          {"unacked", info.unacked},
          {"retransmits", info.retransmits},
          {"backoff", info.backoff},
          {"lost", info.lost},
          {"cwnd", info.cwnd},
          {"ssthresh", info.ssthresh},
          {"all", info.all_retransmits},
          {"not_sent", info.not_sent},
          {"mss", info.mss}};
}

SendingInfo read_sending(const json& value) {
  return {.rto = span(value.at("rto")),
          .rtt = span(value.at("rtt")),
          .unacked = value.at("unacked"),
          .retransmits = value.at("retransmits"),
          .backoff = value.at("backoff"),
          .lost = value.at("lost"),
          .cwnd = value.at("cwnd"),
          .ssthresh = value.at("ssthresh"),
          .all_retransmits = value.at("all"),
          .not_sent = value.at("not_sent"),
          .mss = value.at("mss")};
}

json write(const SocketDetail& detail) {
  const Socket& socket = detail.socket;
  json value = {{"state", std::string(capture::name(socket.state))},
                {"local", socket.local.to_string()},
                {"remote", socket.remote.to_string()},
                {"receive_queue", socket.receive_queue},
                {"send_queue", socket.send_queue},
                {"timer", socket.timer},
                {"expires", socket.timer_expires_ms},
                {"retransmits", socket.retransmits}};
  if (detail.sending) value["sending"] = write(*detail.sending);
  return value;
}

SocketDetail read_socket(const json& value) {
  SocketDetail detail;
  Socket& socket = detail.socket;
  socket.state = capture::tcp_state(value.at("state").get<std::string>()).value();
  socket.local = base::Endpoint::parse(value.at("local").get<std::string>()).value();
  socket.remote = base::Endpoint::parse(value.at("remote").get<std::string>()).value();
  socket.receive_queue = value.at("receive_queue");
  socket.send_queue = value.at("send_queue");
  socket.timer = value.at("timer");
  socket.timer_expires_ms = value.at("expires");
  socket.retransmits = value.at("retransmits");
  if (value.contains("sending")) detail.sending = read_sending(value.at("sending"));
  return detail;
}

json write(const HeldFrame& frame) {
  return {{"frame", frame.frame},
          {"from", frame.from},
          {"to", frame.to},
          {"summary", frame.summary},
          {"why", frame.why},
          {"held", frame.held.count()},
          {"retransmissions", frame.retransmissions}};
}

HeldFrame read_frame(const json& value) {
  return {.frame = value.at("frame"),
          .from = value.at("from"),
          .to = value.at("to"),
          .summary = value.at("summary"),
          .why = value.at("why"),
          .held = span(value.at("held")),
          .retransmissions = value.at("retransmissions")};
}

json write(const HostSnapshot& host) {
  json sockets = json::array();
  for (const SocketDetail& detail : host.sockets) sockets.push_back(write(detail));
  return {{"host", host.host}, {"power", host.has_power}, {"sockets", std::move(sockets)}};
}

HostSnapshot read_host(const json& value) {
  HostSnapshot host{.host = value.at("host"), .has_power = value.at("power")};
  for (const json& socket : value.at("sockets")) host.sockets.push_back(read_socket(socket));
  return host;
}

}  // namespace

std::string to_json(const reports::Snapshot& stand) {
  json frames = json::array();
  for (const HeldFrame& frame : stand.frames) frames.push_back(write(frame));
  json hosts = json::array();
  for (const HostSnapshot& host : stand.hosts) hosts.push_back(write(host));
  const json value = {{"stepping", stand.is_stepping},
                      {"time_stops", stand.time_stops},
                      {"frames", std::move(frames)},
                      {"hosts", std::move(hosts)}};
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

reports::Snapshot parse_snapshot(const std::string& text) {
  const json value = json::parse(text);
  reports::Snapshot stand{.is_stepping = value.at("stepping"),
                          .time_stops = value.at("time_stops")};
  for (const json& frame : value.at("frames")) stand.frames.push_back(read_frame(frame));
  for (const json& host : value.at("hosts")) stand.hosts.push_back(read_host(host));
  return stand;
}

}  // namespace tcplab::app
