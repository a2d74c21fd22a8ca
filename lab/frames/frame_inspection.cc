#include "lab/frames/frame_inspection.hh"

#include "capture/event/describe.hh"
#include "lab/tracepoints/kernel_watch.hh"

namespace tcplab::lab {

void FrameInspection::frame_taken() {
  if (kernel_ != nullptr) kernel_->look();
}

void FrameInspection::sent(const capture::DecodedFrame& decoded, const netns::Frame& frame,
                           LabHost& sender) {
  if (const auto flow = capture::flow_of(decoded))
    sender.sockets().look_at({flow->source, flow->destination}, frame.sent,
                             Cause{capture::StateCause::frame, frame.number});
  sender.sockets().note_frame(decoded, true, frame.sent, frame.number);
  sender.numbers.sent(decoded);
}

void FrameInspection::delivery_begins() {
  if (kernel_ != nullptr) kernel_->delivery_begins();
}

void FrameInspection::delivery_ended(const netns::Frame& frame, const LabHost& receiver,
                                     bool is_listed) {
  if (kernel_ != nullptr)
    kernel_->delivery_ended(receiver.name(), is_listed ? frame.number : 0, frame.bytes);
}

void FrameInspection::delivered(const capture::DecodedFrame& decoded, const netns::Frame& frame,
                                LabHost& receiver, base::Instant at) {
  const Cause cause{capture::StateCause::frame, frame.number};
  receiver.numbers.delivered(decoded);
  receiver.sockets().note_frame(decoded, false, at, frame.number);
  if (const auto flow = capture::flow_of(decoded))
    return receiver.sockets().look_at({flow->destination, flow->source}, at, cause);
  receiver.sockets().look_at_all(cause);  // an ICMP error may have ended any connection
}

void FrameInspection::delivered_altered(const netns::Frame& frame, LabHost& receiver) {
  receiver.sockets().look_at_all({capture::StateCause::frame, frame.number});
}

}  // namespace tcplab::lab
