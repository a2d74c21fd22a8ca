// Counts the frames of a capture that carry something that tcplab does not decode, by what it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/follow/conversation.hh"

namespace tcplab::reports {

/// Returns "LLDP", "EtherType 0x1234", "WireGuard".
std::string name(const capture::Undecoded& undecoded);

class UndecodedFrames {
public:
  struct Count {
    std::string name;
    std::uint64_t frames = 0;
  };

  /// Counts the frame if a layer of it was not decoded.
  void note(const capture::DecodedFrame& frame);
  std::uint64_t total() const { return total_; }
  /// Returns the counts, the highest first.
  std::vector<Count> counts() const;

private:
  std::map<capture::Undecoded, std::uint64_t> frames_;
  std::map<std::string_view, std::uint64_t> malformed_;  // by what is wrong
  std::uint64_t total_ = 0;
};

/// Returns "12 frames of MPLS, 3 of LLDP"; at most five names.
std::string words_of(const std::vector<UndecodedFrames::Count>& counts);

}  // namespace tcplab::reports
