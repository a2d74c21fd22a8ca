#include "look/failure_file.hh"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "base/output_file.hh"
#include "capture/memory/core_file.hh"
#include "look/failure_json.hh"

namespace tcplab::look {

namespace {

namespace fs = std::filesystem;

std::string name_of_record(int process) { return fmt::format("core.{}.tcplab.json", process); }

/// The folder of the core file, as core_pattern says; empty for that of the process.
std::string folder_of_cores() {
  std::ifstream file("/proc/sys/kernel/core_pattern");
  std::string pattern;
  std::getline(file, pattern);
  if (pattern.starts_with('|')) return "";
  const std::string folder = fs::path(pattern).parent_path().string();
  return folder.find('%') == std::string::npos ? folder : "";  // it differs from core to core
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t size = ::write(descriptor, text.data(), text.size());
    if (size == -1 && errno == EINTR) continue;
    base::check("write " + path, size);
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void write_private(const std::string& path, std::string_view text) {
  const base::FileDescriptor file = base::make_private_file(path);
  try {
    write_all(file.get(), text, path);
  } catch (const base::SystemError&) {
    ::unlink(path.c_str());  // a part of it is no record
    throw;
  }
}

/// Whether the paths of the process lead to the files that they are here. In a container, a file
/// beside the core file could not be found by its path.
bool shares_files(pid_t process) {
  std::error_code error;
  const fs::path theirs = fs::read_symlink(fmt::format("/proc/{}/ns/mnt", process), error);
  return !error && theirs == fs::read_symlink("/proc/self/ns/mnt", error);
}

/// The path without the links of /proc, for people; as it is if it cannot be resolved.
std::string readable(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  return error ? path : whole.string();
}

/// Returns the path; nothing if no file can be made there.
std::optional<std::string> write_where_core_goes(const FailureRecord& record,
                                                 std::string_view text) {
  if (!shares_files(record.process)) return std::nullopt;
  const std::string process = fmt::format("/proc/{}", record.process);
  const std::string folder = folder_of_cores();
  // The process may have another root (chroot(2)).
  const fs::path place =
      folder.starts_with('/') ? process + "/root" + folder : process + "/cwd/" + folder;
  const std::string path = (place / name_of_record(record.own_process)).string();
  try {
    write_private(path, text);
  } catch (const base::SystemError&) {
    return std::nullopt;
  }
  return readable(path);
}

}  // namespace

std::string write_record_beside_core(const FailureRecord& record) {
  const std::string text = to_text(record);
  if (const auto path = write_where_core_goes(record, text)) return *path;
  const std::string name = name_of_record(record.own_process);
  write_private(name, text);
  return readable(name);
}

void write_record(const FailureRecord& record, const std::string& path) {
  write_private(path, to_text(record));
}

std::string failure_name(const std::string& host, std::string program) {
  std::ranges::replace(program, '/', '-');
  return host + "-" + program;
}

bool may_be_record(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == '{';
}

FailureRecord read_record(const std::string& path) {
  constexpr std::uintmax_t kMost = std::uintmax_t{256} << 20;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw base::UsageError(path + ": cannot be read: " + error.message());
  if (size > kMost) throw base::UsageError(path + ": is larger than a record can be");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw base::UsageError(path + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return parse_failure_record(text);
  } catch (const base::UsageError& problem) {
    throw base::UsageError(path + ": " + problem.what());
  }
}

bool is_of(const FailureRecord& record, int process, const capture::ProgramIdentity& identity) {
  return record.own_process == process && record.identity.may_be(identity);
}

std::string record_beside(const std::string& core, int process,
                          const capture::ProgramIdentity& identity) {
  const fs::path folder = fs::path(core).parent_path();
  const fs::path path = folder / name_of_record(process);
  if (fs::is_regular_file(path)) return path.string();
  const std::string end = fmt::format(".{}.tcplab.json", process);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    if (!entry.path().string().ends_with(end) || !entry.is_regular_file(error)) continue;
    try {
      std::string found = (folder / entry.path().filename()).string();
      if (is_of(read_record(found), process, identity)) return found;
    } catch (const base::UsageError&) {
      continue;
    }
  }
  return "";
}

std::string core_beside(const std::string& path, const FailureRecord& record) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("core") || !entry.is_regular_file(error)) continue;
    try {
      const capture::CoreFile core(entry.path().string());
      if (is_of(record, core.process(), core.identity())) return entry.path().string();
    } catch (const base::UsageError&) {
      continue;  // the record itself, say
    }
  }
  return "";
}

}  // namespace tcplab::look
