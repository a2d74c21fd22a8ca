#include "capture/event/event_schema.hh"

#include <utility>

#include "capture/event/event_fields.hh"
#include "capture/event/event_json.hh"
#include "capture/event/schema_fields.hh"

namespace tcplab::capture {

namespace {

constexpr const char* kErrno = "^(E[A-Z0-9]+|errno [0-9]+|0)$";  // base::errno_name()

class EventSchema : public SchemaFields<EventSchema> {
public:
  using SchemaFields::schema_of;

  void format() {
    constant("format", kEventFormat);
    constant("version", kEventFormatVersion);
  }

  static SchemaJson schema_of(ErrnoName<const int>) {
    return {{"type", "string"}, {"pattern", kErrno}};
  }
  static SchemaJson schema_of(PollNames<const int>) {
    return {{"type", "string"}, {"pattern", "^[A-Za-z0-9]+(\\|[A-Za-z0-9]+)*$"}};
  }
  /// A number, the name of an errno, another name, or the members of a struct.
  static SchemaJson schema_of(StoredByCall<const Call>) {
    return {{"type", {"null", "integer", "string", "object"}},
            {"additionalProperties", {{"type", "integer"}}}};
  }
  static SchemaJson schema_of(const WideNumber&) { return {{"type", "integer"}}; }
};

template <typename Body>
SchemaJson schema_of_kind(std::string_view kind) {
  EventSchema schema;
  schema.only_if(true, "n", std::uint64_t{});
  schema.always("t", Instant{});
  schema.constant("kind", kind);
  const Body body{};
  fields(schema, body);
  return schema.take();
}

template <std::size_t... indices>
SchemaJson kinds_of(std::index_sequence<indices...>) {
  SchemaJson kinds = SchemaJson::object();
  ((kinds[std::string(kKinds[indices])] =
        schema_of_kind<std::variant_alternative_t<indices, Body>>(kKinds[indices])),
   ...);
  return kinds;
}

}  // namespace

std::string event_schema() {
  SchemaJson schema =
      begin_schema("events", "An event of tcplab",
                   "One line of events.jsonl. docs/events.md explains the members.");
  SchemaJson kinds = kinds_of(std::make_index_sequence<kKinds.size()>());
  SchemaJson& choices = schema["oneOf"] = SchemaJson::array();
  for (const std::string_view kind : kKinds)
    choices.push_back({{"$ref", "#/$defs/" + std::string(kind)}});
  schema["$defs"] = std::move(kinds);
  return schema.dump(1) + "\n";
}

}  // namespace tcplab::capture
