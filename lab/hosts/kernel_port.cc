#include "lab/hosts/kernel_port.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.hh"
#include "capture/decode/flow_key.hh"

namespace tcplab::lab {

namespace {

std::vector<std::uint8_t> copy(netns::Bytes bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

KernelPort::KernelPort(uml::Guest& guest, std::size_t nic, LatestFrame& latest)
    : guest_(guest),
      nic_(nic),
      latest_(latest),
      waiting_(base::check("make an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {}

void KernelPort::sent(base::Instant at, netns::Bytes frame, netns::Bytes answer) {
  frames_.push_back({at, copy(frame), copy(answer)});
  const std::uint64_t one = 1;
  base::check("signal a frame", ::write(waiting_.get(), &one, sizeof one));
}

void KernelPort::forget_answers() {
  for (Frame& waiting : frames_) waiting.answer.clear();
}

std::optional<base::Instant> KernelPort::next_sent() {
  if (frames_.empty()) guest_.receive();
  return frames_.empty() ? std::nullopt : std::optional(frames_.front().sent);
}

std::optional<netns::Received> KernelPort::read(std::span<std::uint8_t> buffer) {
  if (!next_sent()) return std::nullopt;
  Frame frame = std::move(frames_.front());
  frames_.pop_front();
  std::uint64_t count = 0;
  if (frames_.empty() && ::read(waiting_.get(), &count, sizeof count) == -1 && errno != EAGAIN)
    throw base::SystemError("note that no frame waits", errno);
  if (frame.bytes.size() > buffer.size())
    throw base::SystemError("read a frame of a host", EMSGSIZE);
  std::ranges::copy(frame.bytes, buffer.begin());
  latest_ = {};
  if (const auto flow = capture::flow_of(frame.bytes); flow && !frame.answer.empty())
    latest_ = {flow->source, flow->destination, {std::move(frame.answer)}};
  return netns::Received{.size = frame.bytes.size(), .sent = frame.sent};
}

bool KernelPort::write(netns::Bytes frame, const netns::Offload& offload) {
  const std::vector<std::uint8_t> complete = netns::with_checksum(frame, offload);
  uml::Delivered delivered = guest_.deliver(nic_, complete);
  delivered_ = delivered.at;
  guest_.receive();
  take_answers(frame, std::move(delivered.answer));
  return delivered.is_accepted;
}

/// The host may have sent frames of the same connection before it received this one, and their
/// answers are older. If they were reported after this one, they would undo it.
void KernelPort::take_answers(netns::Bytes frame, std::vector<std::uint8_t> answer) {
  latest_ = {};
  const auto flow = capture::flow_of(frame);
  if (!flow || answer.empty()) return;
  latest_ = {flow->destination, flow->source, {}};
  for (Frame& waiting : frames_) {
    const auto other = capture::flow_of(waiting.bytes);
    if (waiting.sent >= delivered_ || waiting.answer.empty() || !other ||
        other->source != flow->destination || other->destination != flow->source)
      continue;
    latest_.answers.push_back(std::exchange(waiting.answer, {}));
  }
  latest_.answers.push_back(std::move(answer));
}

}  // namespace tcplab::lab
