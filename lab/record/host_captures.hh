// Writes a capture file for each host of a run, with only what its own NICs saw. A file with both
// ends has each frame twice, so Wireshark takes the second one for a retransmission.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/files/pcapng.hh"

namespace tcplab::lab {

class HostCaptures {
public:
  /// The files are capture-HOST.pcapng in this folder, for the first 16 hosts.
  explicit HostCaptures(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Notes an interface of the run's capture: the next number, from 0. Throws base::SystemError if
  /// the host's file cannot be made.
  void add_interface(const std::string& host, const capture::PcapngInterface& interface,
                     const std::vector<std::pair<base::IpAddress, std::string>>& names);
  /// Writes a packet with that number to its host's file.
  void write(const capture::PcapngPacket& packet);
  void flush();
  /// Call it last.
  void finish();

private:
  struct Place {
    capture::PcapngWriter* file = nullptr;  // null: the host has none
    std::uint32_t interface = 0;            // its number there
  };

  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<capture::PcapngWriter>> files_;  // by host
  std::vector<Place> places_;                                            // of the run's interfaces
};

/// Returns the hosts' files in the folder of a run, sorted by name.
std::vector<std::filesystem::path> host_captures_in(const std::filesystem::path& run);

}  // namespace tcplab::lab
