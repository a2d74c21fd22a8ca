// A run of timeout_rows.lua: its clients, what ss(8) showed while they waited, and how their waits
// ended.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "look/looked_process.hh"

namespace tcplab::look::tests {

/// A client: the setting that it has, and the server's port, which no other client uses.
struct Client {
  std::string knob;  // "user timeout"
  std::uint16_t port = 0;

  auto operator<=>(const Client&) const = default;
};

/// A call of a client.
struct ClientWait {
  Client client;
  std::string host;
  capture::Call call{};
  base::Instant entered{};
  std::optional<base::Instant> returned{};  // empty: not until the run ended
};

/// What ss showed of the connections of one host.
struct Sight {
  std::string host;
  base::Instant at{};
  std::vector<LookedConnection> connections;

  /// Returns the client's connection; null if the kernel has none.
  const LookedConnection* connection_of(const Client& client) const;
};

class WaitingRun {
public:
  /// Reads events.jsonl of a run.
  explicit WaitingRun(const std::string& file);

  /// Returns the clients in the order in which they started.
  std::vector<Client> clients() const;
  /// Returns the client's call that was under way at that time; null if none was.
  const ClientWait* wait_of(const Client& client, base::Instant at) const;
  const std::vector<Sight>& sights() const { return sights_; }
  /// Returns the client's segments, of both directions.
  std::vector<capture::Packet> segments(const Client& client) const;
  base::Instant end() const { return end_; }

private:
  using ProgramName = std::pair<std::string, std::string>;  // host, program

  void note(const capture::Event& event);
  void note_program(const capture::Event& event, const capture::Program& program);
  void note_call(const capture::Event& event, const capture::Call& call);

  Client next_client_;
  std::map<ProgramName, Client> clients_;
  std::map<ProgramName, std::string> outputs_;  // of ss
  std::vector<ClientWait> waits_;
  std::vector<Sight> sights_;
  std::vector<capture::Packet> packets_;
  base::Instant end_{};
};

}  // namespace tcplab::look::tests
