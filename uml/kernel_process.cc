#include "uml/kernel_process.hh"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hh"
#include "base/split.hh"
#include "uml/guest_channel.hh"
#include "uml/parts.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;

// The descriptors of the kernel process.
constexpr int kChannel = 3;
constexpr int kPage = 4;
constexpr int kBell = 5;
constexpr int kView = 6;
constexpr int kFirstClosed = 7;

constexpr std::size_t kMostSaid = 16 * 1024;
constexpr int kLongestEnd = 5000;  // milliseconds that a kernel takes to end, on a busy machine

/// A copy above the numbers that the new process uses.
FileDescriptor duplicate_above(int descriptor) {
  return FileDescriptor(
      base::check("duplicate a descriptor", ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstClosed)));
}

std::string quoted(const std::string& path) {
  return path.find(' ') == std::string::npos ? path : '"' + path + '"';
}

/// The functions of a kernel that it does not call when it boots: they take time, and the host does
/// not need them.
std::string left_out(const KernelRequest& request) {
  std::string functions =
      "raid6_select_algo,"   // a benchmark that takes a second
      "loop_init,nbd_init,"  // block devices: their queues take 8 ms
      "ssl_init";            // serial lines
  // In the formats of tracepoints, it replaces names by numbers. That takes 4 ms, and only a run
  // that reads tracepoints needs it.
  if (!request.has_tracepoints) functions += ",trace_eval_init";
  return functions;
}

std::vector<std::string> command_line(const KernelRequest& request, const Parts& parts) {
  std::vector<std::string> words{
      request.kernel, "mem=" + std::to_string(request.memory) + "M", "rootfstype=hostfs",
      "rootflags=/", "ro", "init=" + quoted(parts.agent), "con=null", "con0=null,fd:1", "ssl=null",
      // The kernel makes a folder for its console of commands; the preload library prevents that.
      std::string("uml_dir=") + kNoFolder + "/", "quiet", "initcall_blacklist=" + left_out(request),
      "pty.legacy_count=0",  // 6.1 starts a program for each of 512 devices, which takes 0.2 s
      "lpj=20000000",  // else it counts the loops of several ticks, which are long on a slow clock
      "vec0:transport=fd,fd=" + std::to_string(kChannel) + ",mtu=" + std::to_string(kChannelMtu)};
  if (!request.modules.empty()) words.push_back("TCPLAB_MODULES=" + quoted(request.modules));
  return words;
}

/// True if the kernel's memory, a file that it executes, can be in /dev/shm: that may be small, as
/// in containers, or mounted with noexec.
bool has_room(unsigned megabytes) {
  struct statvfs room {};
  if (::statvfs("/dev/shm", &room) == -1 || (room.f_flag & ST_NOEXEC) != 0) return false;
  return room.f_bavail * room.f_bsize >= std::uint64_t{megabytes} << 21;
}

std::vector<std::string> environment(const KernelRequest& request, const Parts& parts,
                                     const ClockPlace& place) {
  const auto number = [](const char* variable, auto value) {
    return std::string(variable) + "=" + std::to_string(value);
  };
  std::vector<std::string> variables{"LD_PRELOAD=" + parts.preload, number(kPageVariable, kPage),
                                     number(kSlotVariable, place.number()),
                                     number(kBellVariable, kBell),
                                     number(kOwnerVariable, ::getpid())};
  if (request.view)
    variables.push_back(std::string("TMPDIR=") + kOwnPlace);
  else if (!request.is_confined && !has_room(request.memory))
    variables.emplace_back("TMPDIR=/tmp");
  variables.push_back(number(kConfinedVariable, request.is_confined ? 1 : 0));
  variables.push_back(number(kViewVariable, request.view ? kView : -1));
  return variables;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// While it lives, programs that this thread starts have their heap right behind their data.
/// Otherwise a kernel finds up to 1 GB between the two, which it takes for memory, and boots a
/// fifth slower. Later versions of UML do so themselves (arch/um/os-Linux/main.c).
class FixedAddresses {
public:
  FixedAddresses() : before_(::personality(kAsk)) {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
  }
  ~FixedAddresses() {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_));
  }
  FixedAddresses(const FixedAddresses&) = delete;
  FixedAddresses& operator=(const FixedAddresses&) = delete;

private:
  static constexpr unsigned long kAsk = 0xffffffff;  // personality(2): returns it, changes nothing

  int before_;
};

