// What `tcplab look` prints of a core file, as text and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "look/failure_file.hh"
#include "look/looked_core.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// `record`: null if there is none.
void write_core(std::ostream& out, const std::string& path, const look::LookedCore& core,
                const look::RecordFile* record, const Style& style);
void write_core_json(std::ostream& out, const std::string& path, const look::LookedCore& core,
                     const look::RecordFile* record);

/// Writes a record as one JSON object, as it is in its file.
void write_record_json(std::ostream& out, const look::FailureRecord& record);

}  // namespace tcplab::reports
