// Guests on one link, and the clock that they share. Delivers every frame, and skips time when all
// of them are at rest.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/skip.hh"
#include "uml/guest.hh"

namespace tcplab::tests {

/// Returns the reason if there is no User-mode Linux here.
Obstacle no_guests();

/// Returns the folder of the programs without sanitizers (cmake/guest_bin.cmake). Guests show it,
/// even if it is below /tmp.
std::string guest_programs();

/// What a guest has said.
class Witness : public uml::GuestListener {
public:
  void frame(std::size_t nic, base::Instant sent, uml::Bytes frame, uml::Bytes answer) override;
  void output(pid_t program, int descriptor, uml::Bytes bytes) override;
  void output_end(pid_t program, int descriptor) override;
  void ended(pid_t program, int status) override;
  void dns_query(bool is_tcp, uml::Bytes asker, uml::Bytes query) override;
  void destroyed(uml::Bytes messages) override;

  struct SentFrame {
    base::Instant sent{};
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> answer;
  };
  std::vector<SentFrame> frames;  // that the lab has not delivered yet
  std::map<std::pair<pid_t, int>, std::string> outputs;
  std::vector<std::pair<pid_t, int>> closed;
  std::map<pid_t, int> ends;
  int destroyed_messages = 0;
};

/// How the kernels' processes are confined on the machine.
struct Confinement {
  bool is_confined = true;
  std::shared_ptr<const netns::MachineView> view{};  // of the machine's files
};

class GuestLab {
public:
  /// Boots guests with these names, the addresses 10.0.0.1, fd00::1 and so on.
  explicit GuestLab(const std::vector<std::string>& names, const Confinement& confinement = {});

  uml::Guest& guest(const std::string& name) { return *guests_.at(index_of(name)); }
  Witness& witness(const std::string& name) { return witnesses_.at(index_of(name)); }
  base::IpAddress address(const std::string& name, base::Family family) const;
  uml::GuestClock& clock() { return clock_; }

  /// Starts a program with pipes for 0, 1 and 2. `trace`: requests to its tracer.
  pid_t run(const std::string& name, const std::vector<std::string>& command,
            const std::vector<std::string>& trace = {},
            netns::Privileges privileges = netns::Privileges::server);
  std::string text(const std::string& name, pid_t program) {
    return witness(name).outputs[{program, 1}] + witness(name).outputs[{program, 2}];
  }

  std::string all_text(const std::string& name);
  /// Returns of how many connections the host's kernel said this state with a frame (tcp_states.h).
  std::size_t connections_in(const std::string& name, int state) const {
    const auto found = states_.find({index_of(name), state});
    return found == states_.end() ? 0 : found->second.size();
  }

  /// Carries frames, and skips time, until the condition holds. Returns false if it does not hold
  /// after that time of the virtual clock.
  bool await(const std::function<bool()>& condition, std::chrono::seconds limit);
  bool await_text(const std::string& name, pid_t program, const std::string& text,
                  std::chrono::seconds limit = std::chrono::seconds(10));
  void cut_power(const std::string& name) { guest(name).power_off(); }

  int skips = 0;
  int carried = 0;

private:
  std::size_t index_of(const std::string& name) const;
  netns::HostConfig config_of(std::size_t index) const;
  bool receive();
  void note_state(std::size_t guest, uml::Bytes answer);
  void deliver(std::size_t from, const Witness::SentFrame& frame);
  void wait(base::Instant deadline) const;

  uml::GuestClock clock_;
  std::vector<std::string> names_;
  std::vector<Witness> witnesses_;
  using Ports = std::pair<std::uint16_t, std::uint16_t>;
  std::map<std::pair<std::size_t, int>, std::set<Ports>> states_;
  std::vector<std::unique_ptr<uml::Guest>> guests_;
};

}  // namespace tcplab::tests
