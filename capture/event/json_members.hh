// Takes the members of a JSON object by key and by type. Included by few
// files, because nlohmann's header compiles slowly.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::capture {

using nlohmann::json;

/// Throws base::UsageError: `"key" what`.
[[noreturn]] inline void refuse(std::string_view key, std::string_view what) {
  throw base::UsageError('"' + std::string(key) + "\" " + std::string(what));
}

/// The members of one JSON object. take() leaves the default if the member is missing, and refuses
/// one of the wrong type.
class Members {
public:
  explicit Members(const json& object) : object_(object) {}

  const json* find(std::string_view key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  const json& require(std::string_view key) const {
    const json* value = find(key);
    if (value == nullptr) refuse(key, "is missing");
    return *value;
  }

  const std::string* text(std::string_view key) const {
    const json* value = find(key);
    if (value == nullptr) return nullptr;
    if (!value->is_string()) refuse(key, "is not a string");
    return value->get_ptr<const std::string*>();
  }

  void take(std::string_view key, std::string& into) const {
    if (const std::string* value = text(key)) into = *value;
  }

  template <std::integral Number>
  void take(std::string_view key, Number& into) const {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_number_integer()) refuse(key, "is not a whole number");
    const bool fits = value->is_number_unsigned()
                          ? std::in_range<Number>(value->get<std::uint64_t>())
                          : std::in_range<Number>(value->get<std::int64_t>());
    if (!fits) refuse(key, "is out of range");
    into = static_cast<Number>(value->get<std::int64_t>());
  }

  void take(std::string_view key, bool& into) const {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_boolean()) refuse(key, "is not true or false");
    into = value->get<bool>();
  }

  void take(std::string_view key, nanoseconds& into) const {
    std::int64_t count = into.count();
    take(key, count);
    into = nanoseconds(count);
  }

  void take(std::string_view key, Instant& into) const {
    std::int64_t count = base::to_nanoseconds(into);
    take(key, count);
    // At most 146 years, so that the span between any two fits.
    if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / 2)
      refuse(key, "is not a time since the machine started");
    into = base::from_nanoseconds(count);
  }

  void take(std::string_view key, Endpoint& into) const {
    const std::string* value = text(key);
    if (value == nullptr) return;
    const auto endpoint = Endpoint::parse(*value);
    if (!endpoint) refuse(key, "is not an address with a port");
    into = *endpoint;
  }

  void take(std::string_view key, TcpState& into) const {
    const std::string* value = text(key);
    if (value == nullptr) return;
    const auto state = tcp_state(*value);
    if (!state) refuse(key, "is not a TCP state: " + *value);
    into = *state;
  }

  template <typename Value>
  void take(std::string_view key, std::optional<Value>& into) const {
    if (find(key) != nullptr) take(key, into.emplace());
  }

  template <typename Enum>
  requires std::is_enum_v<Enum>
  void take(std::string_view key, Enum& into) const {
    const std::string* value = text(key);
    if (value == nullptr) return;
    const auto found = from_word<Enum>(*value);
    if (!found) refuse(key, "is not a known word: " + *value);
    into = *found;
  }

  void take(std::string_view key, std::vector<std::string>& into) const {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_array()) refuse(key, "is not a list");
    for (const json& element : *value) {
      if (!element.is_string()) refuse(key, "is not a list of strings");
      into.push_back(element.get<std::string>());
    }
  }

private:
  const json& object_;
};

/// Reads objects whose members a function fields(reader, object) lists. `Own` is the reader, which
/// may add functions read(key, value) for more types: `using ObjectReader<Own>::read`.
template <typename Own>
class ObjectReader : public Members {
public:
  using Members::Members;

  template <typename Value>
  void always(std::string_view key, Value&& into) const {
    own().read(key, into);
  }
  template <typename Value>
  void required(std::string_view key, Value&& into) const {
    require(key);
    own().read(key, into);
  }
  template <typename Value>
  void unless_empty(std::string_view key, Value&& into) const {
    own().read(key, into);
  }

protected:
  template <typename Value>
  void read(std::string_view key, Value& into) const {
    take(key, into);
  }

  template <typename Object>
  requires requires(const Own& reader, Object& into) { fields(reader, into); }
  void read(std::string_view key, Object& into) const {
    if (const json* value = find(key)) read_object(key, *value, into);
  }

  template <typename Object>
  requires requires(const Own& reader, Object& into) { fields(reader, into); }
  void read(std::string_view key, std::optional<Object>& into) const {
    if (const json* value = find(key)) read_object(key, *value, into.emplace());
  }

  template <typename Object>
  requires requires(const Own& reader, Object& into) { fields(reader, into); }
  void read(std::string_view key, std::vector<Object>& into) const {
    for (const json& value : list(key)) {
      if (!value.is_object()) refuse(key, "is not a list of objects");
      fields(Own(value), into.emplace_back());
    }
  }

  /// Empty if the member is missing.
  const json& list(std::string_view key) const {
    static const json kNone = json::array();
    const json* value = find(key);
    if (value == nullptr) return kNone;
    if (!value->is_array()) refuse(key, "is not a list");
    return *value;
  }

private:
  const Own& own() const { return static_cast<const Own&>(*this); }

  template <typename Object>
  static void read_object(std::string_view key, const json& value, Object& into) {
    if (!value.is_object()) refuse(key, "is not an object");
    fields(Own(value), into);
  }
};

}  // namespace tcplab::capture
