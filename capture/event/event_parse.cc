#include <array>
#include <cstdlib>

#include "capture/event/event_fields.hh"
#include "capture/event/event_json.hh"
#include "capture/event/json_members.hh"

namespace tcplab::capture {

namespace {

int parse_errno(std::string_view key, const std::string& text) {
  constexpr std::string_view kNameless = "errno ";  // base::errno_name() for a number without one
  if (text == "0") return 0;
  if (const int number = base::errno_number(text)) return number;
  if (text.starts_with(kNameless)) return std::atoi(text.c_str() + kNameless.size());
  refuse(key, "is not an error that this system has: " + text);
}

/// True for a value of SO_ERROR, as base::errno_name() writes it. Other names are in small letters.
bool is_errno_name(std::string_view text) {
  return text.starts_with('E') || text.starts_with("errno ") || text == "0";
}

/// Reads the members of one object; see event_fields.hh.
class Reader : public ObjectReader<Reader> {
public:
  using ObjectReader::ObjectReader;

  void format() const {
    std::string format;
    int version = 0;
    take("format", format);
    if (format != kEventFormat) refuse("format", "is not " + std::string(kEventFormat));
    take("version", version);
    if (version < kOldestEventFormatVersion || version > kEventFormatVersion)
      refuse("version", "is " + std::to_string(version) + ", which this program does not know");
  }
  template <typename Value>
  void only_if(bool /*condition*/, std::string_view key, Value&& into) const {
    read(key, into);
  }

private:
  friend ObjectReader<Reader>;
  using ObjectReader<Reader>::read;

  void read(std::string_view key, ErrnoName<int> into) const {
    if (const std::string* name = text(key)) into.number = parse_errno(key, *name);
  }

  void read(std::string_view key, StoredByCall<Call> into) const {
    const json* value = find(key);
    if (value == nullptr) return;
    if (value->is_object()) {
      into.call.value = read_members(key, *value);
    } else if (value->is_number()) {
      take(key, into.call.value.emplace<std::int64_t>());
    } else if (is_errno_name(*text(key))) {
      read(key, ErrnoName{into.call.error});
    } else {
      take(key, into.call.value.emplace<std::string>());
    }
  }

  static std::vector<StructMember> read_members(std::string_view key, const json& object) {
    std::vector<StructMember> members;
    for (const auto& [member, value] : object.items()) {
      if (!value.is_number_integer()) refuse(key, "has a member that is not a whole number");
      members.emplace_back(member, value.get<std::int64_t>());
    }
    return members;
  }

  void read(std::string_view key, PollNames<int> into) const {
    const std::string* names = text(key);
    if (names == nullptr) return;
    const auto events = parse_poll_events(*names);
    if (!events) refuse(key, "is not a set of poll events: " + *names);
    into.bits = *events;
  }

  void read(std::string_view key, WideNumber& into) const {
    const json* value = find(key);
    if (value == nullptr) return;
    into.is_negative = !value->is_number_unsigned();
    if (!into.is_negative) return take(key, into.bits);
    std::int64_t number = 0;
    take(key, number);
    into.bits = static_cast<std::uint64_t>(number);
  }
};

template <std::size_t index>
Body parse_body(const Reader& members) {
  Body body(std::in_place_index<index>);
  fields(members, std::get<index>(body));
  return body;
}

template <std::size_t... indices>
constexpr auto parsers(std::index_sequence<indices...>) {
  return std::array{&parse_body<indices>...};
}

Body parse_any(const Reader& members) {
  constexpr auto kParsers = parsers(std::make_index_sequence<kKinds.size()>());
  std::string kind;
  members.required("kind", kind);
  for (std::size_t index = 0; index < kKinds.size(); ++index)
    if (kKinds[index] == kind) return kParsers[index](members);
  throw UnknownKind(kind);
}

json parse_object(std::string_view line) {
  try {
    json object = json::parse(line);
    if (!object.is_object()) throw base::UsageError("not a JSON object");
    return object;
  } catch (const json::parse_error& error) {
    throw base::UsageError("not JSON, at byte " + std::to_string(error.byte));
  } catch (const json::out_of_range&) {
    throw base::UsageError("a number in it is too large");  // 1e999: JSON, but no double
  }
}

}  // namespace

UnknownKind::UnknownKind(std::string_view kind)
    : UsageError("the kind \"" + std::string(kind) + "\" is not known") {}

Event parse_event(std::string_view line) {
  const json object = parse_object(line);
  const Reader members(object);
  Event event;
  members.always("n", event.number);
  members.required("t", event.at);
  event.body = parse_any(members);
  return event;
}

}  // namespace tcplab::capture
