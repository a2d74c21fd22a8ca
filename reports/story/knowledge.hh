// Describes three views of each host: what its program knows, what its kernel knows, and what is
// true. That they differ is the point of the article. Takes events in order of time, and describes
// the views after any event. Pure: it uses nothing but the events.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "reports/story/known_program.hh"
#include "reports/story/known_socket.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

/// What is true of one host after an event. Lines are separated by '\n': a program, or a
/// connection, each.
struct HostView {
  std::string host;
  std::string program;
  std::string kernel;  // empty if no connection was seen
  std::string truth;
  bool is_mistaken = false;                 // what its kernel believes is not so
  std::vector<capture::TcpState> states{};  // of its connections, the youngest last

  bool operator==(const HostView&) const = default;
};

class Knowledge {
public:
  void see(const capture::Event& event);
  /// In the order in which the hosts came up.
  std::vector<HostView> views() const;

private:
  struct Host {
    std::string name;
    std::vector<base::IpAddress> addresses;
    bool has_power = true;
    bool is_plugged = true;
    std::string last_blow;  // "was power cycled at 0.9 s"
    std::vector<KnownProgram> programs;
    std::vector<KnownSocket> sockets;
  };

  void see_body(const capture::Event& event, const capture::RunStart& run);
  void see_body(const capture::Event& event, const capture::HostUp& up);
  void see_body(const capture::Event& event, const capture::Program& program);
  void see_body(const capture::Event& event, const capture::Call& call);
  void see_body(const capture::Event& event, const capture::State& state);
  void see_body(const capture::Event& event, const capture::Packet& packet);
  void see_body(const capture::Event& event, const capture::Action& action);

  Host& host(const std::string& name);
  KnownProgram& program(Host& host, const std::string& name);
  static void lose_power(Host& host);
  std::string time(capture::Instant at) const;
  const Host* owner(const base::IpAddress& address) const;
  HostView view(const Host& host) const;
  std::string truth_about(const KnownSocket& socket, bool& is_mistaken) const;

  std::vector<Host> hosts_;
  HostNames names_;
  std::optional<capture::Instant> start_;
};

}  // namespace tcplab::reports
