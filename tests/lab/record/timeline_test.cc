#include "lab/record/timeline.hh"

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using capture::Event;
using capture::Note;
using lab::Timeline;

namespace {

std::string text_of(const Event& event) {
  const auto* start = std::get_if<capture::RunStart>(&event.body);
  return start != nullptr ? start->title : std::get<Note>(event.body).text;
}

/// A timeline that keeps three events in memory. It has `count` events, called "1", "2" and so on.
/// The first is a run's start, as in every events file.
class NumberedNotes {
public:
  explicit NumberedNotes(int count) {
    for (int i = 1; i <= count; ++i) append(std::to_string(i));
  }

  void append(const std::string& text) {
    capture::Body body = Note{.text = text};
    if (timeline.last() == 0) {
      capture::RunStart start;
      start.title = text;
      body = start;
    }
    timeline.append(base::from_nanoseconds(1000), body);
  }

  std::string after(std::uint64_t number, const std::string& last = "") {
    std::string seen;
    timeline.visit_after(number, [&](const Event& event) {
      seen += text_of(event) + " ";
      CHECK(std::to_string(event.number) == text_of(event));
      return text_of(event) != last;
    });
    return seen;
  }

private:
  tests::TemporaryFolder folder_;

public:
  Timeline timeline{folder_.path() / "events.jsonl", 3};
};

}  // namespace

TEST_CASE("events are numbered from 1") {
  NumberedNotes notes(0);
  CHECK(notes.timeline.last() == 0);
  CHECK(notes.after(0).empty());
  notes.append("1");
  notes.append("2");
  CHECK(notes.timeline.last() == 2);
}

TEST_CASE("a visit starts after the cursor") {
  NumberedNotes notes(3);
  CHECK(notes.after(0) == "1 2 3 ");
  CHECK(notes.after(1) == "2 3 ");
  CHECK(notes.after(3).empty());
  CHECK(notes.after(99).empty());
}

TEST_CASE("a visit ends when the visitor returns false") {
  CHECK(NumberedNotes(3).after(0, "2") == "1 2 ");
}

TEST_CASE("events that are no longer in memory are read back from the file") {
  NumberedNotes notes(10);
  CHECK(notes.after(0) == "1 2 3 4 5 6 7 8 9 10 ");
  CHECK(notes.after(5) == "6 7 8 9 10 ");
  CHECK(notes.after(7) == "8 9 10 ");  // the oldest one kept is 8
  CHECK(notes.after(6) == "7 8 9 10 ");
  CHECK(notes.after(0, "4") == "1 2 3 4 ");
  CHECK(notes.after(0, "9") == "1 2 3 4 5 6 7 8 9 ");
}

TEST_CASE("newest() returns the newest events, oldest first") {
  NumberedNotes notes(5);
  const auto newest = notes.timeline.newest(2);
  REQUIRE(newest.size() == 2);
  CHECK(text_of(newest[0]) == "4");
  CHECK(text_of(newest[1]) == "5");
  CHECK(notes.timeline.newest(100).size() == 3);
  CHECK(notes.timeline.newest(0).empty());
}

TEST_CASE("listeners receive each event, in order") {
  NumberedNotes notes(0);
  std::string heard;
  notes.timeline.listen([&](const Event& event) { heard += text_of(event); });
  notes.timeline.listen([&](const Event& event) { heard += text_of(event); });
  notes.append("1");
  notes.append("2");
  CHECK(heard == "1122");
}

TEST_CASE("a listener may append events, even if few are kept") {
  NumberedNotes notes(0);
  notes.timeline.listen([&](const Event& event) {
    if (event.number < 5) notes.append(std::to_string(event.number + 1));
    CHECK(text_of(event) == std::to_string(event.number));
  });
  notes.append("1");
  CHECK(notes.after(0) == "1 2 3 4 5 ");
}

TEST_CASE("the events about one connection are found, also those on disk") {
  tests::TemporaryFolder folder;
  Timeline timeline(folder.path() / "events.jsonl", 3);
  const auto endpoint = [](int port) {
    return base::Endpoint{*base::IpAddress::parse("10.0.0.1"), static_cast<std::uint16_t>(port)};
  };
  timeline.append(base::from_nanoseconds(1), capture::RunStart{});
  for (const int port : {1, 2, 1, 2, 1, 1})
    timeline.append(
        base::from_nanoseconds(2),
        capture::State{.host = "kang", .local = endpoint(port), .remote = endpoint(80)});
  const auto about = [&](int port, std::uint64_t after, std::size_t most) {
    std::vector<std::uint64_t> seen;
    timeline.visit_about({endpoint(port), endpoint(80)}, after, [&](const Event& event) {
      seen.push_back(event.number);
      return seen.size() < most;
    });
    return seen;
  };
  CHECK(about(1, 0, 9) == std::vector<std::uint64_t>{2, 4, 6, 7});
  CHECK(about(1, 2, 9) == std::vector<std::uint64_t>{4, 6, 7});
  CHECK(about(1, 0, 2) == std::vector<std::uint64_t>{2, 4});
  CHECK(about(2, 0, 9) == std::vector<std::uint64_t>{3, 5});
  CHECK(about(3, 0, 9).empty());
}
