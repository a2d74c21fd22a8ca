#include "tests/capture/runtimes/live/node_process.hh"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#include "base/error.hh"

namespace tcplab::tests {

namespace {

struct Pipe {
  base::FileDescriptor read;
  base::FileDescriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  base::check("pipe2", ::pipe2(ends.data(), O_CLOEXEC));
  return {.read = base::FileDescriptor(ends[0]), .write = base::FileDescriptor(ends[1])};
}

/// What /proc/PID/task/TID/syscall says; nothing if the thread is in no call.
struct WaitingThread {
  long call = -1;
  std::uint64_t argument = 0;
  capture::ThreadPosition position;
};

std::optional<WaitingThread> read_thread(const std::filesystem::path& folder) {
  std::ifstream file(folder / "syscall");
  std::vector<std::string> words{std::istream_iterator<std::string>(file), {}};
  constexpr std::size_t kWords = 9;  // the call, six arguments, the stack pointer, the counter
  if (words.size() != kWords) return std::nullopt;
  return WaitingThread{.call = std::stol(words[0]),
                       .argument = std::stoull(words[1], nullptr, 16),
                       .position = {.thread = std::stoi(folder.filename().string()),
                                    .program_counter = std::stoull(words[8], nullptr, 16),
                                    .stack_pointer = std::stoull(words[7], nullptr, 16)}};
}

}  // namespace

NodeProcess::NodeProcess(const std::vector<std::string>& options, const std::string& script,
                         const std::string& file)
    : script_(folder_.write(file, script)) {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  std::vector<std::string> words = options;
  words.insert(words.begin(), "node");
  words.push_back(script_);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = base::check("fork", ::fork());
  if (process_ == 0) {
    ::dup2(input.read.get(), STDIN_FILENO);
    ::dup2(output.write.get(), STDOUT_FILENO);
    ::execvp("node", arguments.data());
    ::_exit(127);
  }
  input_ = std::move(input.write);
  output_ = std::move(output.read);
}

NodeProcess::~NodeProcess() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

std::string NodeProcess::line() {
  std::string line;
  char character = 0;
  while (::read(output_.get(), &character, 1) == 1 && character != '\n') line += character;
  return line;
}

capture::ThreadPosition NodeProcess::wait_in(long call, int argument) const {
  const std::filesystem::path threads = "/proc/" + std::to_string(process_) + "/task";
  while (::kill(process_, 0) == 0) {  // the test's timeout ends it otherwise
    for (const auto& entry : std::filesystem::directory_iterator(threads)) {
      const auto thread = read_thread(entry.path());
      if (thread && thread->call == call &&
          thread->argument == static_cast<std::uint64_t>(argument))
        return thread->position;
    }
    std::this_thread::yield();
  }
  return {};
}

capture::ThreadPosition NodeProcess::wait_for_events() const {
  const std::string id = std::to_string(process_);
  while (::kill(process_, 0) == 0) {
    const auto thread = read_thread("/proc/" + id + "/task/" + id);
    const bool waits = thread && thread->call == SYS_epoll_pwait;
#if defined(__x86_64__)
    if (thread && (waits || thread->call == SYS_epoll_wait)) return thread->position;
#else
    if (waits) return thread->position;
#endif
    std::this_thread::yield();
  }
  return {};
}

std::unique_ptr<capture::Runtime> NodeProcess::runtime() {
  std::ifstream file("/proc/" + std::to_string(process_) + "/maps");
  std::ostringstream maps;
  maps << file.rdbuf();
  memory_ = std::make_unique<capture::LiveMemory>(process_);
  image_ = std::make_unique<capture::ProcessImage>(process_, maps.str());
  return capture::find_runtime(*image_, *memory_);
}

}  // namespace tcplab::tests
