#include "app/cli/explain_capture.hh"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/explain_pages.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/spool.hh"
#include "capture/files/pcap_reader.hh"
#include "reports/explain/capture_json.hh"
#include "reports/explain/capture_story.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

/// Reads the capture up to its end or its first error. Returns the error; empty if none.
std::string read_all(capture::CaptureReader& reader, reports::FollowedCapture& followed) {
  try {
    while (const auto frame = reader.next())
      followed.frame(capture::decode(frame->bytes, frame->link, frame->length), frame->at);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

/// Follows the connections of a capture. Sets `wrong` to the error that ended it early, if any.
/// Throws base::UsageError, with the file's name, if it has no TCP.
std::unique_ptr<reports::FollowedCapture> follow(const std::string& input, const std::string& file,
                                                 reports::FollowOptions options,
                                                 std::string& wrong) {
  capture::CaptureReader reader(input);
  if (reader.has_several_interfaces()) options.interfaces = capture::Interfaces::several;
  auto followed = std::make_unique<reports::FollowedCapture>(std::move(options));
  wrong = read_all(reader, *followed);
  try {
    followed->finish();
  } catch (const base::UsageError& error) {
    throw base::UsageError(file + ": " + error.what());
  }
  return followed;
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

/// Reads the capture again, keeps many events of the connections that were chosen, and writes
/// their pages. Returns the path of the page to open.
std::string pages_of(const std::string& input, const std::string& file,
                     const reports::CaptureStory& first_story,
                     const reports::CaptureStoryOptions& options, const std::string& folder) {
  constexpr reports::KeepLimits kKeep{.first = 400, .notable = 300, .last = 300};
  reports::FollowOptions follow_options{.keep = kKeep, .only = std::set<std::size_t>()};
  for (const reports::RankedConnection* entry : first_story.chosen())
    follow_options.only->insert(entry->followed->index);
  std::string wrong;
  const auto followed = follow(input, file, std::move(follow_options), wrong);
  return write_capture_pages(*followed, reports::CaptureStory(*followed, options), file, folder);
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
  const std::string& input = spool.name().empty() ? file : spool.name();
  const std::set<std::string> names = scenario_names();
  const reports::CaptureStoryOptions story_options{
      .only = options.connection,
      .most = options.most,
      .is_scenario = [&names](const std::string& name) { return names.contains(name); }};
  std::string wrong;
  try {
    const auto followed = follow(input, file, {}, wrong);
    const reports::CaptureStory story(*followed, story_options);
    if (options.is_json)
      std::cout << reports::capture_json(*followed, story, file, wrong) << "\n";
    else if (options.html.empty())
      story.write(std::cout, style_of(STDOUT_FILENO));
    else
      std::cout << pages_of(input, file, story, story_options, options.html) << "\n";
  } catch (const base::UsageError& error) {
    if (wrong.empty()) throw;
    throw base::UsageError(wrong);
  }
  if (!wrong.empty()) std::cerr << reports::message(wrong + "; the frames before are described");
  return 0;
}

}  // namespace tcplab::app
