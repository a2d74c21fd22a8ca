#include "lab/machine/run_usage.hh"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab::lab;
namespace base = tcplab::base;

namespace {

constexpr std::size_t kSize = std::size_t{32} << 20;

void* memory_with_pages(int sharing) {
  void* memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  std::memset(memory, 1, kSize);
  return memory;
}

/// A child with memory of its own, and with two children that share it.
class Family {
public:
  explicit Family(int sharing) {
    base::Pipe ready = base::make_pipe();
    parent_ = ::fork();
    if (parent_ == 0) {
      ::setpgid(0, 0);
      memory_with_pages(sharing);
      for (int i = 0; i < 2; ++i)
        if (::fork() == 0) break;
      static_cast<void>(::write(ready.write_end.get(), "x", 1));
      for (;;) ::pause();
    }
    char word = 0;
    for (int i = 0; i < 3; ++i) REQUIRE(::read(ready.read_end.get(), &word, 1) == 1);
  }
  ~Family() {
    ::kill(-parent_, SIGKILL);
    ::waitpid(parent_, nullptr, 0);
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  /// Ends all of it. The parent stays a zombie.
  void end() const {
    ::kill(-parent_, SIGKILL);
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(parent_), &ended, WEXITED | WNOWAIT);
  }

private:
  pid_t parent_ = 0;
};

}  // namespace

TEST_CASE("a look counts every process below a run, and its memory") {
  const Family family(MAP_PRIVATE);
  const RunUsage quick = ProcessTable().usage_of(::getpid(), Counting::quick);
  CHECK(quick.processes == 3);
  CHECK(quick.memory > 1 << 20);
  CHECK(quick.program_memory >= 3 * kSize);
}

TEST_CASE("an exact look counts memory once that processes share") {
  for (const int sharing : {MAP_PRIVATE, MAP_SHARED}) {
    const Family family(sharing);
    const RunUsage exact = ProcessTable().usage_of(::getpid(), Counting::exact);
    CHECK(exact.program_memory > kSize / 2);
    CHECK(exact.program_memory < 2 * kSize);
  }
}

TEST_CASE("an exact look counts nothing of a process that has ended since the table was read") {
  const Family family(MAP_PRIVATE);
  const ProcessTable table;
  family.end();
  CHECK(table.usage_of(::getpid(), Counting::exact).program_memory < 2 * kSize);
}

TEST_CASE("a run that has ended uses nothing") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  CHECK(ProcessTable().usage_of(child, Counting::quick).memory == 0);
}

TEST_CASE("the machine uses memory, and runs processes") {
  const MachineUsage machine = look_at_machine();
  CHECK(machine.processes > 1);
  CHECK(machine.memory > 1 << 20);
}
