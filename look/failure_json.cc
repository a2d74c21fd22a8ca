#include "look/failure_json.hh"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hh"
#include "capture/event/event_json.hh"
#include "capture/event/json_members.hh"
#include "look/failure_fields.hh"

namespace tcplab::look {

namespace {

using Json = nlohmann::ordered_json;

/// Writes the members of one object; see failure_fields.hh.
class JsonWriter {
public:
  template <typename Value>
  void always(std::string_view key, const Value& value) {
    object_[std::string(key)] = json_of(value);
  }
  template <typename Value>
  void required(std::string_view key, const Value& value) {
    always(key, value);
  }
  template <typename Value>
  void unless_empty(std::string_view key, const std::optional<Value>& value) {
    if (value) always(key, *value);
  }
  template <typename Value>
  void unless_empty(std::string_view key, const Value& value) {
    Json json = json_of(value);
    const auto* text = json.get_ptr<const std::string*>();
    if (json.empty() || json == false || (text != nullptr && text->empty())) return;
    object_[std::string(key)] = std::move(json);
  }

  Json take() { return std::move(object_); }

private:
  static Json json_of(bool value) { return value; }
  static Json json_of(std::integral auto value) { return value; }
  static Json json_of(const std::string& value) { return value; }
  static Json json_of(base::nanoseconds value) { return value.count(); }
  static Json json_of(base::Instant value) { return base::to_nanoseconds(value); }
  static Json json_of(const base::Endpoint& value) { return value.to_string(); }
  static Json json_of(capture::TcpState value) { return capture::name(value); }
  static Json json_of(ThreadDoes value) { return capture::word(value); }
  static Json json_of(FailureAct value) { return capture::word(value); }
  static Json json_of(const capture::Event& event) {
    Json json = Json::parse(capture::to_json_line(event));
    json.erase("n");  // it is of no timeline
    return json;
  }
  template <typename Value>
  static Json json_of(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(json_of(value));
    return list;
  }
  template <typename Object>
  requires requires(JsonWriter& writer, Object& object) { fields(writer, object); }
  static Json json_of(Object& object) {
    JsonWriter writer;
    fields(writer, object);
    return writer.take();
  }

  Json object_ = Json::object();
};

template <typename Object>
Json object_of(const Object& object) {
  JsonWriter writer;
  fields(writer, object);
  return writer.take();
}

}  // namespace

/// Reads the members of one object; see failure_fields.hh. It is not in the namespace above:
/// ObjectReader would not find fields().
class JsonReader : public capture::ObjectReader<JsonReader> {
public:
  using ObjectReader::ObjectReader;

private:
  friend ObjectReader<JsonReader>;
  using ObjectReader<JsonReader>::read;

  void read(std::string_view key, std::vector<int>& into) const {
    for (const capture::json& value : list(key)) {
      const capture::json object = {{std::string(key), value}};
      Members(object).take(key, into.emplace_back());
    }
  }

  void read(std::string_view key, capture::Event& into) const {
    if (const capture::json* value = find(key)) into = event_of(key, *value);
  }
  void read(std::string_view key, std::vector<capture::Event>& into) const {
    for (const capture::json& value : list(key)) into.push_back(event_of(key, value));
  }

  static capture::Event event_of(std::string_view key, const capture::json& value) {
    if (!value.is_object()) capture::refuse(key, "is not an event");
    return capture::parse_event(value.dump());
  }
};

namespace {

/// Throws unless the object says that it is a record, of a version that is known.
void check_format(const JsonReader& members) {
  std::string format;
  int version = 0;
  members.take("format", format);
  if (format != kRecordFormat)
    throw base::UsageError("is no record of tcplab trace --abort-on or --stop-on");
  members.take("version", version);
  if (version != kRecordVersion)
    throw base::UsageError("has version " + std::to_string(version) +
                           " of the record, which this tcplab does not know");
}

/// What reports rely on.
void check_values(const FailureRecord& record) {
  constexpr base::nanoseconds kLatest{std::numeric_limits<std::int64_t>::max() / 2};
  if (record.wall_clock.count() < 0 || record.wall_clock > kLatest)
    capture::refuse("wall_clock", "is not a time since 1970");
  const auto is_call = [](const capture::Event& event) {
    return std::holds_alternative<capture::Call>(event.body);
  };
  if (!is_call(record.failure)) capture::refuse("failure", "is not a call");
  if (record.threads.empty()) capture::refuse("threads", "is empty");
  for (const RecordedConnection& connection : record.connections) {
    if (!std::ranges::all_of(connection.calls, is_call))
      capture::refuse("calls", "has an event that is not a call");
    if (connection.peer && !std::ranges::all_of(connection.peer->calls_open, is_call))
      capture::refuse("calls_open", "has an event that is not a call");
    for (const capture::Event& frame : connection.frames)
      if (!std::holds_alternative<capture::Packet>(frame.body))
        capture::refuse("frames", "has an event that is not a packet");
  }
}

}  // namespace

Json to_json(const LookedConnection& connection) { return object_of(connection); }
Json to_json(const LookedThread& thread) { return object_of(thread); }
Json to_json(const LookedTask& task) { return object_of(task); }

Json to_json(const FailureRecord& record) {
  Json json = {{"format", kRecordFormat}, {"version", kRecordVersion}};
  json.update(object_of(record));
  return json;
}

std::string to_text(const FailureRecord& record) {
  return to_json(record).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_line(const FailureRecord& record) {
  return to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

FailureRecord parse_failure_record(std::string_view text) {
  capture::json json;
  try {
    json = capture::json::parse(text);
  } catch (const capture::json::parse_error&) {
    throw base::UsageError("it is no JSON, or is cut off");
  }
  if (!json.is_object()) throw base::UsageError("it is no JSON object");
  const JsonReader members(json);
  check_format(members);
  FailureRecord record;
  fields(members, record);
  check_values(record);
  return record;
}

}  // namespace tcplab::look
