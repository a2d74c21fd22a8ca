// Calls about dnc's own process: its limits and its capabilities.
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

CallResult Calls::limit_descriptors(int limit) {
  CallRecord record{.call = "setrlimit"};
  record.arguments << "RLIMIT_NOFILE, " << limit;
  const rlimit both{.rlim_cur = static_cast<rlim_t>(limit), .rlim_max = static_cast<rlim_t>(limit)};
  const CallResult answer = make(record, [&both] { return ::setrlimit(RLIMIT_NOFILE, &both); });
  recorder_.leave(record);
  return answer;
}

// Uses syscall(2), because the C library has no capset(2), and libcap is not worth its weight here.
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
