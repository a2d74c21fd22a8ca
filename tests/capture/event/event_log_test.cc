#include "capture/event/event_log.hh"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "base/error.hh"
#include "capture/event/event_json.hh"
#include "tests/capture/temporary_file.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::from_nanoseconds;
using tcplab::base::SystemError;
using tcplab::base::UsageError;

namespace {

Event note(std::uint64_t number, const std::string& text) {
  return {number, from_nanoseconds(100), Note{text}};
}

Event start() { return {1, from_nanoseconds(1), RunStart{.scenario = "a"}}; }

std::string first_line() { return to_json_line(start()) + '\n'; }

std::vector<std::string> read_notes(EventReader& reader) {
  std::vector<std::string> notes;
  while (const auto event = reader.next())
    if (const auto* said = std::get_if<Note>(&event->body)) notes.push_back(said->text);
  return notes;
}

std::string why_refused(const TemporaryFile& file) {
  try {
    EventReader reader(file.path());
    while (reader.next()) continue;
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(text.find(".jsonl") + 6);
  }
  return "it was taken";
}

/// Limits the size of the files that this process writes (setrlimit(2)), to act like a full disk:
/// write(2) is short once, and then fails with EFBIG instead of ENOSPC.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t size) : previous_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &previous_);
    const rlimit limit{size, previous_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &previous_);
    std::signal(SIGXFSZ, previous_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
  void (*previous_handler_)(int);
  rlimit previous_{};
};

}  // namespace

TEST_CASE("flushed events are in the file, and can be read") {
  const TemporaryFile file("events.jsonl");
  EventLog log(file.path());
  log.append(start());
  CHECK(file.content().empty());
  log.flush();
  CHECK(file.content() == first_line());
  log.append(note(2, "hello"));
  log.append(note(3, "there"));
  log.flush();
  EventReader reader(file.path());
  CHECK(read_notes(reader) == std::vector<std::string>{"hello", "there"});
  CHECK_FALSE(reader.truncated());
}

TEST_CASE("a long log writes to its file before flush() is called") {
  const TemporaryFile file("events.jsonl");
  EventLog log(file.path());
  for (std::uint64_t number = 1; number < 100; ++number)
    log.append(note(number, std::string(1000, 'x')));
  CHECK(file.content().size() > 65'000);
}

TEST_CASE("lines longer than the reader's block are read") {
  const TemporaryFile file("events.jsonl");
  const std::string longer(200'000, 'x');
  file.write(first_line() + to_json_line(note(2, longer)) + '\n' + to_json_line(note(3, "y")) +
             '\n');
  EventReader reader(file.path());
  CHECK(read_notes(reader) == std::vector<std::string>{longer, "y"});
}

TEST_CASE("a log that is cut off at any byte is read up to its last whole line") {
  const TemporaryFile file("events.jsonl");
  const std::string second = to_json_line(note(2, "hello")) + '\n';
  const std::string third = to_json_line(note(3, "there")) + '\n';
  const std::string whole = first_line() + second + third;
  for (std::size_t size = first_line().size(); size <= whole.size(); ++size) {
    file.write(whole.substr(0, size));
    EventReader reader(file.path());
    const std::size_t in_second = size - first_line().size();
    // A line counts as whole with or without its newline.
    const auto lines =
        std::size_t(in_second + 1 >= second.size()) + std::size_t(size + 1 >= whole.size());
    const bool at_an_end = in_second == 0 || in_second + 1 == second.size() ||
                           in_second == second.size() || size + 1 >= whole.size();
    INFO(size);
    CHECK(read_notes(reader).size() == lines);
    CHECK(reader.truncated() == !at_an_end);
  }
}

TEST_CASE("events of unknown kinds are skipped") {
  const TemporaryFile file("events.jsonl");
  file.write(first_line() + "{\"n\":2,\"t\":5,\"kind\":\"weather\"}\n" +
             to_json_line(note(3, "still here")) + '\n');
  EventReader reader(file.path());
  CHECK(read_notes(reader) == std::vector<std::string>{"still here"});
}

TEST_CASE("blanks between JSON's tokens are ignored") {
  const TemporaryFile file("events.jsonl");
  file.write(
      "{ \"t\" : 1,\t\"kind\": \"run\", \"format\" : \"tcplab-events\", \"version\": 1 }\r\n"
      "{\"n\": 2, \"t\": 2, \"kind\": \"note\", \"text\": \"one: two, three\"}\n");
  EventReader reader(file.path());
  CHECK(read_notes(reader) == std::vector<std::string>{"one: two, three"});
  file.write("{\"t\": 1, \"kind\": \"run\", \"format\": \"tcplab-events\", \"version\": 3}\n");
  CHECK(why_refused(file) == ":1: \"version\" is 3, which this program does not know");
}

TEST_CASE("a file that is not an event log is refused with a reason") {
  const TemporaryFile file("events.jsonl");
  file.write("");
  CHECK(why_refused(file) == ":1: not a tcplab events file: it is empty");
  file.write("hello\n");
  CHECK(why_refused(file) ==
        ":1: not a tcplab events file: it does not begin with a run event that says "
        "\"format\":\"tcplab-events\"");
  file.write(std::string(20'000'000, 'x'));
  CHECK(why_refused(file) == ":1: not a tcplab events file: a line does not end");
  std::string newer = first_line();
  newer.replace(newer.find("\"version\":2"), 11, "\"version\":3");
  file.write(newer);
  CHECK(why_refused(file) == ":1: \"version\" is 3, which this program does not know");
  file.write(first_line() + "what?\n" + to_json_line(note(3, "x")) + '\n');
  CHECK(why_refused(file) == ":2: not JSON, at byte 1");
}

TEST_CASE("a missing file, and a folder in its place, are errors that name the path") {
  CHECK_THROWS_WITH(EventReader("/nowhere/events.jsonl"),
                    "cannot read /nowhere/events.jsonl: No such file or directory");
  CHECK_THROWS_WITH(EventReader("/tmp"), "/tmp:1: cannot read on: Is a directory");
  CHECK_THROWS_WITH(EventLog("/nowhere/events.jsonl"),
                    Catch::Matchers::Contains("make /nowhere/events.jsonl"));
}

TEST_CASE("a full disk is reported once, with the file's name") {
  EventLog log("/dev/full");
  log.append(note(1, "x"));
  CHECK_THROWS_WITH(log.flush(), "cannot write /dev/full: No space left on device (ENOSPC)");
  CHECK_NOTHROW(log.flush());
}

TEST_CASE("a disk that fills up in the middle of a line keeps only whole lines") {
  const TemporaryFile file("events.jsonl");
  EventLog log(file.path());
  log.append(start());
  log.flush();
  const std::string second = to_json_line(note(2, "hello")) + '\n';
  log.append(note(2, "hello"));
  log.append(note(3, "there"));
  {
    const FileSizeLimit limit(first_line().size() + second.size() + 10);
    CHECK_THROWS_AS(log.flush(), SystemError);
  }
  CHECK(file.content() == first_line() + second);
  log.append(note(4, "room again"));
  log.flush();
  EventReader reader(file.path());
  CHECK(read_notes(reader) == std::vector<std::string>{"hello", "room again"});
}
