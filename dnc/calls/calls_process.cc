// Calls that are about dnc's own process: what it may have, and what it may do.
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

CallResult Calls::limit_descriptors(int most) {
  CallRecord record{.call = "setrlimit"};
  record.arguments << "RLIMIT_NOFILE, " << most;
  const rlimit limit{.rlim_cur = static_cast<rlim_t>(most), .rlim_max = static_cast<rlim_t>(most)};
  const CallResult answer = make(record, [&limit] { return ::setrlimit(RLIMIT_NOFILE, &limit); });
  recorder_.leave(record);
  return answer;
}

// The C library has no capset(2), and its libcap would be one more library for this one call.
CallResult Calls::drop_capabilities() {
  CallRecord record{.call = "capset"};
  record.arguments << "none";
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  const CallResult answer =
      make(record, [&] { return ::syscall(SYS_capset, &header, none.data()); });
  recorder_.leave(record);
  return answer;
}

}  // namespace tcplab::dnc
