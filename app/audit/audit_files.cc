#include "app/audit/audit_files.hh"

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "audit/library.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "capture/event/event_log.hh"
#include "reports/audit/audit_json.hh"
#include "reports/audit/audit_junit.hh"
#include "reports/audit/audit_markdown.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEvents = "events.jsonl";
constexpr std::uintmax_t kShortLine = 160;  // bytes; most lines are longer

/// A run of an audit on the disk.
struct Run {
  fs::path folder;
  base::nanoseconds began{};  // since the epoch; 0 if it recorded nothing
  bool is_baseline = false;
};

Run run_in(const fs::path& folder) {
  Run run{.folder = folder};
  capture::EventReader reader((folder / kEvents).string());
  const auto first = reader.next();
  if (!first) return run;
  const auto* start = std::get_if<capture::RunStart>(&first->body);
  if (start == nullptr) return run;
  run.began = first->at.time_since_epoch() + start->wall_offset;
  run.is_baseline = start->scenario.ends_with("-baseline");
  return run;
}

void put(const std::string& file, const std::function<void(std::ostream&)>& write) {
  if (file.empty()) return;
  std::ostringstream text;
  write(text);
  base::write_document(file, text.str());
}

}  // namespace

std::vector<capture::Event> read_events(const fs::path& run) {
  capture::EventReader reader((run / kEvents).string());
  std::vector<capture::Event> events;
  // A vector that grows holds its events twice while it copies them, and there may be millions.
  events.reserve(fs::file_size(run / kEvents) / kShortLine);
  while (auto event = reader.next()) events.push_back(std::move(*event));
  return events;
}

audit::Audit read_audit(const std::string& title, const std::vector<fs::path>& runs) {
  audit::Audit audit{.title = title};
  for (const fs::path& run : runs) {
    std::vector<capture::Event> events = read_events(run);
    if (!audit::is_cell(events)) continue;
    audit.cells.push_back(audit::cell_of(std::move(events)));
    audit.cells.back().run = run.filename().string();
  }
  audit::share_libraries(audit);
  return audit;
}

std::vector<fs::path> runs_of_audit(const fs::path& folder) {
  const fs::path below = fs::is_directory(folder / "runs") ? folder / "runs" : folder;
  std::vector<Run> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(below, error))
    if (fs::exists(entry.path() / kEvents)) runs.push_back(run_in(entry.path()));
  if (runs.empty())
    throw base::UsageError(folder.string() +
                           ": no audit; name the folder that tcplab audit --out wrote");
  std::ranges::sort(runs, {}, &Run::began);
  std::vector<fs::path> folders;
  for (const Run& run : runs) {
    if (run.is_baseline) folders.clear();
    folders.push_back(run.folder);
  }
  return folders;
}

void check(const AuditFiles& files, const std::string& html) {
  base::require_documents({files.junit, files.markdown, files.json});
  base::require_output_folder(html);
}

void write(const AuditFiles& files, const audit::Audit& audit,
           const audit::Requirements& requirements) {
  put(files.junit, [&](std::ostream& out) { reports::write_junit(out, audit, requirements); });
  put(files.markdown, [&](std::ostream& out) { reports::write_markdown(out, audit); });
  put(files.json, [&](std::ostream& out) { reports::write_json(out, audit); });
}

}  // namespace tcplab::app
