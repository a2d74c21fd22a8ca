#include "reports/look/core_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "look/failure_json.hh"
#include "reports/look/frame_lines.hh"
#include "reports/look/record_text.hh"
#include "reports/text/hanging.hh"
#include "reports/text/json_document.hh"
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

/// "/usr/bin/client and 3 more files are not those of the core here"
std::string foreign_words(const LookedCore& core, bool has_record) {
  const std::size_t others = core.foreign_files.size() - 1;
  return one_line(core.foreign_files.front()) +
         (others == 0
              ? " is not the file that"
              : fmt::format(" and {} are not the files that", counted(others, "other file"))) +
         " the process had: another machine, or another version. " +
         (has_record ? "The stacks are those of the record, named when it was written."
                     : "Frames there have no names; look where the core file was written.");
}

void write_threads_of(std::ostream& out, const LookedCore& core,
                      std::span<const CoreThreadLook> threads, const Style& style) {
  for (const CoreThreadLook& thread : threads) {
    write_hanging(out, "  ", thread_line(thread, core, &thread == core.threads.data()),
                  Paint::action, style);
    write_frames(out, thread.frames, kMostCoreFrames, Paint::plain, style);
  }
}

/// Whether the program has handled the signal, and another thread has ended it then, as that of Go.
bool ended_elsewhere(const LookedCore& core, const look::FailureRecord& record) {
  const bool are_comparable = record.process == record.own_process;
  return are_comparable && core.threads.front().id != record.threads.front().id;
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
  if (record != nullptr) write_failure(out, record->path, record->record, style);
  const bool is_foreign = !core.foreign_files.empty();
  if (is_foreign) line("  ", foreign_words(core, record != nullptr), Paint::bad);
  const std::span<const CoreThreadLook> threads(core.threads);
  if (record == nullptr) {
    write_threads_of(out, core, threads, style);
    line("  ",
         "A core file has no sockets. Look at a process while it lives to see its connections, or "
         "let tcplab trace --abort-on write a record beside the core file.",
         Paint::dim);
    return;
  }
  if (is_foreign) {
    write_failed_thread(out, record->record, style);
    write_connections(out, record->record, style);
    write_other_threads(out, record->record, style);
    return;
  }
  if (ended_elsewhere(core, record->record)) write_failed_thread(out, record->record, style);
  write_threads_of(out, core, threads.first(1), style);
  write_connections(out, record->record, style);
  write_threads_of(out, core, threads.subspan(1), style);
}

void write_core_json(std::ostream& out, const std::string& path, const LookedCore& core,
                     const look::RecordFile* record) {
  nlohmann::ordered_json object = json_document("tcplab-core");
  object["core"] = path;
  object["pid"] = core.process;
  object["command"] = core.command;
  add_text(object, "signal", core.signal);
  add_text(object, "runtime", core.runtime);
  object["threads"] = nlohmann::ordered_json::array();
  for (const CoreThreadLook& thread : core.threads) {
    nlohmann::ordered_json each = {{"tid", thread.id}, {"frames", thread.frames}};
    add_text(each, "call", thread.call);
    object["threads"].push_back(std::move(each));
  }
  if (!core.foreign_files.empty()) object["foreign_files"] = core.foreign_files;
  if (record != nullptr) {
    object["record"] = record->path;
    object["failure"] = look::to_json(record->record);
  }
  out << json_text(object);
}

void write_record_json(std::ostream& out, const look::FailureRecord& record) {
  out << look::to_text(record);
}

}  // namespace tcplab::reports
