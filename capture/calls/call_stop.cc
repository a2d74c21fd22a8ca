#include "capture/calls/call_stop.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

/// The arguments of the call that socketcall(2) makes. Fewer may be there: the kernel reads as many
/// as the call has.
void take_arguments_in_memory(CallStop& stop) {
  const auto words = read_values<std::uint32_t>(stop.thread, stop.arguments_at, 6);
  stop.arguments = {};
  std::ranges::copy(words, stop.arguments.begin());
}

}  // namespace

CallStop call_stop(pid_t process, pid_t thread, const SyscallInfo& info) {
  CallStop stop{.process = process, .thread = thread, .abi = abi_of(info.arch)};
  std::copy_n(info.entry.args, stop.arguments.size(), stop.arguments.begin());
  const auto number = static_cast<long>(info.entry.nr);
  if (stop.abi == Abi::i386 && number == kSocketCall) {
    const std::uint64_t which = stop.arguments[0];
    stop.arguments_at = stop.arguments[1];
    take_arguments_in_memory(stop);
    stop.call = find_socket_call(which, stop.arguments);
  } else {
    stop.call = find_traced_call(stop.abi, number, stop.arguments);
  }
  return stop;
}

}  // namespace tcplab::capture
