// A core file of a process that lives, read back.
#include "capture/memory/core_writer.hh"

#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.hh"
#include "capture/calls/stack_copy.hh"
#include "capture/memory/core_file.hh"
#include "tests/capture/temporary_file.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

int changed_data = 1;  // in the data of a file, and changed
const char text_of_file[] = "never changed";

/// A child that is stopped, with some memory of its own.
class StoppedChild {
public:
  StoppedChild() {
    large_ = static_cast<char*>(
        ::mmap(nullptr, 8 * kMiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    hidden_ = static_cast<char*>(
        ::mmap(nullptr, kMiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    process_ = ::fork();
    if (process_ == 0) run();
    REQUIRE(::ptrace(PTRACE_SEIZE, process_, nullptr, 0) == 0);
    int status = 0;
    REQUIRE(::waitpid(process_, &status, __WALL) == process_);
    REQUIRE(WIFSTOPPED(status));
  }
  ~StoppedChild() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, __WALL);
    ::munmap(large_, 8 * kMiB);
    ::munmap(hidden_, kMiB);
  }

  capture::DumpedProcess dumped() const {
    return {.process = process_,
            .own_process = 42,
            .signal = SIGABRT,
            .threads = {{.id = 43, .registers = registers()}}};
  }
  user_regs_struct registers() const { return capture::registers_of(process_).value(); }
  pid_t process() const { return process_; }
  Address large() const { return reinterpret_cast<Address>(large_); }
  Address hidden() const { return reinterpret_cast<Address>(hidden_); }

private:
  [[noreturn]] void run() {
    changed_data = 4711;
    std::strcpy(large_, "first page");
    std::memset(large_ + 4 * kMiB, 'x', kMiB);
    std::strcpy(hidden_, "secret");
    ::madvise(hidden_, kMiB, MADV_DONTDUMP);
    // Until it is traced, the signal stops it for its parent, too.
    ::raise(SIGSTOP);
    ::_exit(0);
  }

  char* large_ = nullptr;
  char* hidden_ = nullptr;
  pid_t process_ = 0;
};

Address address_of(const void* variable) { return reinterpret_cast<Address>(variable); }

}  // namespace

TEST_CASE("a core file of a process has its memory, its threads and its files") {
  const StoppedChild child;
  const tests::TemporaryFile file("core");
  const auto size = write_core(child.dumped(), file.path(), 64 * kMiB);
  CHECK(size.left_out == 0);
  CHECK(size.written >= kMiB);

  const capture::CoreFile core(file.path());
  CHECK(core.process() == 42);
  CHECK(core.signal() == SIGABRT);
  CHECK(core.foreign_files().empty());
  CHECK(core.identity().is_known());
  CHECK(core.identity().random == capture::program_identity(child.process()).random);
  CHECK(core.identity().vector == capture::program_identity(child.process()).vector);
  REQUIRE(core.threads().size() == 1);
  CHECK(core.threads()[0].id == 43);
  const auto stack = capture::stack_of(child.registers());
  CHECK(core.threads()[0].stack.registers == stack.registers);
  CHECK_FALSE(core.threads()[0].stack.memory.empty());

  const auto& memory = core.memory();
  CHECK(memory.value<int>(address_of(&changed_data)) == 4711);
  CHECK(memory.c_string(address_of(text_of_file)) == "never changed");
  CHECK(memory.c_string(child.large()) == "first page");
  CHECK(memory.value<char>(child.large() + 2 * kMiB) == 0);  // never used
  CHECK(memory.value<char>(child.large() + 5 * kMiB - 1) == 'x');
  CHECK_THROWS_AS(memory.c_string(child.hidden()), capture::UnreadableMemory);
  CHECK(core.image().program() == std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST_CASE("a core file is private, and takes the place of an older one") {
  const StoppedChild child;
  const tests::TemporaryFile file("core");
  file.write("older");
  write_core(child.dumped(), file.path(), 64 * kMiB);
  struct stat status {};
  REQUIRE(::stat(file.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK_NOTHROW(capture::CoreFile(file.path()));
}

TEST_CASE("memory that was never used takes no place in a core file") {
  const StoppedChild child;
  const tests::TemporaryFile file("core");
  const auto written = write_core(child.dumped(), file.path(), 64 * kMiB).written;
  struct stat status {};
  REQUIRE(::stat(file.path().c_str(), &status) == 0);
  constexpr std::uint64_t kBlock = 512;  // stat(2)
  CHECK(static_cast<std::uint64_t>(status.st_blocks) * kBlock < written + kMiB);
}

TEST_CASE("if a core file may not have all memory, it has that of small mappings") {
  const StoppedChild child;
  const tests::TemporaryFile file("core");
  const auto all = write_core(child.dumped(), file.path(), 64 * kMiB).written;
  const auto size = write_core(child.dumped(), file.path(), kMiB);
  CHECK(size.left_out > 0);
  CHECK(size.written + size.left_out >= all);
  CHECK(size.written <= 2 * kMiB);
  const capture::CoreFile core(file.path());
  CHECK_FALSE(core.threads()[0].stack.memory.empty());
}

TEST_CASE("a core file that cannot be written is said to be so") {
  const StoppedChild child;
  CHECK_THROWS_WITH(write_core(child.dumped(), "/proc/core", kMiB),
                    Catch::Matchers::Contains("cannot write /proc/core"));
  const tests::TemporaryFile file("core");
  const capture::DumpedProcess none{.process = 0x7fffffff};
  CHECK_THROWS_AS(write_core(none, file.path(), kMiB), base::SystemError);
  CHECK_FALSE(std::filesystem::exists(file.path()));
}
