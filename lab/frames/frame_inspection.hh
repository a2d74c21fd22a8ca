// Asks the hosts' kernels what a frame changed: the sender's before the frame is delivered, the
// receiver's after. With --tracepoints, also reads what the kernels reported meanwhile.
#pragma once

#include "lab/programs/lab_host.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

class KernelWatch;

class FrameInspection {
public:
  void listen_to(KernelWatch& kernel) { kernel_ = &kernel; }

  /// Reads earlier tracepoints: the kernel reports a retransmission before the wire has its frame.
  void frame_taken();
  static void sent(const capture::DecodedFrame& decoded, const netns::Frame& frame,
                   LabHost& sender);
  void delivery_begins();
  /// `is_listed`: the frame has an event of its own.
  void delivery_ended(const netns::Frame& frame, const LabHost& receiver, bool is_listed);
  static void delivered(const capture::DecodedFrame& decoded, const netns::Frame& frame,
                        LabHost& receiver, base::Instant at);
  /// The same if a fault has changed its bytes, so that its connection is unknown.
  static void delivered_altered(const netns::Frame& frame, LabHost& receiver);

private:
  KernelWatch* kernel_ = nullptr;  // null without --tracepoints
};

}  // namespace tcplab::lab
