#include "app/suite/complete_timeline.hh"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "capture/event/event_json.hh"
#include "capture/event/event_log.hh"
#include "tests/catch.hh"

using namespace tcplab::app;
namespace capture = tcplab::capture;
namespace fs = std::filesystem;

namespace {

/// A folder with an events.jsonl of one note and that text.
class Folder {
public:
  explicit Folder(const std::string& rest) {
    fs::create_directories(path_);
    capture::EventLog log((path_ / "events.jsonl").string());
    log.append({.number = 1, .body = capture::RunStart{.scenario = "s"}});
    log.append({.number = 2, .body = capture::Note{"n"}});
    log.flush();
    std::ofstream(path_ / "events.jsonl", std::ios::app) << rest;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

  std::vector<capture::Event> events() const {
    std::vector<capture::Event> all;
    capture::EventReader reader((path_ / "events.jsonl").string());
    while (auto event = reader.next()) all.push_back(std::move(*event));
    CHECK_FALSE(reader.truncated());
    return all;
  }

private:
  fs::path path_ = fs::temp_directory_path() / ("complete-timeline-" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("the timeline of a killed run gets an end with the reason, once") {
  for (const char* rest : {"", R"({"number":3,"kind":"no)"}) {
    const Folder folder(rest);
    complete_timeline(folder.path(), "too much");
    complete_timeline(folder.path(), "again");
    const auto events = folder.events();
    REQUIRE(events.size() == 3);
    CHECK(events.back().number == 3);
    const auto& end = std::get<capture::RunEnd>(events.back().body);
    CHECK(end.outcome == capture::Outcome::broken);
    CHECK(end.reason == "too much");
  }
}

TEST_CASE("a folder without a timeline stays as it is") {
  const fs::path folder = fs::temp_directory_path() / "no-such-folder";
  complete_timeline(folder, "too much");
  CHECK_FALSE(fs::exists(folder));
}
