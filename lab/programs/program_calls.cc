#include "lab/programs/program_calls.hh"

#include <utility>
#include <variant>

#include "capture/event/event_json.hh"
#include "lab/watch/call_watcher.hh"
#include "look/failure_json.hh"

namespace tcplab::lab {

ProgramCalls::ProgramCalls(const ProgramSurroundings& around, std::string host,
                           const ProgramRequest& request, const netns::RunningProgram& process,
                           base::FileDescriptor pipe)
    : timeline_(around.timeline),
      host_(std::move(host)),
      name_(request.name),
      process_(process),
      watcher_(request.watcher),
      reports_itself_(request.reports_calls),
      injections_(request.watcher, process.pid()),
      reader_(around.loop, std::move(pipe), [this](std::string_view text) { take(text); }) {}

void ProgramCalls::catch_up() {
  while (is_traced() && !watcher_->tell_calls(process_.pid())) reader_.drain();
  reader_.drain();
}

void ProgramCalls::take(std::string_view text) {
  partial_line_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = partial_line_.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    take_line(std::string_view(partial_line_).substr(begin, end - begin));
  partial_line_.erase(0, begin);
}

/// A line without an event is the stack of the next call, or the id of a thread that has ended.
void ProgramCalls::take_line(std::string_view line) {
  if (stacks_.take(line)) return;
  if (line.starts_with(look::kRecordLine)) return on_failure(look::parse_failure_record(line));
  if (!line.starts_with('{')) {
    is_end_told_ = is_end_told_ || line == std::to_string(process_.pid());
    return on_thread_end();
  }
  capture::Event event = capture::parse_event(line);
  event.at += process_.clock_offset();
  const auto name = [this](auto& body) {
    body.host = host_;
    body.program = name_;
  };
  if (auto* call = std::get_if<capture::Call>(&event.body)) {
    name(*call);
    take_call(*call, event.at);
  } else if (auto* change = std::get_if<capture::Program>(&event.body)) {
    name(*change);
  } else if (auto* probe = std::get_if<capture::Probe>(&event.body)) {
    name(*probe);
  } else if (auto* note = std::get_if<capture::Note>(&event.body)) {
    note->text = host_ + "'s " + name_ + " " + note->text;
  } else {
    return;
  }
  timeline_.append(event.at, std::move(event.body));
}

void ProgramCalls::take_call(capture::Call& call, base::Instant at) {
  call.entered += process_.clock_offset();
  stacks_.name(call);
  if (call.local && call.remote) on_connection({*call.local, *call.remote});
  descriptors_.note(call, at);
}

}  // namespace tcplab::lab
