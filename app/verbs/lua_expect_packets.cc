// Expectations about packets: lab:expect_packet, lab:never_packet.
#include <chrono>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_filter.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

const LuaTable kPacketOptions = {
    "packet_options",
    "",
    {{"fate?", "\"delivered\"|\"lost\"|\"held\"|\"delayed\"|\"forged\""},
     {"within?", "number", "seconds", kSpanRange},
     {"since?", "kernel_version", "not checked if the hosts' kernel is older"}},
    &kPacketFields};

capture::Fate fate_named(const std::string& name) {
  if (name == "delivered") return capture::Fate::delivered;
  if (name == "lost") return capture::Fate::lost;
  if (name == "held") return capture::Fate::held;
  if (name == "forged") return capture::Fate::forged;
  if (name == "delayed") return capture::Fate::delayed;
  throw base::UsageError(
      "option `fate` is \"delivered\", \"lost\", \"held\", \"delayed\" or \"forged\"");
}

/// Whether the frame of the event goes in the direction of the filter.
bool goes_there(const capture::Packet& packet, const lab::FrameFilter& filter) {
  const auto is_end = [](const std::string& wanted, const std::string& end) {
    return wanted.empty() || wanted == "*" || end.empty() || wanted == end;
  };
  return is_end(filter.from(), packet.from) && is_end(filter.to(), packet.to);
}

/// Waits for a frame. If it does not come, says what the last frame in that direction was.
class PacketExpectation : public Eventually {
public:
  PacketExpectation(base::Instant deadline, base::nanoseconds within,
                    std::shared_ptr<PacketPattern> pattern)
      : Eventually(deadline, within, pattern), wanted_(std::move(pattern)) {}

  Decision look(const capture::Event& event) override {
    const auto* packet = std::get_if<capture::Packet>(&event.body);
    if (packet != nullptr && goes_there(*packet, wanted_->filter)) last_ = event;
    return Eventually::look(event);
  }
  std::string seen() const override {
    if (decisive() != nullptr) return Eventually::seen();
    if (last_) return "the last was " + describe(*last_);
    return "no packet" + direction() + " since the last expectation";
  }
  std::string nearest() const override {
    const std::string text = Eventually::nearest();
    return last_ && text == describe(*last_) ? "" : text;
  }

private:
  std::string direction() const {
    const lab::FrameFilter& filter = wanted_->filter;
    return filter.from().empty() ? "" : " " + filter.from() + " > " + filter.to();
  }

  std::shared_ptr<PacketPattern> wanted_;
  std::optional<capture::Event> last_;
};

int expect_packet(LuaCall& call, base::nanoseconds span, WaitMode mode, int first) {
  ScriptContext& context = context_of(call);
  call.allow_options(first + 2, kPacketOptions);
  const std::string direction = call.text(first, "the direction");
  const std::string filter =
      call.has(first + 1) ? call.text(first + 1, "the packet word or filter") : "";
  auto pattern = std::make_shared<PacketPattern>(script_filter(call, direction, filter, first + 2));
  pattern->find_frame = [&context](std::uint64_t number) {
    return context.laboratory().network().frames().frame(number);
  };
  if (const auto fate = call.option_text(first + 2, "fate")) {
    pattern->fate = fate_named(*fate);
  }
  if (const auto within = call.option_number(first + 2, "within"))
    span = base::from_seconds(*within);
  const std::string since = call.option_text(first + 2, "since").value_or("");
  if (!since.empty() && mode == WaitMode::condition)
    throw base::UsageError("a condition has no `since`; ask lab:since before it");
  const Subject nobody{.span = span, .mode = mode, .since = since};
  const int results =
      expect(call, nobody, [pattern](base::Instant deadline, base::nanoseconds within) {
        auto wait = std::make_unique<PacketExpectation>(deadline, within, pattern);
        wait->stream = "packet";
        return wait;
      });
  if (mode == WaitMode::condition)
    static_cast<LuaCondition*>(luaL_testudata(call.lua, -1, LuaCondition::kLuaName))->packet =
        pattern;
  return results;
}

int lab_expect_packet(LuaCall& call) { return expect_packet(call, kPatience, WaitMode::expect, 1); }

/// Has no time limit of its own: lab:first has one.
int lab_packet(LuaCall& call) {
  if (call.option_number(3, "within"))
    throw base::UsageError("a condition has no `within`; lab:first has one");
  return expect_packet(call, kPatience, WaitMode::condition, 1);
}

int lab_never_packet(LuaCall& call) {
  return expect_packet(call, call.span(1, "for how long"), WaitMode::never, 2);
}

}  // namespace

LuaModule packets_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"expect_packet",
                lab_expect_packet,
                "Waits for a frame.",
                {{"direction", "direction", "\"kang > kodos\""},
                 {"packet?", "packet_selection", "a word or a pcap filter"},
                 {"options?", "packet_options"}},
                {"event"}},
               {"packet",
                lab_packet,
                "Makes a condition that such a frame meets.",
                {{"direction", "direction", "\"kang > kodos\""},
                 {"packet?", "packet_selection", "a word or a pcap filter"},
                 {"options?", "packet_options"}},
                {"condition"}},
               {"never_packet",
                lab_never_packet,
                "Expects that no such frame comes, from now on for that long.",
                {{"seconds", "number", "", kSpanRange},
                 {"direction", "direction", "\"kang > kodos\""},
                 {"packet?", "packet_selection", "a word or a pcap filter"},
                 {"options?", "packet_options"}}}})},
          .tables = {&kPacketFields, &kPacketOptions}};
}

}  // namespace tcplab::app
