#include "capture/calls/traced_child.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

[[noreturn]] void run(TraceGate& gate, const std::vector<std::string>& command, int errors) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  int error = 0;
  try {
    gate.wait();
    gate.install();
    ::execvp(arguments[0], arguments.data());
    error = errno;
  } catch (const base::SystemError& failure) {
    error = failure.error();
  }
  [[maybe_unused]] const ssize_t written = ::write(errors, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

void TraceGate::wait() {
  pipe_.write_end.reset();
  char token = 0;
  if (::read(pipe_.read_end.get(), &token, 1) != 1)
    throw base::SystemError("wait for the tracer", ESRCH);
  pipe_.read_end.reset();
}

void TraceGate::install() const {
  if (filter_.empty()) return;
  base::check("install the filter of the tracer", install_call_filter(filter_) ? 0 : -1);
}

void TraceGate::open() {
  const char token = 'x';
  base::check("let a traced program start", ::write(pipe_.write_end.get(), &token, 1));
}

TracedChild::TracedChild(Tracer& tracer, const std::vector<std::string>& command, TraceGate gate,
                         TracedProgram program) {
  base::Pipe errors = base::make_pipe();
  pid_ = base::check("start a process", ::fork());
  if (pid_ == 0) run(gate, command, errors.write_end.get());
  errors.write_end.reset();
  errors_ = std::move(errors.read_end);
  base::check("make a pipe non-blocking", ::fcntl(errors_.get(), F_SETFL, O_NONBLOCK));
  tracer.seize(pid_, program);
  gate.open();
}

std::optional<int> TracedChild::exec_error() {
  int error = 0;
  if (!errors_ || ::read(errors_.get(), &error, sizeof error) != sizeof error) return std::nullopt;
  return error;
}

}  // namespace tcplab::capture
