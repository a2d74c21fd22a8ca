#include "app/trace/trace_printer.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "capture/event/call_thread.hh"
#include "reports/html/flame_page.hh"
#include "reports/latency/latency_text.hh"

namespace tcplab::app {

using capture::Call;
using capture::TracedProgram;

namespace {

reports::TraceFormat format_of(const std::string& name) {
  if (name == "json") return reports::TraceFormat::json;
  return name == "truss" ? reports::TraceFormat::truss : reports::TraceFormat::text;
}

std::string or_none(const std::string& text, const std::string& none) {
  return text.empty() ? none : text;
}

}  // namespace

TraceOutput::TraceOutput(const std::string& file) : file_(file) {
  if (file.empty()) return;
  constexpr mode_t kMode = 0666;  // less the umask
  // Close-on-exec: the program must not have a descriptor more than without the tracer.
  opened_ =
      base::FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  if (!opened_) throw base::UsageError("cannot write " + file + ": " + std::strerror(errno));
}

void TraceOutput::flush() {
  if (text_.empty()) return;
  const int descriptor = file_.empty() ? STDERR_FILENO : opened_.get();
  for (std::size_t written = 0; written < text_.size();) {
    const ssize_t size = ::write(descriptor, text_.data() + written, text_.size() - written);
    if (size == -1 && errno == EINTR) continue;
    base::check("write " + (file_.empty() ? "standard error" : file_), size);
    written += static_cast<std::size_t>(size);
  }
  text_.clear();
}

reports::Style TraceOutput::style() const {
  return file_.empty() ? style_of(STDERR_FILENO) : reports::Style{};
}

TracePrinter::TracePrinter(const TraceView& view)
    : view_(view),
      out_(view.file),
      lines_(reports::trace_lines(format_of(view.format), out_.style())),
      start_(base::now()) {
  // Also without calls: notes have a date.
  const std::string opening = lines_->begin(start_, base::wall_clock_offset());
  if (!view_.quiet || !view_.stacks.empty() || view_.waits) out_.add(opening);
  if (!view_.stacks.empty() || view_.waits)
    naming_ = std::make_unique<capture::NamingThread>([this] { out_.flush(); });
  if (!view_.waits) return;
  waits_ = std::make_unique<WaitWatch>(*view_.waits, stack_reader_, *naming_);
  view_.quiet = true;
  base::require_documents({view_.folded, view_.flame});
}

void TracePrinter::on_call(TracedProgram /*program*/, base::Instant at, const Call& call) {
  if (view_.latency) latency_.add(at, call);
  if (view_.summary) {
    summary_.add(at, call);
    blocked_.add(call);
  }
  if (waits_)
    if (auto watched = waits_->note(at, call)) return add_wait(std::move(*watched));
  const bool is_shown = !view_.quiet || view_.stacks.match(call);
  if (is_shown && naming_)
    name_stack(at, call);
  else if (is_shown)
    waiting_.emplace_back(at, call);
}

/// Its frames were added to the naming thread before.
void TracePrinter::add_wait(WatchedWait watched) {
  naming_->add(std::nullopt, [this, watched = std::move(watched)](const auto& /*none*/) mutable {
    watched.wait.call.stack = *watched.frames;
    out_.add(lines_->wait(watched.wait));
    if (!view_.folded.empty()) folded_.add(watched.wait);
    if (!view_.flame.empty()) wait_sums_.add(watched.wait);
  });
}

std::optional<base::Instant> TracePrinter::read_waits() {
  return waits_ ? waits_->read_due(base::now()) : std::nullopt;
}

void TracePrinter::on_other_return(TracedProgram /*program*/, pid_t thread) {
  if (waits_) waits_->forget(thread);
}

/// The thread is stopped now, at the call's return: only the copy is made here.
void TracePrinter::name_stack(base::Instant at, const Call& call) {
  std::optional<capture::ProgramStack> stack;
  if (view_.stacks.match(call)) stack = stack_reader_.read(call.pid, capture::thread_of(call));
  naming_->add(std::move(stack), [this, at, named = call](std::vector<std::string> frames) mutable {
    named.stack = std::move(frames);
    out_.add(lines_->call(at, named));
  });
}

/// Prints a line after all earlier ones.
void TracePrinter::add_line(std::function<std::string()> line) {
  if (naming_)
    return naming_->add(std::nullopt,
                        [this, line = std::move(line)](const auto& /*none*/) { out_.add(line()); });
  print_waiting();
  out_.add(line());
}

void TracePrinter::on_probe(TracedProgram /*program*/, base::Instant at,
                            const capture::Probe& probe) {
  add_line([this, at, probe] { return lines_->probe(at, probe); });
}

void TracePrinter::on_unseen(TracedProgram /*program*/, pid_t process, const std::string& why) {
  add_line([this, at = base::now(), process, why] { return lines_->unseen(at, process, why); });
}

void TracePrinter::note(const std::string& text) {
  add_line([this, at = base::now(), text] { return lines_->note(at, text); });
  if (!naming_) out_.flush();
}

void TracePrinter::on_exit(TracedProgram /*program*/) { flush(); }

void TracePrinter::on_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) {
  if (view_.summary) blocked_.at_signal(process, thread, signal, is_interrupted);
}

void TracePrinter::on_ended(TracedProgram /*program*/, pid_t thread, bool /*is_last*/) {
  if (!waits_) return;
  if (auto watched = waits_->take_unfinished(base::now(), thread)) add_wait(std::move(*watched));
}

void TracePrinter::print_waiting() {
  for (const auto& [at, call] : waiting_) out_.add(lines_->call(at, call));
  waiting_.clear();
}

void TracePrinter::flush() {
  if (naming_) return;  // its thread does, when it has nothing to name
  print_waiting();
  out_.flush();
}

void TracePrinter::finish() {
  if (waits_)
    for (WatchedWait& watched : waits_->take_all_unfinished(base::now()))
      add_wait(std::move(watched));
  if (naming_) naming_->finish();
  print_waiting();
  if (view_.summary) {
    out_.add(or_none(summary_.text(start_), "no TCP connections\n"));
    out_.add(blocked_.text(start_, out_.style()));
  }
  if (view_.latency)
    out_.add(or_none(reports::latency_text(latency_, start_), "no calls on TCP sockets\n"));
  out_.flush();
  write_waits();
}

void TracePrinter::write_waits() {
  if (!view_.folded.empty()) base::write_document(view_.folded, folded_.text());
  if (view_.flame.empty()) return;
  const html::FlamePage page{.command = view_.command,
                             .threshold = view_.threshold,
                             .start = start_,
                             .traced = base::now() - start_};
  base::write_document(view_.flame, html::flame_page(wait_sums_, page));
}

}  // namespace tcplab::app
