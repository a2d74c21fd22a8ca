#include "app/suite/complete_timeline.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/event/event_json.hh"

namespace tcplab::app {

namespace {

// Of the file: it has the last line. A script may let a program read a text of many megabytes.
constexpr off_t kLastPart = off_t{64} << 20;

std::string read_from(int file, off_t at, off_t size) {
  std::string text(static_cast<std::size_t>(size), '\0');
  const ssize_t count = ::pread(file, text.data(), text.size(), at);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

std::optional<capture::Event> event_in(std::string_view line) {
  try {
    return capture::parse_event(line);
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

void complete_timeline(const std::filesystem::path& folder, const std::string& reason) {
  const std::string path = (folder / "events.jsonl").string();
  const base::FileDescriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) == -1) return;
  const off_t begin = std::max<off_t>(status.st_size - kLastPart, 0);
  const std::string end = read_from(file.get(), begin, status.st_size - begin);
  const std::size_t newline = end.rfind('\n');
  if (newline == std::string::npos) return;
  const std::string_view whole = std::string_view(end).substr(0, newline);
  const auto last = event_in(whole.substr(whole.rfind('\n') + 1));
  if (!last || std::holds_alternative<capture::RunEnd>(last->body)) return;
  const capture::Event event{
      .number = last->number + 1,
      .at = last->at,
      .body = capture::RunEnd{.outcome = capture::Outcome::broken, .reason = reason}};
  const std::string line = capture::to_json_line(event) + "\n";
  if (::ftruncate(file.get(), begin + static_cast<off_t>(newline) + 1) == -1) return;
  static_cast<void>(::write(file.get(), line.data(), line.size()));
}

}  // namespace tcplab::app
