#include "dnc/log/human_output.hh"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/error.hh"
#include "dnc/log/console.hh"

namespace tcplab::dnc {

namespace {

spdlog::sink_ptr make_sink(const std::string& path) {
  if (path.empty()) return std::make_shared<spdlog::sinks::stderr_sink_st>();
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_st>(path);
  } catch (const spdlog::spdlog_ex& refusal) {
    throw base::UsageError("--log-file: cannot write: " + std::string(refusal.what()));
  }
}

}  // namespace

HumanOutput::HumanOutput(const std::string& path, Stamp stamp)
    : logger_(std::make_shared<spdlog::logger>("dnc", make_sink(path))),
      wall_offset_(base::wall_clock_offset()) {
  const char* pattern = stamp == Stamp::utc ? "%Y-%m-%dT%H:%M:%S.%fZ: %v" : "%v";
  logger_->set_formatter(
      std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc));
  logger_->set_error_handler([logger = logger_.get(), path](const std::string& error) {
    logger->set_level(spdlog::level::off);
    const auto reason = error.rfind(": ");
    print_message("cannot write the log" + (path.empty() ? "" : " " + path) + ": " +
                  error.substr(reason == std::string::npos ? 0 : reason + 2) +
                  "; dnc goes on without it");
  });
  // A reader must see a call before it blocks.
  logger_->flush_on(spdlog::level::info);
}

void HumanOutput::line(base::Instant at, std::string_view text) {
  const auto since_1970 = at.time_since_epoch() + wall_offset_;
  const spdlog::log_clock::time_point wall(
      std::chrono::duration_cast<spdlog::log_clock::duration>(since_1970));
  logger_->log(wall, spdlog::source_loc{}, spdlog::level::info,
               spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace tcplab::dnc
