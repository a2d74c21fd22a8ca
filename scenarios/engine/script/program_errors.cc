#include "scenarios/engine/script/program_errors.hh"

#include <algorithm>
#include <deque>
#include <sstream>
#include <string_view>

#include "dnc/calls/call_names.hh"
#include "scenarios/engine/script/output_expectation.hh"

namespace tcplab::engine {

namespace {

using capture::Program;
using capture::Verdict;

constexpr std::size_t kMostLines = 10;
constexpr std::size_t kMostBytes = 16'384;  // of one program: a line may be long

/// Returns true for what dnc says about itself in the course of a run.
bool is_recorded(std::string_view line) {
  constexpr std::string_view kDnc = "dnc: ";
  if (!line.starts_with(kDnc)) return false;
  line.remove_prefix(kDnc.size());
  const auto colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view word = line.substr(0, colon);
  return word == "state" || std::ranges::find(dnc::kCallNames, word) != dnc::kCallNames.end();
}

std::string last_lines(const std::string& text) {
  std::deque<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || is_recorded(line)) continue;
    lines.push_back(line);
    if (lines.size() > kMostLines) lines.pop_front();
  }
  std::string last;
  for (const std::string& line : lines) last += line + "\n";
  return last;
}

/// What one program has written after its cursor. A line that was matched in part was expected.
class ErrorStream {
public:
  ErrorStream(const Program& wrote, const Cursors& cursors)
      : errors_{wrote.host, wrote.program, ""},
        cursor_(cursors.event_at(output_stream(wrote.stream, wrote.host, wrote.program))),
        bytes_(cursors.bytes_at(output_stream(wrote.stream, wrote.host, wrote.program))) {}

  bool is_of(const Program& wrote) const {
    return errors_.host == wrote.host && errors_.program == wrote.program;
  }

  void add(std::string_view text, std::uint64_t event) {
    if (event < cursor_) return;
    if (event == cursor_) {
      const std::size_t matched = std::min(text.size(), bytes_);
      is_in_matched_line_ = matched > 0 && text[matched - 1] != '\n';
      text.remove_prefix(matched);
    }
    if (is_in_matched_line_) {
      const auto end = text.find('\n');
      is_in_matched_line_ = end == std::string_view::npos;
      text.remove_prefix(is_in_matched_line_ ? text.size() : end + 1);
    }
    errors_.text += text;
    if (errors_.text.size() > kMostBytes) errors_.text.erase(0, errors_.text.size() - kMostBytes);
  }

  Verdict::Errors last() const { return {errors_.host, errors_.program, last_lines(errors_.text)}; }

private:
  Verdict::Errors errors_;
  std::uint64_t cursor_;
  std::size_t bytes_;
  bool is_in_matched_line_ = false;
};

ErrorStream& stream_of(std::vector<ErrorStream>& streams, const Program& wrote,
                       const Cursors& cursors) {
  const auto found =
      std::ranges::find_if(streams, [&](const auto& stream) { return stream.is_of(wrote); });
  return found == streams.end() ? streams.emplace_back(wrote, cursors) : *found;
}

}  // namespace

std::vector<Verdict::Errors> unmatched_errors(Timeline& timeline, const Cursors& cursors) {
  std::vector<ErrorStream> streams;
  timeline.visit_after(0, [&](const capture::Event& event) {
    const auto* wrote = std::get_if<Program>(&event.body);
    if (wrote != nullptr && wrote->stream == "stderr")
      stream_of(streams, *wrote, cursors).add(wrote->text, event.number);
    return true;
  });
  std::vector<Verdict::Errors> all;
  for (const ErrorStream& stream : streams)
    if (Verdict::Errors last = stream.last(); !last.text.empty()) all.push_back(std::move(last));
  return all;
}

}  // namespace tcplab::engine
