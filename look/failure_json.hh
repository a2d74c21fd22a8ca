// Converts failure records, and what `tcplab look` has looked at, to JSON; and records back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "look/failure_record.hh"

namespace tcplab::look {

inline constexpr std::string_view kRecordFormat = "tcplab-failure";
inline constexpr int kRecordVersion = 1;

nlohmann::ordered_json to_json(const LookedConnection& connection);
nlohmann::ordered_json to_json(const LookedThread& thread);
nlohmann::ordered_json to_json(const LookedTask& task);
nlohmann::ordered_json to_json(const FailureRecord& record);

/// Returns the text of a record's file. Bytes that are not UTF-8 are replaced.
std::string to_text(const FailureRecord& record);

/// The same in one line, with a line feed. It begins with kRecordLine.
std::string to_line(const FailureRecord& record);
inline constexpr std::string_view kRecordLine = R"({"format":"tcplab-failure",)";

/// Reads what to_text() or to_line() has written. Ignores unknown members. Throws base::UsageError
/// that says what is wrong: `"state" is not a TCP state: OPEN`.
FailureRecord parse_failure_record(std::string_view text);

}  // namespace tcplab::look
