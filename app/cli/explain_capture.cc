#include "app/cli/explain_capture.hh"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/explain_pages.hh"
#include "app/cli/read_progress.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/spool.hh"
#include "capture/files/pcap_reader.hh"
#include "reports/explain/capture_json.hh"
#include "reports/explain/capture_story.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

struct Input {
  std::string path;  // of the file, or of the copy of a pipe
  std::string name;  // as the user gave it
  bool can_be_read_again = false;
};

/// Reads the capture up to its end or its first error. Returns the error; empty if none.
std::string read_all(const Input& input, reports::FollowOptions options,
                     std::unique_ptr<reports::FollowedCapture>& followed) {
  capture::CaptureReader reader(input.path);
  ReadProgress progress(std::cerr, ::isatty(STDERR_FILENO) == 1, input.name);
  if (reader.has_several_interfaces()) options.interfaces = capture::Interfaces::several;
  followed = std::make_unique<reports::FollowedCapture>(std::move(options));
  try {
    while (const auto frame = reader.next()) {
      followed->frame(capture::decode(frame->bytes, frame->link, frame->length), frame->at);
      progress.frame();
    }
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

/// Follows the connections of a capture. Sets `wrong` to the error that ended it early, if any.
/// Throws base::UsageError, with the file's name, if it has no TCP.
std::unique_ptr<reports::FollowedCapture> follow(const Input& input, std::size_t most_kept,
                                                 std::string& wrong) {
  std::unique_ptr<reports::FollowedCapture> followed;
  wrong = read_all(input, {.most_kept = most_kept}, followed);
  try {
    followed->finish();
  } catch (const base::UsageError& error) {
    throw base::UsageError(input.name + ": " + error.what());
  }
  return followed;
}

/// Reads the capture again, to keep the frames of the connections that are to be described.
void keep_frames(const Input& input, const reports::CaptureStory& story,
                 const reports::KeepLimits& limits, reports::FollowedCapture& capture) {
  reports::FollowOptions options{.keep = limits, .only = reports::ChosenConnections()};
  for (const reports::RankedConnection* entry : story.chosen()) {
    if (options.only->first_frames.size() >= reports::kMostKept) break;
    options.only->pairs.insert(reports::pair_of(*entry->followed));
    options.only->first_frames.insert(entry->followed->first_frame);
  }
  std::unique_ptr<reports::FollowedCapture> again;
  read_all(input, std::move(options), again);
  capture.take_frames(*again);
}

bool has_all_frames(const reports::CaptureStory& story) {
  return std::ranges::all_of(story.chosen(), [](const reports::RankedConnection* entry) {
    return entry->followed->events != nullptr;
  });
}

/// Returns the names of the catalogue's scenarios; empty if its folder cannot be read. It loads no
/// script: a capture can have thousands of diagnoses, and each names a file.
std::set<std::string> scenario_names() {
  std::set<std::string> names;
  try {
    for (const auto& file : Catalogue(Catalogue::default_folder()).files())
      names.insert(file.stem().string());
  } catch (const base::UsageError&) {
    return {};
  }
  return names;
}

/// Writes the pages of the connections that are to be described. Returns the path of the page to
/// open.
std::string pages_of(const Input& input, const reports::CaptureStory& story,
                     reports::FollowedCapture& capture, const std::string& folder) {
  constexpr reports::KeepLimits kKeep{.first = 400, .notable = 300, .last = 300};
  keep_frames(input, story, kKeep, capture);
  return write_capture_pages(capture, story, input.name, folder);
}

void write_text(const Input& input, const reports::CaptureStory& story,
                reports::FollowedCapture& capture) {
  if (input.can_be_read_again && !has_all_frames(story)) keep_frames(input, story, {}, capture);
  story.write(std::cout, style_of(STDOUT_FILENO));
}

}  // namespace

bool is_capture(const std::string& what) {
  const std::filesystem::path path(what);
  if (what == "-") return true;
  std::error_code gone;  // if there is no such file, it is a scenario's name
  const auto status = std::filesystem::status(path, gone);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status) &&
         path.extension() != ".lua";
}

bool is_file_name(const std::string& what) {
  const std::filesystem::path path(what);
  return what.find('/') != std::string::npos ||
         (path.has_extension() && path.extension() != ".lua");
}

bool has_capture_name(const std::string& what) {
  std::filesystem::path path(what);
  if (path.extension() == ".gz") path = path.stem();
  const std::string extension = path.extension().string();
  return is_capture(what) &&
         (extension == ".pcap" || extension == ".pcapng" || extension == ".cap");
}

int explain_capture(const std::string& file, const ExplainCaptureOptions& options) {
  const base::Spool spool = options.html.empty() ? base::Spool() : base::Spool(file);
  const bool is_file = std::filesystem::is_regular_file(file);
  const Input input{.path = spool.name().empty() ? file : spool.name(),
                    .name = file,
                    .can_be_read_again = is_file || !spool.name().empty()};
  const std::set<std::string> names = scenario_names();
  const reports::CaptureStoryOptions story_options{
      .only = options.connection,
      .most = options.most,
      .is_scenario = [&names](const std::string& name) { return names.contains(name); }};
  std::string wrong;
  try {
    const bool keeps = !options.is_json && options.html.empty();  // the frames for the ladders
    const auto followed = follow(input, keeps ? reports::kMostKept : 0, wrong);
    const reports::CaptureStory story(*followed, story_options);
    if (options.is_json)
      reports::write_capture_json(std::cout, *followed, story, file, wrong);
    else if (options.html.empty())
      write_text(input, story, *followed);
    else
      std::cout << pages_of(input, story, *followed, options.html) << "\n";
  } catch (const base::UsageError& error) {
    if (wrong.empty()) throw;
    throw base::UsageError(wrong);
  }
  if (!wrong.empty()) std::cerr << reports::message(wrong + "; the frames before are described");
  return 0;
}

}  // namespace tcplab::app
