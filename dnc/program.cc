#include "dnc/program.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "dnc/console.hh"
#include "dnc/event_log.hh"
#include "dnc/netcat.hh"
#include "dnc/repl.hh"
#include "dnc/text_log.hh"
#include "dnc/truss_log.hh"

namespace tcplab::dnc {

namespace {

constexpr int kUsage = 2;
constexpr int kBroken = 3;

// Were one of 0, 1, 2 closed, the socket would take its number and be written to as stderr.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  ::close(descriptor);
}

base::FileDescriptor open_log_file(const std::string& path) {
  if (path.empty()) return base::FileDescriptor(::dup(STDERR_FILENO));
  base::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file)
    throw base::UsageError("cannot write the log file '" + path + "': " + std::strerror(errno));
  return file;
}

/// What the record is written to; it outlives the recorder.
struct Outputs {
  base::FileDescriptor json_log;
};

void add_log(Recorder& recorder, const Options& options, Outputs& outputs) {
  const Recording& recording = options.recording;
  switch (recording.format) {
    case LogFormat::text:
      recorder.add(
          std::make_unique<TextLog>(HumanOutput(recording.log_file, HumanOutput::Stamp::utc),
                                    options.repl ? "" : " read from stdin"));
      return;
    case LogFormat::truss:
      recorder.add(
          std::make_unique<TrussLog>(HumanOutput(recording.log_file, HumanOutput::Stamp::none)));
      return;
    case LogFormat::json:
      outputs.json_log = open_log_file(recording.log_file);
      recorder.add(std::make_unique<EventLog>(EventOutput(outputs.json_log.get())));
      return;
  }
}

int run(const Options& options) {
  Outputs outputs;
  Recorder recorder(options.recording.traps);
  // Before anything is opened that could take its number.
  if (options.recording.events)
    recorder.add(std::make_unique<EventLog>(EventOutput(*options.recording.events)));
  occupy_standard_descriptors();
  if (!options.recording.quiet) add_log(recorder, options, outputs);
  // Whatever our parent left us: dying of SIGPIPE is one of the things to be seen here.
  std::signal(SIGPIPE, options.ignore_sigpipe ? SIG_IGN : SIG_DFL);
  catch_state_requests();
  return options.repl ? Repl(options, recorder).run() : Netcat(options, recorder).run();
}

}  // namespace

int run_program(int argc, const char* const* argv, const std::string& version) {
  try {
    return run(parse_options(argc, argv, version));
  } catch (const HelpAsked& help) {
    std::fputs(help.text.c_str(), stdout);
    return 0;
  } catch (const base::UsageError& wrong) {
    std::fprintf(stderr, "dnc: %s\n", wrong.what());
    return kUsage;
  } catch (const std::exception& broken) {
    std::fprintf(stderr, "dnc: %s\n", broken.what());
    return kBroken;
  }
}

}  // namespace tcplab::dnc
