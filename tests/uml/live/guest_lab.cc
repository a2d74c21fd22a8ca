#include "tests/uml/live/guest_lab.hh"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tcplab::tests {

namespace {

constexpr char kKernel[] = "/usr/bin/linux.uml";

bool is_for(const std::vector<std::uint8_t>& frame, const netns::MacAddress& mac) {
  const bool is_group = (frame[0] & 1U) != 0;
  return is_group || std::equal(mac.bytes.begin(), mac.bytes.end(), frame.begin());
}

/// Reads a raw answer of sock_diag(7) about one connection.
std::optional<inet_diag_msg> read_answer(uml::Bytes answer) {
  if (answer.size() < NLMSG_HDRLEN + sizeof(inet_diag_msg)) return std::nullopt;
  nlmsghdr header{};
  std::memcpy(&header, answer.data(), sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  inet_diag_msg message{};
  std::memcpy(&message, answer.data() + NLMSG_HDRLEN, sizeof message);
  return message;
}

}  // namespace

Obstacle no_guests() {
  if (::access(kKernel, X_OK) == 0) return std::nullopt;
  return std::string("needs ") + kKernel + " (package user-mode-linux)";
}

std::string guest_programs() {
  const char* const folder = std::getenv("TCPLAB_RELEASE_BIN");
  return folder ? folder : "";
}

void Witness::frame(std::size_t /*nic*/, base::Instant sent, uml::Bytes frame, uml::Bytes answer) {
  frames.push_back({sent, {frame.begin(), frame.end()}, {answer.begin(), answer.end()}});
}
void Witness::output(pid_t program, int descriptor, uml::Bytes bytes) {
  outputs[{program, descriptor}] += uml::as_text(bytes);
}
void Witness::output_end(pid_t program, int descriptor) {
  closed.emplace_back(program, descriptor);
}
void Witness::ended(pid_t program, int status) { ends[program] = status; }
void Witness::dns_query(bool /*is_tcp*/, uml::Bytes /*asker*/, uml::Bytes /*query*/) {}
void Witness::destroyed(uml::Bytes /*messages*/) { ++destroyed_messages; }

GuestLab::GuestLab(const std::vector<std::string>& names, const Confinement& confinement)
    : names_(names), witnesses_(names.size()) {
  std::vector<uml::GuestRequest> requests;
  requests.reserve(names.size());
  for (std::size_t index = 0; index < names.size(); ++index)
    requests.push_back({config_of(index),
                        {.kernel = kKernel,
                         .modules = "",
                         .memory = 64,
                         .has_tracepoints = true,
                         .is_confined = confinement.is_confined,
                         .view = confinement.view}});
  guests_ = uml::Guest::power_on(clock_, requests);
  for (std::size_t index = 0; index < names.size(); ++index)
    guests_[index]->set_listener(&witnesses_[index]);
}

std::size_t GuestLab::index_of(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
}

base::IpAddress GuestLab::address(const std::string& name, base::Family family) const {
  const std::string prefix = family == base::Family::ipv4 ? "10.0.0." : "fd00::";
  return *base::IpAddress::parse(prefix + std::to_string(index_of(name) + 1));
}

netns::HostConfig GuestLab::config_of(std::size_t index) const {
  netns::HostConfig config;
  config.name = names_[index];
  config.containment = netns::Containment{.shown = {guest_programs()}};
  netns::NicConfig nic;
  nic.mac = netns::MacAddress::local(static_cast<std::uint32_t>(index) + 1);
  for (const auto family : {base::Family::ipv4, base::Family::ipv6}) {
    nic.addresses.push_back(
        {address(names_[index], family), family == base::Family::ipv4 ? 24U : 64U});
    for (std::size_t other = 0; other < names_.size(); ++other) {
      if (other == index) continue;
      config.neighbours.push_back(
          {"eth0", address(names_[other], family),
           netns::MacAddress::local(static_cast<std::uint32_t>(other) + 1)});
      config.names.push_back({names_[other], address(names_[other], family)});
    }
  }
  config.nics.push_back(nic);
  return config;
}

pid_t GuestLab::run(const std::string& name, const std::vector<std::string>& command,
                    const std::vector<std::string>& trace, netns::Privileges privileges) {
  uml::ProgramStart program;
  program.trace = trace;
  program.privileges = privileges;  // by default as a program of a scenario
  program.command = command;
  program.environment = {{"PATH", "/usr/bin:/bin:/usr/sbin:/sbin"}, {"LC_ALL", "C"}};
  program.descriptors = {
      {0, uml::StreamKind::input}, {1, uml::StreamKind::output}, {2, uml::StreamKind::output}};
  return guest(name).programs().start(program);
}

std::string GuestLab::all_text(const std::string& name) {
  std::string text;
  for (const auto& [stream, part] : witness(name).outputs) text += part;
  return text;
}

void GuestLab::note_state(std::size_t guest, uml::Bytes answer) {
  if (const auto socket = read_answer(answer))
    states_[{guest, socket->idiag_state}].emplace(socket->id.idiag_sport, socket->id.idiag_dport);
}

void GuestLab::deliver(std::size_t from, const Witness::SentFrame& frame) {
  for (std::size_t to = 0; to < guests_.size(); ++to) {
    if (to == from || !guests_[to]->is_on()) continue;
    if (!is_for(frame.bytes, guests_[to]->config().nics[0].mac)) continue;
    note_state(to, guests_[to]->deliver(0, frame.bytes).answer);
    ++carried;
  }
}

/// Returns true if there was anything.
bool GuestLab::receive() {
  bool had_frames = false;
  for (std::size_t index = 0; index < guests_.size(); ++index) {
    if (!guests_[index]->is_on()) continue;
    guests_[index]->receive();
    const auto frames = std::exchange(witnesses_[index].frames, {});
    for (const auto& frame : frames) {
      note_state(index, frame.answer);
      deliver(index, frame);
    }
    had_frames = had_frames || !frames.empty();
  }
  return had_frames;
}

void GuestLab::wait(base::Instant deadline) const {
  std::vector<pollfd> waiting{{clock_.descriptor(), POLLIN, 0}};
  for (const auto& guest : guests_)
    if (guest->is_on()) waiting.push_back({guest->descriptor(), POLLIN, 0});
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - base::now());
  ::poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<long>(left.count(), 0, 5000)));
}

bool GuestLab::await(const std::function<bool()>& condition, std::chrono::seconds limit) {
  const base::Instant deadline = base::now() + limit;
  while (true) {
    while (receive()) {
    }
    if (condition()) return true;
    clock_.serve();
    const base::Instant now = base::now();
    if (now >= deadline) return false;
    if (const auto rest = clock_.rest()) {
      const base::Instant until = std::min(deadline, rest->next_timer.value_or(deadline));
      clock_.skip(until - now);
      if (until > now) ++skips;
      if (until == deadline) continue;
    }
    wait(deadline);
  }
}

bool GuestLab::await_text(const std::string& name, pid_t program, const std::string& text,
                          std::chrono::seconds limit) {
  return await([&] { return this->text(name, program).find(text) != std::string::npos; }, limit);
}

}  // namespace tcplab::tests
