#include "capture/event/event_json.hh"

#include <concepts>
#include <type_traits>

#include "base/error.hh"
#include "capture/event/event_fields.hh"
#include "capture/event/event_words.hh"
#include "capture/event/json_text.hh"

namespace tcplab::capture {

namespace {

template <typename Value>
bool is_empty(const Value& value) {
  return value == Value{};
}
bool is_empty(ErrnoName<const int> error) { return error.number == 0; }
bool is_empty(const std::string& text) { return text.empty(); }
template <typename Value>
bool is_empty(const std::optional<Value>& value) {
  return !value;
}
template <typename Value>
bool is_empty(const std::vector<Value>& values) {
  return values.empty();
}

/// Writes the members of one object; see event_fields.hh.
class Writer {
public:
  explicit Writer(std::string& out) : out_(out), object_(out) {}

  void format() {
    always("format", std::string(kEventFormat));
    always("version", kEventFormatVersion);
  }
  template <typename Value>
  void always(std::string_view key, const Value& value) {
    object_.begin(key);
    write(value);
  }
  template <typename Value>
  void required(std::string_view key, const Value& value) {
    always(key, value);
  }
  template <typename Value>
  void unless_empty(std::string_view key, const Value& value) {
    if (!is_empty(value)) always(key, value);
  }
  template <typename Value>
  void only_if(bool condition, std::string_view key, const Value& value) {
    if (condition) always(key, value);
  }
  void close() { object_.close(); }

private:
  // As members these see each other whatever their order: a list has objects, an object has lists.
  void write(const std::string& text) { append_json_string(out_, text); }
  void write(bool value) { out_ += value ? "true" : "false"; }
  void write(nanoseconds span) { append_number(out_, span.count()); }
  void write(Instant at) { append_number(out_, base::to_nanoseconds(at)); }
  void write(TcpState state) { append_json_string(out_, name(state)); }
  void write(ErrnoName<const int> error) {
    append_json_string(out_, base::errno_name(error.number));
  }
  void write(StoredByCall<const Call> stored) {
    if (stored.call.error != 0) return write(ErrnoName{stored.call.error});
    std::visit([this](const auto& value) { write(value); }, stored.call.value);
  }
  void write(std::monostate) { out_ += "null"; }
  void write(const std::vector<StructMember>& members) {
    JsonObject object(out_);
    for (const auto& [member, value] : members) {
      object.begin(member);
      write(value);
    }
    object.close();
  }
  void write(PollNames<const int> events) { append_json_string(out_, poll_events(events.bits)); }
  void write(const Endpoint& endpoint) {
    out_ += '"';
    append_endpoint(out_, endpoint);
    out_ += '"';
  }
  void write(std::integral auto number) {
    if constexpr (std::is_signed_v<decltype(number)>)
      append_number(out_, std::int64_t{number});
    else
      append_number(out_, std::uint64_t{number});
  }
  void write(const WideNumber& number) {
    if (number.is_negative) return write(static_cast<std::int64_t>(number.bits));
    write(number.bits);
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void write(Enum value) { append_json_string(out_, word(value)); }

  template <typename Value>
  void write(const std::optional<Value>& value) {
    write(*value);
  }
  template <typename Value>
  void write(const std::vector<Value>& values) {
    out_ += '[';
    for (const Value& value : values) {
      if (&value != &values.front()) out_ += ',';
      write(value);
    }
    out_ += ']';
  }
  template <typename Object>
  requires requires(Writer& writer, const Object& object) { fields(writer, object); }
  void write(const Object& object) {
    Writer writer(out_);
    fields(writer, object);
    writer.close();
  }

  std::string& out_;
  JsonObject object_;
};

}  // namespace

void append_json(std::string& out, const Event& event) {
  Writer writer(out);
  writer.unless_empty("n", event.number);
  writer.always("t", event.at);
  writer.always("kind", std::string(kKinds[event.body.index()]));
  std::visit([&writer](const auto& body) { fields(writer, body); }, event.body);
  writer.close();
}

std::string to_json_line(const Event& event) {
  std::string line;
  line.reserve(384);  // a packet's line, the longest of the frequent ones, is about 330 bytes
  append_json(line, event);
  return line;
}

}  // namespace tcplab::capture
