#include "dnc/program.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "dnc/log/console.hh"
#include "dnc/log/json_log.hh"
#include "dnc/log/text_log.hh"
#include "dnc/log/truss_log.hh"
#include "dnc/netcat/netcat.hh"
#include "dnc/repl/repl.hh"
#include "dnc/stack/stack_sockets.hh"

namespace tcplab::dnc {

namespace {

constexpr int kUsage = 2;
constexpr int kBroken = 3;

// If one of 0, 1, 2 were closed, the socket could get the number of stderr, and receive the log.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  ::close(descriptor);
}

// Opens the log file for every format, before spdlog appends to it, because spdlog would create
// missing folders.
base::FileDescriptor open_log_file(const std::string& path) {
  if (path.empty()) return {};
  base::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file)
    throw base::UsageError("--log-file: cannot write '" + path + "': " + std::strerror(errno));
  return file;
}

std::unique_ptr<CallLog> make_log(const Options& options, const base::FileDescriptor& file) {
  const std::string& path = options.recording.log_file;
  switch (options.recording.format) {
    case LogFormat::text:
      return std::make_unique<TextLog>(HumanOutput(path, HumanOutput::Stamp::utc),
                                       options.repl ? "" : " read from stdin");
    case LogFormat::truss:
      return std::make_unique<TrussLog>(HumanOutput(path, HumanOutput::Stamp::none));
    case LogFormat::json:
      return std::make_unique<JsonLog>(EventOutput(file ? file.get() : STDERR_FILENO));
  }
  return nullptr;
}

// Restores the dispositions that our parent may have changed (a shell's & ignores SIGINT): a user
// wants to see how dnc dies of these signals, and the kernel closes its socket.
void restore_signals(const Options& options) {
  std::signal(SIGPIPE, options.ignore_sigpipe ? SIG_IGN : SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  install_state_report_handler();
}

int run(const Options& options) {
  base::FileDescriptor log_file;  // must outlive the recorder, whose destructor writes to it
  Recorder recorder(options.recording.traps);
  // First, before anything is opened that could get this number.
  if (options.recording.events)
    recorder.add(std::make_unique<JsonLog>(EventOutput(*options.recording.events)));
  occupy_standard_descriptors();
  log_file = open_log_file(options.recording.log_file);
  if (!options.recording.quiet) recorder.add(make_log(options, log_file));
  restore_signals(options);
  if (options.stack)
    use_sockets(std::make_unique<StackSockets>(base::FileDescriptor(*options.stack)));
  return options.repl ? Repl(options, recorder).run() : Netcat(options, recorder).run();
}

}  // namespace

int run_program(int argc, const char* const* argv, const std::string& version) {
  try {
    return run(parse_options(argc, argv, version));
  } catch (const HelpRequest& help) {
    std::fputs(help.text.c_str(), stdout);
    return 0;
  } catch (const base::UsageError& wrong) {
    print_message(wrong.what());
    return kUsage;
  } catch (const UnknownHost& unknown) {
    print_message(unknown.what());
    return kFailed;
  } catch (const std::exception& broken) {
    print_message(broken.what());
    return kBroken;
  }
}

}  // namespace tcplab::dnc
