// What `tcplab look` prints of a failure record: the call that failed, the connections, the calls.
#pragma once

#include <iosfwd>
#include <string>

#include "look/failure_record.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes which call failed, where and when. `path`: the record's.
void write_failure(std::ostream& out, const std::string& path, const look::FailureRecord& record,
                   const Style& style);

/// Writes each connection: what the kernel knew, what the calls did, and the last of them; in the
/// lab, also its peer's side and the last frames.
void write_connections(std::ostream& out, const look::FailureRecord& record, const Style& style);

/// Writes the thread whose call failed, with its stack as it was named then; or the others.
void write_failed_thread(std::ostream& out, const look::FailureRecord& record, const Style& style);
void write_other_threads(std::ostream& out, const look::FailureRecord& record, const Style& style);

/// Writes a record without a core file.
void write_record(std::ostream& out, const std::string& path, const look::FailureRecord& record,
                  const Style& style);

/// Returns "was in recvfrom(3, 100 bytes)", or what the thread did instead; empty if not known.
std::string thread_words(const look::LookedThread& thread);

}  // namespace tcplab::reports
