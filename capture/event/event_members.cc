#include "capture/event/event_members.hh"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "capture/event/event_fields.hh"

namespace tcplab::capture {

namespace {

/// Lists the members of one kind; see event_fields.hh.
class Lister {
public:
  explicit Lister(std::vector<EventMember>& members) : members_(members) {}

  void format() {
    add("format", "string");
    add("version", "integer");
  }
  template <typename Value>
  void always(std::string_view key, const Value& value) {
    add(key, type_of(value));
  }
  template <typename Value>
  void required(std::string_view key, const Value& value) {
    always(key, value);
  }
  template <typename Value>
  void unless_empty(std::string_view key, const Value& value) {
    always(key, value);
  }
  template <typename Value>
  void only_if(bool /*condition*/, std::string_view key, const Value& value) {
    always(key, value);
  }

private:
  void add(std::string_view key, std::string type) {
    members_.push_back({std::string(key), std::move(type)});
  }

  static std::string type_of(const std::string& /*value*/) { return "string"; }
  static std::string type_of(std::string_view /*value*/) { return "string"; }
  static std::string type_of(bool /*value*/) { return "boolean"; }
  static std::string type_of(nanoseconds /*value*/) { return "duration"; }
  static std::string type_of(Instant /*value*/) { return "time"; }
  static std::string type_of(const Endpoint& /*value*/) { return "string"; }
  template <typename Number>
  static std::string type_of(ErrnoName<Number> /*value*/) {
    return "string";
  }
  template <typename Number>
  static std::string type_of(PollNames<Number> /*value*/) {
    return "string";
  }
  template <typename AnyCall>
  static std::string type_of(StoredByCall<AnyCall> /*value*/) {
    return "any";
  }
  template <typename Value>
  static std::string type_of(const std::optional<Value>& /*value*/) {
    return type_of(Value{});
  }
  template <typename Value>
  static std::string type_of(const std::vector<Value>& /*value*/) {
    return type_of(Value{}) + "[]";
  }
  template <typename Value>
  static std::string type_of(const Value& /*value*/) {
    if constexpr (std::is_enum_v<Value>)
      return "string";
    else if constexpr (std::integral<Value>)
      return "integer";
    else
      return "object";
  }

  std::vector<EventMember>& members_;
};

template <std::size_t... kIndex>
std::vector<EventKind> kinds(std::index_sequence<kIndex...> /*all*/) {
  std::vector<EventKind> all;
  const auto add = [&all]<typename Kind>(std::string_view name, const Kind& body) {
    EventKind& kind = all.emplace_back(EventKind{.name = name, .members = {}});
    fields(Lister(kind.members), body);
  };
  (add(kKinds.at(kIndex), std::variant_alternative_t<kIndex, Body>{}), ...);
  return all;
}

}  // namespace

std::vector<EventKind> event_kinds() {
  return kinds(std::make_index_sequence<std::variant_size_v<Body>>());
}

}  // namespace tcplab::capture
