#include "app/script/output_expectation.hh"

#include <algorithm>

namespace tcplab::app {

using capture::Event;
using capture::Program;
using capture::ProgramChange;

std::string output_stream(const std::string& name, const std::string& host,
                          const std::string& program) {
  return name + " " + host + "/" + program;
}

std::uint64_t OutputExpectation::begin(const WaitStart& start) {
  counts_after_ = start.from_now ? start.last : 0;
  std::uint64_t first = start.last;
  for (Output& output : outputs_) {
    const std::string name = output_stream(output.name, wanted_.host, wanted_.program);
    output.event = start.cursors.event_at(name);
    output.bytes = start.cursors.bytes_at(name);
    first = std::min(first, output.event == 0 ? 0 : output.event - 1);
  }
  return first;
}

Decision OutputExpectation::look(const Event& event) {
  if (event.number <= looked_at_) return Decision::open;
  const auto* program = std::get_if<Program>(&event.body);
  if (program == nullptr || program->change != ProgramChange::wrote) return Decision::open;
  if (program->host != wanted_.host || program->program != wanted_.program) return Decision::open;
  looked_at_ = event.number;
  const auto output = std::ranges::find(outputs_, program->stream, &Output::name);
  if (output == outputs_.end() || event.number < output->event) return Decision::open;
  return read(*output, event, program->text);
}

Decision OutputExpectation::read(Output& output, const Event& event, std::string_view text) {
  const std::size_t skipped =
      event.number == output.event ? std::min(output.bytes, text.size()) : 0;
  text.remove_prefix(skipped);
  if (text.empty()) return Decision::open;
  output.is_unread = true;
  last_written_ = event;
  const std::size_t before = output.tail.size();
  std::string& unread = output.tail.append(text);
  std::size_t from = 0;
  for (std::size_t found; (found = unread.find(wanted_.text, from)) != std::string::npos;) {
    from = found + wanted_.text.size();
    if (event.number <= counts_after_) continue;
    event_ = event;
    cursor_ = output_stream(output.name, wanted_.host, wanted_.program);
    bytes_ = skipped + from - before;
    return Decision::met;
  }
  const std::size_t kept = std::min(unread.size(), wanted_.text.size() - 1);
  unread.erase(0, std::max(from, unread.size() - kept));
  return Decision::open;
}

Decision OutputExpectation::at_present() {
  if (wanted_.ruled_out) ended_ = wanted_.ruled_out();
  return ended_.empty() ? Decision::open : Decision::failed;
}

void OutputExpectation::move(Cursors& cursors) const {
  if (!event_) return;
  for (const Output& output : outputs_) {
    const std::string name = output_stream(output.name, wanted_.host, wanted_.program);
    if (name == cursor_)
      cursors.move(name, event_->number, bytes_);
    else if (!output.is_unread)
      cursors.move(name, event_->number);
  }
}

std::string OutputExpectation::expected() const {
  ProgramPattern pattern;
  pattern.host = wanted_.host;
  pattern.program = wanted_.program;
  pattern.change = ProgramChange::wrote;
  pattern.text = wanted_.text;
  return pattern.describe();
}

std::string OutputExpectation::limit() const {
  return ended_.empty() ? ", within " + base::describe(within_) : "";
}

std::string OutputExpectation::seen() const {
  if (event_) return describe(*event_);
  if (!ended_.empty()) return ended_;
  return last_written_ ? "it printed other text" : "it printed nothing more";
}

std::string OutputExpectation::nearest() const {
  return last_written_ ? describe(*last_written_) : "";
}

}  // namespace tcplab::app
