#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

#include "capture/runtimes/find_runtime.hh"

namespace tcplab::capture {

namespace {

/// A Python of this machine that waits for a pipe, in a function.
class WaitingPython {
public:
  WaitingPython() {
    REQUIRE(::pipe(stdin_.data()) == 0);
    REQUIRE(::pipe(stdout_.data()) == 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(stdin_[0], 0);
      ::dup2(stdout_[1], 1);
      ::execlp("/usr/bin/python3", "python3", "-c",
               "import os\n"
               "def wait():\n"
               "  os.write(1, b'x')\n"
               "  os.read(0, 1)\n"
               "wait()",
               nullptr);
      ::_exit(1);
    }
    char ready = 0;
    REQUIRE(::read(stdout_[0], &ready, 1) == 1);
    const std::string waits = std::to_string(SYS_read) + " ";
    while (!content("syscall").starts_with(waits)) ::sched_yield();
  }
  WaitingPython(const WaitingPython&) = delete;
  WaitingPython& operator=(const WaitingPython&) = delete;
  ~WaitingPython() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    for (const int end : {stdin_[0], stdin_[1], stdout_[0], stdout_[1]}) ::close(end);
  }

  pid_t process() const { return process_; }

  std::string content(const std::string& file) const {
    std::ifstream from("/proc/" + std::to_string(process_) + "/" + file);
    std::ostringstream text;
    text << from.rdbuf();
    return text.str();
  }

private:
  std::array<int, 2> stdin_{};
  std::array<int, 2> stdout_{};
  pid_t process_ = 0;
};

/// The memory of a process, in which some bytes are others.
class ChangedMemory final : public ProcessMemory {
public:
  ChangedMemory(pid_t process, Address at, std::uint64_t value)
      : live_(process), at_(at), value_(value) {}

  std::size_t read(Address from, std::span<std::byte> into) const override {
    const std::size_t size = live_.read(from, into);
    if (from == at_ && size == sizeof value_) std::memcpy(into.data(), &value_, sizeof value_);
    return size;
  }

private:
  LiveMemory live_;
  Address at_;
  std::uint64_t value_;
};

}  // namespace

TEST_CASE("a Python of another version than it says has no frames, rather than wrong ones") {
  const WaitingPython python;
  const ProcessImage image(python.process(), python.content("maps"));
  const LiveMemory memory(python.process());
  const auto runtime = find_runtime(image, memory);
  REQUIRE(runtime != nullptr);
  const auto frames = frames_or_none(*runtime, {.thread = python.process()});
  CHECK(frames == std::vector<RuntimeFrame>{{"wait", "<string>", 4}, {"<module>", "<string>", 5}});

  std::string path = image.find_file("libpython3.");
  if (path.empty()) path = image.program();
  const Address version = address_of(image.symbols(path, "Py_Version"), "Py_Version");
  REQUIRE(version != 0);  // from 3.11 on
  const auto actual = memory.value<std::uint64_t>(version) >> 16 & 0xff;
  for (std::uint64_t minor = 7; minor < 16; ++minor) {
    if (minor == actual) continue;
    const ChangedMemory changed(python.process(), version, 3U << 24 | minor << 16);
    const auto mistaken = find_runtime(image, changed);
    INFO("taken for Python 3." << minor);
    CHECK((!mistaken || frames_or_none(*mistaken, {.thread = python.process()}).empty()));
  }
}

TEST_CASE("a thread that runs no Python has no frames of it") {
  const WaitingPython python;
  const ProcessImage image(python.process(), python.content("maps"));
  const LiveMemory memory(python.process());
  const auto runtime = find_runtime(image, memory);
  REQUIRE(runtime != nullptr);
  CHECK(frames_or_none(*runtime, {.thread = 1}).empty());
}

TEST_CASE("a program without a runtime has none") {
  const ProcessImage image(::getpid(), "");
  const LiveMemory memory(::getpid());
  CHECK(find_runtime(image, memory) == nullptr);
}

}  // namespace tcplab::capture
