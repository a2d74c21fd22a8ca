#include "reports/look/core_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "look/failure_json.hh"
#include "reports/look/record_text.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using look::CoreThreadLook;
using look::LookedCore;

constexpr std::size_t kMostCoreFrames = 40;

/// "thread 4711 was in recvfrom(4, 100 bytes)"
std::string thread_line(const CoreThreadLook& thread, const LookedCore& core, bool is_first) {
  const std::string ended = is_first && !core.signal.empty() ? ", ended by " + core.signal : "";
  const std::string call = thread.call.empty() ? "" : " was in " + one_line(thread.call);
  return fmt::format("thread {}{}{}", thread.id, call, ended);
}

}  // namespace

void write_core(std::ostream& out, const std::string& path, const LookedCore& core,
                const look::RecordFile* record, const Style& style) {
  const auto line = [&](const char* lead, const std::string& text, Paint paint) {
    write_hanging(out, lead, text, paint, style);
  };
  line("",
       fmt::format("{}  {}  (process {}){}", one_line(path), one_line(core.command), core.process,
                   core.runtime.empty() ? "" : "  " + core.runtime),
       Paint::strong);
  const auto write = [&](const CoreThreadLook& thread, bool is_first) {
    line("  ", thread_line(thread, core, is_first), Paint::action);
    const std::size_t shown = std::min(thread.frames.size(), kMostCoreFrames);
    for (std::size_t i = 0; i < shown; ++i)
      line("      ", "at " + one_line(thread.frames[i]), Paint::plain);
    if (thread.frames.size() > shown)
      line("      ", fmt::format("and {} more frames", thread.frames.size() - shown), Paint::dim);
  };
  if (record != nullptr) write_failure(out, record->path, record->record, style);
  write(core.threads.front(), true);
  if (record != nullptr) write_connections(out, record->record, style);
  for (const CoreThreadLook& thread : std::span(core.threads).subspan(1)) write(thread, false);
  if (record == nullptr)
    line("  ",
         "A core file has no sockets. Look at a process while it lives to see its connections, or "
         "let tcplab trace --abort-on write a record beside the core file.",
         Paint::dim);
}

void write_core_json(std::ostream& out, const std::string& path, const LookedCore& core,
                     const look::RecordFile* record) {
  nlohmann::json threads = nlohmann::json::array();
  for (const CoreThreadLook& thread : core.threads) {
    nlohmann::json each = {{"tid", thread.id}, {"frames", thread.frames}};
    if (!thread.call.empty()) each["call"] = thread.call;
    threads.push_back(std::move(each));
  }
  nlohmann::json object = {
      {"core", path}, {"pid", core.process}, {"command", core.command}, {"threads", threads}};
  if (!core.signal.empty()) object["signal"] = core.signal;
  if (!core.runtime.empty()) object["runtime"] = core.runtime;
  if (record != nullptr) {
    object["record"] = record->path;
    object["failure"] = look::to_json(record->record);
  }
  constexpr int kIndent = 2;
  out << object.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

void write_record_json(std::ostream& out, const look::FailureRecord& record) {
  out << look::to_text(record);
}

}  // namespace tcplab::reports
