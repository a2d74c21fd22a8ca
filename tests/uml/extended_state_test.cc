#include "uml/extended_state.hh"

#include <elf.h>
#include <sys/ptrace.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;

namespace {

/// The state of a process on a processor, as ptrace(2) shows it. It takes only all of it, as
/// xstateregs_set() does, and nothing beyond it (ptrace_regset()).
std::vector<unsigned char> machine_state;
int writes = 0;

constexpr pid_t kProcess = 1;

long fake_ptrace(int request, pid_t /*process*/, const void* kind, iovec* area) {
  CHECK(reinterpret_cast<std::uintptr_t>(kind) == NT_X86_XSTATE);
  auto* bytes = static_cast<unsigned char*>(area->iov_base);
  if (request == PTRACE_GETREGSET) {
    area->iov_len = std::min(area->iov_len, machine_state.size());
    std::copy_n(machine_state.begin(), area->iov_len, bytes);
    return 0;
  }
  ++writes;
  if (area->iov_len < machine_state.size()) {
    errno = EFAULT;
    return -1;
  }
  std::copy_n(bytes, machine_state.size(), machine_state.begin());
  return 0;
}

/// UML's buffer for the states of this machine's processes.
class Machine {
public:
  explicit Machine(std::size_t size) {
    machine_state.assign(size, 7);
    writes = 0;
  }
  long read() {
    iovec area{buffer.data(), buffer.size()};
    return states->read(kProcess, area);
  }
  long write() { return states->write(kProcess, {buffer.data(), buffer.size()}); }

  std::vector<unsigned char> buffer = std::vector<unsigned char>(2696, 3);
  std::unique_ptr<uml::ExtendedStates> states = std::make_unique<uml::ExtendedStates>(fake_ptrace);
};

}  // namespace

TEST_CASE("a part of a larger state is written, and the rest stays", "[extended_state]") {
  Machine machine(11'008);  // as with AMX
  for (const unsigned char byte : {'\3', '\4'}) {
    std::ranges::fill(machine.buffer, byte);
    CHECK(machine.write() == 0);
    CHECK(std::ranges::count(machine_state, byte) == 2696);
    CHECK(std::ranges::count(machine_state, 7) == 11'008 - 2696);
  }
  CHECK(writes == 2);
}

TEST_CASE("a state that fits is written as it is", "[extended_state]") {
  Machine machine(2696);
  for (const unsigned char byte : {'\3', '\4'}) {
    std::ranges::fill(machine.buffer, byte);
    CHECK(machine.write() == 0);
    CHECK(std::ranges::count(machine_state, byte) == 2696);
  }
}

TEST_CASE("a state that was read is not written again until the process runs", "[extended_state]") {
  for (const std::size_t size : {832U, 2696U, 11'008U}) {
    INFO(size);
    Machine machine(size);
    CHECK(machine.read() == 0);
    CHECK(machine.write() == 0);
    CHECK(machine.write() == 0);
    CHECK(writes == 0);
    machine.states->forget(kProcess);
    CHECK(machine.write() == 0);
    CHECK(writes == 1);
    CHECK(machine.write() == 0);
    CHECK(writes == 2);  // nobody has read it since
  }
}

TEST_CASE("a changed state is written", "[extended_state]") {
  Machine machine(832);
  CHECK(machine.read() == 0);
  machine.buffer[831] = 5;
  CHECK(machine.write() == 0);
  CHECK(writes == 1);
  CHECK(machine_state[831] == 5);
}

TEST_CASE("a state of one process is not taken for that of another", "[extended_state]") {
  Machine machine(832);
  CHECK(machine.read() == 0);
  iovec area{machine.buffer.data(), machine.buffer.size()};
  CHECK(machine.states->write(kProcess + 1, area) == 0);
  CHECK(writes == 1);
  CHECK(machine.states->write(kProcess + 32, area) == 0);  // the same place
  CHECK(writes == 2);
  CHECK(machine.write() == 0);
  CHECK(writes == 2);
}
