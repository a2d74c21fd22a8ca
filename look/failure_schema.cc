#include "look/failure_schema.hh"

#include "capture/event/schema_fields.hh"
#include "look/failure_fields.hh"
#include "look/failure_json.hh"

namespace tcplab::look {

using capture::SchemaJson;

/// Not in an anonymous namespace: it is by this class that SchemaFields finds look::fields().
class FailureSchema : public capture::SchemaFields<FailureSchema> {
public:
  using SchemaFields::schema_of;

  static SchemaJson schema_of(const LookedThread&) { return {{"$ref", "#/$defs/thread"}}; }
  static SchemaJson schema_of(const LookedTask&) { return {{"$ref", "#/$defs/task"}}; }
  static SchemaJson schema_of(const capture::Event&) { return {{"$ref", "events.schema.json"}}; }
};

namespace {

template <typename Object>
SchemaJson members_of(const Object& object) {
  FailureSchema schema;
  fields(schema, object);
  return schema.take();
}

}  // namespace

std::string failure_schema() {
  SchemaJson schema = capture::begin_schema(
      "failure", "A failure record of tcplab",
      "What tcplab trace --abort-on and --stop-on write. docs/look.md explains the members.");
  FailureSchema record;
  record.constant("format", kRecordFormat);
  record.constant("version", kRecordVersion);
  const FailureRecord example;
  fields(record, example);
  schema.update(record.take());
  schema["$defs"] = {{"thread", members_of(LookedThread{})},
                     {"task", members_of(LookedTask{})},
                     {"connection", members_of(LookedConnection{})}};
  return schema.dump(1) + "\n";
}

}  // namespace tcplab::look
