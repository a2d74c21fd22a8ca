#include "uml/extended_state.hh"

#include <elf.h>
#include <sys/ptrace.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;

namespace {

/// The state of a process on a processor, as ptrace(2) shows it. Like xstateregs_set(), it takes
/// only all of it.
std::vector<unsigned char> machine_state;
int writes = 0;

long fake_ptrace(int request, pid_t /*process*/, const void* kind, iovec* area) {
  CHECK(reinterpret_cast<std::uintptr_t>(kind) == NT_X86_XSTATE);
  auto* bytes = static_cast<unsigned char*>(area->iov_base);
  if (request == PTRACE_GETREGSET) {
    area->iov_len = std::min(area->iov_len, machine_state.size());
    std::copy_n(machine_state.begin(), area->iov_len, bytes);
    return 0;
  }
  ++writes;
  if (area->iov_len != machine_state.size()) {
    errno = EFAULT;
    return -1;
  }
  std::copy_n(bytes, area->iov_len, machine_state.begin());
  return 0;
}

}  // namespace

TEST_CASE("a part of a larger state is written, and the rest stays", "[extended_state]") {
  machine_state.assign(11'008, 7);  // as with AMX
  writes = 0;
  std::array<unsigned char, 2696> known{};
  known.fill(3);
  CHECK(uml::set_extended_state(fake_ptrace, 1, {known.data(), known.size()}) == 0);
  CHECK(writes == 1);
  CHECK(std::ranges::count(machine_state, 3) == 2696);
  CHECK(std::ranges::count(machine_state, 7) == 11'008 - 2696);
}

TEST_CASE("a state that fits is written as it is", "[extended_state]") {
  machine_state.assign(832, 7);
  std::array<unsigned char, 832> known{};
  known.fill(3);
  CHECK(uml::set_extended_state(fake_ptrace, 1, {known.data(), known.size()}) == 0);
  CHECK(std::ranges::count(machine_state, 3) == 832);
}
