// Prints a table of the kernels' sockets: one line for each socket, under its host.
#include <fmt/format.h>

#include "app/shell/session.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kNarrow = 72;

std::string timer_text(const capture::Socket& socket) {
  std::string_view name;
  switch (socket.timer) {  // idiag_timer, sock_diag(7)
    case 1:
      name = "retransmits";
      break;
    case 2:
      name = "keepalive";
      break;
    case 3:
      name = "TIME_WAIT ends";
      break;
    case 4:
      name = "probes a zero window";
      break;
    default:
      return "";
  }
  std::string text = fmt::format(
      "{} in {}", name, base::describe(std::chrono::milliseconds(socket.timer_expires_ms)));
  if (socket.retransmits > 0) text += fmt::format(", retransmitted {} times", socket.retransmits);
  return text;
}

std::string holder_of(lab::Laboratory& laboratory, const lab::LabHost& host,
                      const lab::ConnectionKey& key, const capture::Socket& socket) {
  for (const auto& program : laboratory.programs().all())
    if (program->host() == host.name() && program->running() &&
        (program->sockets().owns(key) ||
         program->sockets().look_for(socket.inode) == netns::Holding::yes))
      return program->name();
  return "no program";
}

std::string queues_text(const capture::Socket& socket) {
  if (socket.state == capture::TcpState::listen)
    return socket.receive_queue == 0 ? "" : fmt::format("accept queue {}", socket.receive_queue);
  std::string text;
  if (socket.receive_queue > 0) text = fmt::format("{} bytes unread", socket.receive_queue);
  if (socket.send_queue > 0)
    text += fmt::format("{}{} bytes unacknowledged", text.empty() ? "" : ", ", socket.send_queue);
  return text;
}

std::string ends_text(const capture::Socket& socket) {
  std::string local = socket.local.to_string();
  if (socket.state == capture::TcpState::listen) return local;
  return local + " to " + socket.remote.to_string();
}

/// Returns one line for a wide terminal, several for a narrow one.
std::string socket_line(lab::Laboratory& laboratory, const lab::LabHost& host,
                        const lab::ConnectionKey& key, const capture::Socket& socket, int columns) {
  std::string rest = holder_of(laboratory, host, key, socket);
  for (const std::string& part : {queues_text(socket), timer_text(socket)})
    if (!part.empty()) rest += ", " + part;
  const std::string line = fmt::format("  {:<11} {}", name(socket.state), ends_text(socket));
  if (columns >= kNarrow && reports::columns(line) + reports::columns(rest) + 2 <= columns)
    return line + "  " + rest + "\n";
  std::string text;
  for (const std::string& words : {ends_text(socket), rest})
    for (const std::string& part : reports::wrap(words, std::max(columns - 14, 20)))
      text += std::string(14, ' ') + part + "\n";
  return text.replace(2, name(socket.state).size(), name(socket.state));
}

}  // namespace

std::string socket_states(lab::Laboratory& laboratory, int columns) {
  laboratory.sockets().look_at_all();
  std::string text;
  for (const auto& host : laboratory.hosts().all()) {
    text += host->name() + "  " + host->address().to_string() +
            (host->is_on() ? "" : "  has no power") + "\n";
    if (!host->is_on()) continue;
    const auto& sockets = host->sockets().connections().sockets();
    if (sockets.empty()) text += "  no socket\n";
    for (const auto& [key, socket] : sockets)
      text += socket_line(laboratory, *host, key, socket, columns);
  }
  return text.empty() ? "no hosts yet: kang, kodos = lab:pair()\n" : text;
}

}  // namespace tcplab::app
