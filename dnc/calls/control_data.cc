#include "dnc/calls/control_data.hh"

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace tcplab::dnc {

namespace {

template <typename Value>
std::optional<Value> value_of(const cmsghdr& header) {
  Value value{};
  if (header.cmsg_len < CMSG_LEN(sizeof value)) return std::nullopt;
  std::memcpy(&value, CMSG_DATA(&header), sizeof value);
  return value;
}

bool is_error_entry(const cmsghdr& header) {
  return (header.cmsg_level == SOL_IP && header.cmsg_type == IP_RECVERR) ||
         (header.cmsg_level == SOL_IPV6 && header.cmsg_type == IPV6_RECVERR);
}

/// What a timestamp is about: include/uapi/linux/errqueue.h.
std::string_view timestamp_name(std::uint32_t info) {
  switch (info) {
    case SCM_TSTAMP_SND:
      return "SCM_TSTAMP_SND";
    case SCM_TSTAMP_SCHED:
      return "SCM_TSTAMP_SCHED";
    case SCM_TSTAMP_ACK:
      return "SCM_TSTAMP_ACK";
    default:
      return {};
  }
}

}  // namespace

void ControlData::add(std::string_view name, std::int64_t value, std::string_view word) {
  if (count_ == members_.size()) return;
  members_[count_++] = {name, value};
  text_ += fmt::format("{}{}={}", text_.empty() ? "" : ", ", name,
                       word.empty() ? std::to_string(value) : std::string(word));
}

void ControlData::read_one(const cmsghdr& header) {
  if (header.cmsg_level == SOL_TCP && header.cmsg_type == TCP_CM_INQ) {
    if (const auto left = value_of<int>(header)) add("TCP_INQ", *left);
  } else if (header.cmsg_level == SOL_SOCKET && header.cmsg_type == SCM_TIMESTAMPING) {
    const auto stamps = value_of<scm_timestamping>(header);
    if (!stamps) return;
    add("tv_sec", stamps->ts[0].tv_sec);  // the kernel's; ts[2] is that of a network card
    add("tv_nsec", stamps->ts[0].tv_nsec);
  } else if (is_error_entry(header)) {
    const auto entry = value_of<sock_extended_err>(header);
    if (!entry) return;
    const bool is_timestamp = entry->ee_origin == SO_EE_ORIGIN_TIMESTAMPING;
    add("ee_errno", entry->ee_errno);
    add("ee_origin", entry->ee_origin);
    add("ee_info", entry->ee_info, is_timestamp ? timestamp_name(entry->ee_info) : "");
    add("ee_data", entry->ee_data);
  }
}

void ControlData::read(msghdr& message) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header))
    read_one(*header);
}

}  // namespace tcplab::dnc
