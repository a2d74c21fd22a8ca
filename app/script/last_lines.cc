#include "app/script/last_lines.hh"

#include <algorithm>
#include <deque>
#include <set>
#include <string_view>
#include <utility>

#include "app/script/output_expectation.hh"
#include "base/split.hh"
#include "base/utf8.hh"
#include "dnc/calls/call_names.hh"

namespace tcplab::app {

namespace {

using capture::Program;
using capture::Verdict;

constexpr std::size_t kMostLines = 10;
constexpr std::size_t kLongestLine = 400;   // bytes
constexpr std::size_t kMostBytes = 16'384;  // of one stream: a line may be long

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

/// Cuts the line to kLongestLine bytes, but not within a UTF-8 character.
std::string cut(std::string line) {
  if (line.size() <= kLongestLine) return line;
  std::size_t end = kLongestLine;
  while (end > 0 && base::continues_utf8(line[end])) --end;
  line.resize(end);
  return line + "…";
}

bool is_dnc(std::string_view command) { return command.substr(0, command.find(' ')) == "dnc"; }

std::string last_lines(const std::string& text) {
  std::deque<std::string> lines;
  for (const std::string& line : base::split(text, '\n')) {
    if (line.empty() || is_recorded(line)) continue;
    lines.push_back(cut(line));
    if (lines.size() > kMostLines) lines.pop_front();
  }
  std::string last;
  for (const std::string& line : lines) last += line + "\n";
  return last;
}

/// What one program has written on one stream after its cursor. A line that was matched in part was
/// expected.
class WrittenStream {
public:
  WrittenStream(const Program& wrote, const Cursors& cursors)
      : written_{wrote.host, wrote.program, wrote.stream, ""},
        cursor_(cursors.event_at(output_stream(wrote.stream, wrote.host, wrote.program))),
        bytes_(cursors.bytes_at(output_stream(wrote.stream, wrote.host, wrote.program))) {}

  bool is_of(const Program& wrote) const {
    return written_.host == wrote.host && written_.program == wrote.program &&
           written_.stream == wrote.stream;
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
    written_.text += text;
    if (written_.text.size() > kMostBytes)
      written_.text.erase(0, written_.text.size() - kMostBytes);
  }

  Verdict::LastLines last() const {
    return {written_.host, written_.program, written_.stream, last_lines(written_.text)};
  }

private:
  Verdict::LastLines written_;
  std::uint64_t cursor_;
  std::size_t bytes_;
  bool is_in_matched_line_ = false;
};

WrittenStream& stream_of(std::vector<WrittenStream>& streams, const Program& wrote,
                         const Cursors& cursors) {
  const auto found =
      std::ranges::find_if(streams, [&](const auto& stream) { return stream.is_of(wrote); });
  return found == streams.end() ? streams.emplace_back(wrote, cursors) : *found;
}

}  // namespace

std::vector<Verdict::LastLines> unmatched_lines(lab::Timeline& timeline, const Cursors& cursors) {
  std::vector<WrittenStream> streams;
  std::set<std::pair<std::string, std::string>> netcats;  // host and program
  timeline.visit_after(0, [&](const capture::Event& event) {
    const auto* program = std::get_if<Program>(&event.body);
    if (program == nullptr) return true;
    if (program->change == capture::ProgramChange::started && is_dnc(program->command))
      netcats.emplace(program->host, program->program);
    if (program->change != capture::ProgramChange::wrote) return true;
    const bool is_data =
        program->stream == "stdout" && netcats.contains({program->host, program->program});
    if (!is_data) stream_of(streams, *program, cursors).add(program->text, event.number);
    return true;
  });
  std::vector<Verdict::LastLines> all;
  for (const WrittenStream& stream : streams)
    if (Verdict::LastLines last = stream.last(); !last.text.empty()) all.push_back(std::move(last));
  return all;
}

}  // namespace tcplab::app
