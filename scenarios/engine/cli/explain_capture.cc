#include "scenarios/engine/cli/explain_capture.hh"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "base/error.hh"
#include "capture/files/pcap_reader.hh"
#include "reports/explain/capture_story.hh"
#include "reports/text/text.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/script/catalogue.hh"
#include "scenarios/engine/terminal/terminal.hh"

namespace tcplab::engine {

namespace {

/// Reads the capture up to its end or its first error. Returns the error; empty if none.
std::string read_all(capture::CaptureReader& reader, reports::CaptureStory& story) {
  try {
    while (const auto frame = reader.next())
      story.frame(capture::decode(frame->bytes, reader.link()), frame->at);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

bool is_scenario(const std::string& name) {
  try {
    return !Catalogue(Catalogue::default_folder()).select({name}).empty();
  } catch (const base::UsageError&) {
    return false;
  }
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

int explain_capture(const std::string& file, const ExplainCaptureOptions& options) {
  capture::CaptureReader reader(file);
  reports::CaptureStory story(
      std::cout, style_of(STDOUT_FILENO),
      {.only = options.connection,
       .most = options.most,
       .interfaces = reader.has_several_interfaces() ? capture::Interfaces::several
                                                     : capture::Interfaces::one,
       .is_scenario = is_scenario});
  const std::string wrong = read_all(reader, story);
  try {
    story.finish();
  } catch (const base::UsageError& error) {
    throw base::UsageError(wrong.empty() ? file + ": " + error.what() : wrong);
  }
  if (!wrong.empty()) std::cerr << reports::message(wrong + "; described up to that point");
  return 0;
}

}  // namespace tcplab::engine
