// An archive that makes a JSON Schema (draft 2020-12) of the members that an object has: see
// event_fields.hh. Included by few files, because nlohmann's header compiles slowly.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"
#include "capture/event/event_words.hh"

namespace tcplab::capture {

using SchemaJson = nlohmann::ordered_json;

/// Returns the first members of a schema's file. `name`: "events" for events.schema.json.
inline SchemaJson begin_schema(const std::string& name, const std::string& title,
                               const std::string& description) {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"$id", name + ".schema.json"},
          {"title", title},
          {"description", description}};
}

/// Collects the members. `Self` is the class that derives from it, in the namespace of the
/// functions `fields`; it adds schema_of() for types of its own.
template <typename Self>
class SchemaFields {
public:
  template <typename Value>
  void always(std::string_view key, const Value& value) {
    unrestricted(key, value);
    required_.emplace_back(key);
  }
  template <typename Value>
  void required(std::string_view key, const Value& value) {
    always(key, value);
  }
  template <typename Value>
  void only_if(bool /*condition*/, std::string_view key, const Value& value) {
    unrestricted(key, value);
  }
  template <typename Value>
  void unless_empty(std::string_view key, const Value& value) {
    unrestricted(key, value);
    SchemaJson& schema = properties_[std::string(key)];
    if constexpr (std::same_as<Value, std::string>) schema["minLength"] = 1;
    if constexpr (std::same_as<Value, bool>) schema = {{"const", true}};
    if (schema.contains("items")) schema["minItems"] = 1;
  }
  /// A member with always the same value.
  void constant(std::string_view key, const SchemaJson& value) {
    properties_[std::string(key)] = {{"const", value}};
    required_.emplace_back(key);
  }

  SchemaJson take() {
    return {{"type", "object"},
            {"properties", std::move(properties_)},
            {"required", std::move(required_)},
            {"additionalProperties", false}};
  }

  static SchemaJson schema_of(const std::string&) { return {{"type", "string"}}; }
  static SchemaJson schema_of(bool) { return {{"type", "boolean"}}; }
  static SchemaJson schema_of(base::nanoseconds) { return {{"type", "integer"}}; }
  static SchemaJson schema_of(base::Instant) { return {{"type", "integer"}, {"minimum", 0}}; }
  static SchemaJson schema_of(const base::Endpoint&) {
    return {{"type", "string"}, {"pattern", R"(^([0-9.]+|\[[0-9a-f:.]+\]):[0-9]+$)"}};
  }
  static SchemaJson schema_of(TcpState) {
    SchemaJson names = SchemaJson::array();
    for (std::size_t state = 0; state < kTcpStates; ++state)
      names.push_back(name(static_cast<TcpState>(state)));
    return {{"enum", std::move(names)}};
  }
  static SchemaJson schema_of(base::Family) { return {{"enum", {"ipv4", "ipv6"}}}; }
  template <std::integral Number>
  static SchemaJson schema_of(Number) {
    SchemaJson schema = {{"type", "integer"}};
    if constexpr (std::is_unsigned_v<Number>) schema["minimum"] = 0;
    if constexpr (sizeof(Number) < sizeof(std::int64_t))
      schema["maximum"] = std::numeric_limits<Number>::max();
    return schema;
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  static SchemaJson schema_of(Enum) { return {{"enum", words_of(Enum{})}}; }
  template <typename Value>
  static SchemaJson schema_of(const std::optional<Value>&) {
    return Self::schema_of(Value{});
  }
  template <typename Value>
  static SchemaJson schema_of(const std::vector<Value>&) {
    return {{"type", "array"}, {"items", Self::schema_of(Value{})}};
  }
  template <typename Object>
  requires requires(Self& self, const Object& object) { fields(self, object); }
  static SchemaJson schema_of(const Object& object) {
    Self self;
    fields(self, object);
    return self.take();
  }

private:
  template <typename Value>
  void unrestricted(std::string_view key, const Value& value) {
    properties_[std::string(key)] = Self::schema_of(value);
  }

  SchemaJson properties_ = SchemaJson::object();
  std::vector<std::string> required_;
};

}  // namespace tcplab::capture
