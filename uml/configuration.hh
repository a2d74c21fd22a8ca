// The configuration of a host and its programs that the lab sends to the agent: values, and their
// payloads in messages.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "netns/host_config.hh"
#include "netns/machine_agent.hh"
#include "netns/view/private_file.hh"
#include "uml/message.hh"

namespace tcplab::uml {

/// What a guest is before its network is set up, which netlink(7) does.
struct Configuration {
  std::string name;
  std::string hosts;               // the text of /etc/hosts
  std::string folder;              // the lab's current folder
  std::vector<std::string> shown;  // folders of the machine that stay below /tmp, /var/tmp and /run
  std::vector<std::string> nics;   // names of the TAPs to create
  bool is_contained = false;       // programs cannot change the guest's system (netns::Containment)
};

/// The number, as of a descriptor, of the stream of calls of a traced program.
inline constexpr int kCallsStream = -1;

enum class StreamKind : std::uint8_t { input, output, nothing };

/// A program to start. Everything is as in netns::SpawnRequest, except for the descriptors, which
/// are the agent's pipes.
struct ProgramStart {
  std::vector<std::string> command;
  netns::Environment environment;  // all of it
  netns::Privileges privileges = netns::Privileges::all;
  bool user_namespaces = false;
  std::optional<netns::ProgramUser> user{};
  std::string folder{};  // empty: the lab's
  std::vector<netns::ResourceLimit> limits{};
  netns::ProcessMark mark{};
  bool has_terminal = false;  // its 0, 1 and 2; relayed as the streams 0 and 1
  std::map<int, StreamKind> descriptors;
  std::vector<std::string> trace{};  // requests to its tracer; empty: its calls are not traced
};

std::vector<std::uint8_t> write_payload(const Configuration& configuration);
Configuration read_configuration(Bytes payload);

std::vector<std::uint8_t> write_payload(const std::vector<base::IpAddress>& addresses);
std::vector<base::IpAddress> read_addresses(Bytes payload);

std::vector<std::uint8_t> write_payload(const netns::PrivateFile& file);
netns::PrivateFile read_private_file(Bytes payload);

std::vector<std::uint8_t> write_payload(const std::vector<netns::TracepointChoice>& choices);
std::vector<netns::TracepointChoice> read_tracepoints(Bytes payload);

std::vector<std::uint8_t> write_payload(const ProgramStart& start);
ProgramStart read_program_start(Bytes payload);

}  // namespace tcplab::uml
