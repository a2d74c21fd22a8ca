// The control messages that recvmsg(2) gives with data (cmsg(3)): how much is left to read, and
// when the kernel has sent or received something.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

/// The members of what came, with the C names of tcp(7) and socket(7). It lives while a record
/// points to it.
class ControlData {
public:
  /// Reads the control messages: TCP_INQ, SCM_TIMESTAMPING, and the entry of the error queue that
  /// IP_RECVERR or IPV6_RECVERR describes. Others are left out.
  void read(msghdr& message);

  std::span<const MemberValue> members() const { return {members_.data(), count_}; }
  /// Returns "TCP_INQ=5" or "tv_sec=1764, tv_nsec=5, ee_info=SCM_TSTAMP_ACK, ee_data=21".
  const std::string& text() const { return text_; }

private:
  void add(std::string_view name, std::int64_t value, std::string_view word = {});
  void read_one(const cmsghdr& header);

  std::array<MemberValue, 8> members_{};
  std::size_t count_ = 0;
  std::string text_;
};

}  // namespace tcplab::dnc
