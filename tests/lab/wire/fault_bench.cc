#include "tests/lab/wire/fault_bench.hh"

#include <sys/eventfd.h>

#include <algorithm>

#include "capture/event/event_words.hh"
#include "reports/text/effect_text.hh"

namespace tcplab::tests {

namespace {

constexpr std::size_t kTagAt = 19;  // IPv4 identification, its low byte
constexpr std::size_t kSequenceAt = 41;
constexpr std::size_t kTotalLengthAt = 16;

netns::HostConfig config(const std::string& name, std::uint16_t number) {
  netns::HostConfig host;
  host.name = name;
  netns::NicConfig nic;
  nic.name = "eth0";
  nic.link = "lan";
  nic.mac = netns::MacAddress::local(number);
  const std::string address = "10.0.0." + std::to_string(number);
  nic.addresses = {{base::IpAddress::parse(address).value(), 24}};
  host.nics.push_back(nic);
  return host;
}

}  // namespace

class HandClock::HandAlarm : public lab::Alarm {
public:
  explicit HandAlarm(HandClock& clock) : clock_(clock) { clock_.alarms_.insert(this); }
  ~HandAlarm() override { clock_.alarms_.erase(this); }
  void set(base::Instant when, std::function<void()> ring) override {
    when_ = when;
    ring_ = std::move(ring);
  }
  void cancel() override { ring_ = nullptr; }

  bool is_set() const { return ring_ != nullptr; }
  base::Instant when() const { return when_; }
  void ring() { std::exchange(ring_, nullptr)(); }

private:
  HandClock& clock_;
  base::Instant when_{};
  std::function<void()> ring_;
};

std::unique_ptr<lab::Alarm> HandClock::make_alarm() { return std::make_unique<HandAlarm>(*this); }

void HandClock::advance(base::nanoseconds span) {
  ahead_ += span;
  for (bool rung = true; rung;) {
    rung = false;
    for (HandAlarm* alarm : alarms_) {
      if (!alarm->is_set() || alarm->when() > now()) continue;
      alarm->ring();
      rung = true;
      break;
    }
  }
}

QueuePort::QueuePort() : never_readable_(base::check("make an eventfd", eventfd(0, EFD_CLOEXEC))) {}

std::optional<netns::Received> QueuePort::read(std::span<std::uint8_t> buffer) {
  if (sent.empty()) return std::nullopt;
  const Bytes frame = std::move(sent.front());
  sent.pop_front();
  std::ranges::copy(frame, buffer.begin());
  return netns::Received{.size = frame.size(), .offload = sends_with};
}

bool QueuePort::write(netns::Bytes frame, const netns::Offload& offload) {
  received_with.push_back(offload);
  received.emplace_back(frame.begin(), frame.end());
  return true;
}

Bytes tagged(std::uint8_t tag, std::size_t payload) {
  Bytes frame = segment(kAck);
  frame.resize(frame.size() + payload, 'x');
  frame[kTagAt] = tag;
  frame[kSequenceAt] = tag;
  const std::size_t length = frame.size() - 14;
  frame[kTotalLengthAt] = static_cast<std::uint8_t>(length >> 8);
  frame[kTotalLengthAt + 1] = static_cast<std::uint8_t>(length);
  return frame;
}

FaultBench::FaultBench() : kang(config("kang", 1), timeline), kodos(config("kodos", 2), timeline) {
  watch.connect(wire);
  watch.plugged(kang, kang.config().nics.front(), kang_plug);
  watch.plugged(kodos, kodos.config().nics.front(), kodos_plug);
}

void FaultBench::send(const std::vector<Bytes>& frames) {
  kang_port.sent.insert(kang_port.sent.end(), frames.begin(), frames.end());
  wire.pump();
}

void FaultBench::send_tagged(std::initializer_list<std::uint8_t> tags) {
  for (const std::uint8_t tag : tags) send({tagged(tag)});
}

void FaultBench::unplug_kang() {
  wire.detach(kang_plug);
  watch.unplugged(kang_plug);
}

std::string FaultBench::arrived() const {
  std::string tags;
  for (const Bytes& frame : kodos_port.received)
    tags += (tags.empty() ? "" : " ") + std::to_string(frame.at(kTagAt));
  return tags;
}

std::vector<capture::Packet> FaultBench::packets() {
  std::vector<capture::Packet> all;
  timeline.visit_after(0, [&](const capture::Event& event) {
    if (const auto* packet = std::get_if<capture::Packet>(&event.body)) all.push_back(*packet);
    return true;
  });
  return all;
}

std::vector<std::string> FaultBench::fates() {
  std::vector<std::string> lines;
  for (const capture::Packet& packet : packets()) {
    lines.push_back(std::to_string(packet.frame) + " " + std::string(word(packet.fate)) +
                    (packet.effects.empty() ? "" : ": " + reports::effects_text(packet)));
  }
  return lines;
}

lab::FaultScope scope(const lab::SelectionOptions& selection, const std::string& filter,
                      const std::string& name) {
  return {.filter = lab::FrameFilter("kang > kodos", filter),
          .selection = lab::FrameSelection(selection),
          .name = name};
}

}  // namespace tcplab::tests
