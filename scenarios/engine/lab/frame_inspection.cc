#include "scenarios/engine/lab/frame_inspection.hh"

#include "capture/decode/flow_key.hh"
#include "scenarios/engine/tracepoints/kernel_watch.hh"

namespace tcplab::engine {

void FrameInspection::frame_taken() {
  if (kernel_ != nullptr) kernel_->look();
}

void FrameInspection::sent(const netns::Frame& frame, LabHost& sender) {
  if (const auto flow = capture::flow_of(frame.bytes))
    sender.look_at({flow->source, flow->destination}, frame.sent,
                   Cause{capture::StateCause::frame, frame.number});
  follow_sent(frame, sender);
}

void FrameInspection::delivery_begins() {
  if (kernel_ != nullptr) kernel_->delivery_begins();
}

void FrameInspection::delivery_ended(const netns::Frame& frame, const LabHost& receiver,
                                     bool is_listed) {
  if (kernel_ != nullptr)
    kernel_->delivery_ended(receiver.name(), is_listed ? frame.number : 0, frame.bytes);
}

void FrameInspection::delivered(const netns::Frame& frame, LabHost& receiver, base::Instant at,
                                bool is_altered) {
  const Cause cause{capture::StateCause::frame, frame.number};
  if (is_altered) return receiver.look_at_all(cause);
  follow_delivered(frame, receiver);
  if (const auto flow = capture::flow_of(frame.bytes))
    return receiver.look_at({flow->destination, flow->source}, at, cause);
  receiver.look_at_all(cause);  // an ICMP error may have ended any connection
}

void FrameInspection::follow_sent(const netns::Frame& frame, LabHost& sender) {
  sender.numbers.sent(capture::decode(frame.bytes));
}

void FrameInspection::follow_delivered(const netns::Frame& frame, LabHost& receiver) {
  receiver.numbers.delivered(capture::decode(frame.bytes));
}

}  // namespace tcplab::engine