/// posix_spawn(3) with all that it needs.
pid_t spawn(const std::vector<std::string>& words, const std::vector<std::string>& variables,
            const std::array<int, kFirstClosed>& descriptors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int number = 0; number < kFirstClosed; ++number)
    posix_spawn_file_actions_adddup2(&actions, descriptors[static_cast<std::size_t>(number)],
                                     number);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFirstClosed);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  pid_t process = 0;
  const FixedAddresses fixed;
  const int error = posix_spawn(&process, words[0].c_str(), &actions, &attributes,
                                pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw base::SystemError("run " + words[0], error);
  return process;
}

/// Removes the level of a message of the kernel, "<0>", and spaces.
std::string trimmed(std::string line) {
  if (line.size() > 2 && line[0] == '<' && line[2] == '>') line.erase(0, 3);
  line.erase(0, line.find_first_not_of(" \t\r"));
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

bool tells_why(const std::string& line) {
  return line.starts_with("Kernel panic") || line.starts_with("tcplab-agent:");
}

}  // namespace

KernelProcess::KernelProcess(const KernelRequest& request, const ClockPlace& place,
                             const FileDescriptor& channel) {
  const Parts parts = find_parts();
  base::Pipe console = base::make_pipe();
  base::check("make a pipe non-blocking", ::fcntl(console.read_end.get(), F_SETFL, O_NONBLOCK));
  const FileDescriptor null(base::check("open /dev/null", ::open("/dev/null", O_RDWR | O_CLOEXEC)));
  std::vector<FileDescriptor> copies;
  copies.reserve(kFirstClosed);
  for (const int each : {null.get(), console.write_end.get(), console.write_end.get(),
                         channel.get(), place.page_descriptor(), place.bell_descriptor(),
                         request.view ? request.view->mounts() : null.get()})
    copies.push_back(duplicate_above(each));
  std::array<int, kFirstClosed> descriptors{};
  std::ranges::transform(copies, descriptors.begin(), &FileDescriptor::get);
  pid_ = spawn(command_line(request, parts), environment(request, parts, place), descriptors);
  console_ = std::move(console.read_end);
  pidfd_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

KernelProcess::~KernelProcess() { kill(); }

void KernelProcess::kill() {
  if (pid_ == 0) return;
  ::kill(-pid_, SIGKILL);
  // If we are the reaper of orphans, its children are ours when it has been reaped.
  while (::waitpid(-pid_, nullptr, 0) > 0 || errno == EINTR) {
  }
  pid_ = 0;
}

bool KernelProcess::has_ended() const {
  pollfd end{pidfd_.get(), POLLIN, 0};
  return pid_ == 0 || ::poll(&end, 1, 0) > 0;
}

void KernelProcess::await_end() const {
  pollfd end{pidfd_.get(), POLLIN, 0};
  if (pid_ != 0) ::poll(&end, 1, kLongestEnd);
}

void KernelProcess::read_console() {
  std::array<char, 4096> part{};
  ssize_t size = 0;
  while ((size = ::read(console_.get(), part.data(), part.size())) > 0) {
    said_.append(part.data(), static_cast<std::size_t>(size));
    if (said_.size() > kMostSaid) said_.erase(0, said_.size() - kMostSaid / 2);
  }
}

bool KernelProcess::was_killed() const {
  siginfo_t end{};
  const auto pidfd = static_cast<id_t>(pidfd_.get());
  const bool is_known =
      ::waitid(static_cast<idtype_t>(P_PIDFD), pidfd, &end, WEXITED | WNOHANG | WNOWAIT) == 0;
  return is_known && end.si_code == CLD_KILLED && end.si_status == SIGKILL;
}

std::string KernelProcess::last_words() {
  read_console();
  std::string words = find_last_words(said_);
  // Then the last line is any message.
  if (!tells_why(words) && was_killed()) return "killed by SIGKILL";
  return words;
}

std::string KernelProcess::activity() const {
  static const double kTicksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    const auto name_end = line.rfind(')');
    if (name_end == std::string::npos) continue;  // it has ended
    std::istringstream fields(line.substr(name_end + 1));
    char state = '?';
    pid_t parent = 0;
    pid_t group = 0;
    if (!(fields >> state >> parent >> group) || group != pid_) continue;
    constexpr int kBeforeTimes = 8;  // session to cmajflt (proc(5))
    std::string skipped;
    for (int i = 0; i < kBeforeTimes; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    std::ifstream channel(entry.path() / "wchan");
    const std::string place(std::istreambuf_iterator<char>(channel), {});
    all += (all.empty() ? "" : "; ") + fmt::format("process {}: {} in {}, {:.2f} s", name, state,
                                                   place, (user + system) / kTicksPerSecond);
  }
  return all;
}

std::string find_last_words(const std::string& said) {
  std::string last;
  for (const std::string& each : base::split(said, '\n')) {
    std::string line = trimmed(each);
    if (tells_why(line)) return line;
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace tcplab::uml
