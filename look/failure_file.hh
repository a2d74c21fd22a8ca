// The file of a failure record: where it is written, and how it is found beside a core file.
#pragma once

#include <string>

#include "look/failure_record.hh"

namespace tcplab::look {

/// A record, and where it was read.
struct RecordFile {
  std::string path;
  FailureRecord record;
};

/// Writes the record where the kernel writes the core file of the process (core(5)), as
/// "core.PID.tcplab.json"; if that is a pipe, where the process is. If no file can be made there,
/// or if the process sees other files (mount_namespaces(7)), writes it to the current folder. Only
/// the user may read it, as a core file: it has data. Replaces an older record, and follows no
/// symbolic link. Returns the path. Throws base::SystemError.
std::string write_record_beside_core(const FailureRecord& record);

/// Writes the record to a file.
void write_record(const FailureRecord& record, const std::string& path);

/// Returns how the files of a failure are named in the folder of a run: "kang-curl".
std::string failure_name(const std::string& host, std::string program);

/// Whether the file begins as a record does: with a brace.
bool may_be_record(const std::string& path);

/// Throws base::UsageError, which begins with the path, if the file cannot be read or is no record.
FailureRecord read_record(const std::string& path);

/// Returns the path of the record of this process beside its core file: "core.PID.tcplab.json", or
/// the one that a run has written. Empty if there is none.
std::string record_beside(const std::string& core, int process,
                          const capture::ProgramIdentity& identity);

/// Whether the record is of the process that a core file shows.
bool is_of(const FailureRecord& record, int process, const capture::ProgramIdentity& identity);

/// Returns the path of the core file of the process in the folder of the record; empty if there is
/// none whose name begins with "core".
std::string core_beside(const std::string& path, const FailureRecord& record);

}  // namespace tcplab::look
