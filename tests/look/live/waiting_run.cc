#include "tests/look/live/waiting_run.hh"

#include <algorithm>
#include <fstream>
#include <ranges>

#include "capture/event/event_json.hh"
#include "look/ss_output.hh"

namespace tcplab::look::tests {

using capture::Call;
using capture::CallPhase;
using capture::Program;

namespace {

/// Reads "client: 8081 user timeout".
std::optional<Client> parse_client(const std::string& text) {
  constexpr std::string_view kBegin = "client: ";
  if (!text.starts_with(kBegin)) return std::nullopt;
  const std::string rest = text.substr(kBegin.size());
  return Client{.knob = rest.substr(rest.find(' ') + 1),
                .port = static_cast<std::uint16_t>(std::stoi(rest))};
}

}  // namespace

WaitingRun::WaitingRun(const std::string& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) note(capture::parse_event(line));
}

void WaitingRun::note(const capture::Event& event) {
  end_ = std::max(end_, event.at);
  if (const auto* said = std::get_if<capture::Note>(&event.body)) {
    next_client_ = parse_client(said->text).value_or(next_client_);
  } else if (const auto* program = std::get_if<Program>(&event.body)) {
    note_program(event, *program);
  } else if (const auto* call = std::get_if<Call>(&event.body)) {
    note_call(event, *call);
  } else if (const auto* packet = std::get_if<capture::Packet>(&event.body)) {
    packets_.push_back(*packet);
  }
}

void WaitingRun::note_program(const capture::Event& event, const Program& program) {
  const ProgramName name{program.host, program.program};
  if (program.host == "kodos") return;
  if (program.change == capture::ProgramChange::started && program.program.starts_with("dnc"))
    clients_[name] = next_client_;
  if (!program.program.starts_with("ss")) return;
  if (program.change == capture::ProgramChange::wrote && program.stream == "stdout")
    outputs_[name] += program.text;
  if (program.change != capture::ProgramChange::exited) return;
  Sight sight{.host = program.host, .at = event.at, .connections = {}};
  if (outputs_[name].find('\n') + 1 < outputs_[name].size())  // more than the heading
    for (LookedProcess& process : read_ss_output(outputs_[name]).processes)
      std::ranges::move(process.connections, std::back_inserter(sight.connections));
  sights_.push_back(std::move(sight));
}

void WaitingRun::note_call(const capture::Event& event, const Call& call) {
  const auto caller = clients_.find({call.host, call.program});
  if (caller == clients_.end()) return;
  if (call.phase == CallPhase::enter) {
    waits_.push_back(
        {.client = caller->second, .host = call.host, .call = call, .entered = event.at});
    return;
  }
  const auto found = std::ranges::find_if(waits_, [&](const ClientWait& wait) {
    return wait.client == caller->second && wait.call.id == call.id;
  });
  if (found == waits_.end()) return;
  found->call = call;
  found->returned = event.at;
}

std::vector<Client> WaitingRun::clients() const {
  std::vector<Client> all;
  for (const auto& [name, client] : clients_) all.push_back(client);
  std::ranges::sort(all, {}, &Client::port);
  return all;
}

const ClientWait* WaitingRun::wait_of(const Client& client, base::Instant at) const {
  const auto found = std::ranges::find_if(waits_, [&](const ClientWait& wait) {
    return wait.client == client && wait.entered < at && (!wait.returned || *wait.returned > at);
  });
  return found == waits_.end() ? nullptr : &*found;
}

const LookedConnection* Sight::connection_of(const Client& client) const {
  const auto found = std::ranges::find_if(connections, [&](const LookedConnection& each) {
    return each.remote && each.remote->port == client.port;
  });
  return found == connections.end() ? nullptr : &*found;
}

std::vector<capture::Packet> WaitingRun::segments(const Client& client) const {
  std::vector<capture::Packet> own;
  std::ranges::copy_if(packets_, std::back_inserter(own), [&](const capture::Packet& packet) {
    return packet.source.port == client.port || packet.destination.port == client.port;
  });
  return own;
}

}  // namespace tcplab::look::tests
