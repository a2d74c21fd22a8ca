// Asks the hosts' kernels what a frame changed: the sender's before the frame is delivered, the
// receiver's after. With --tracepoints, also reads what the kernels reported meanwhile.
#pragma once

#include "netns/wire.hh"
#include "scenarios/engine/lab/lab_host.hh"

namespace tcplab::engine {

class KernelWatch;

class FrameInspection {
public:
  void listen_to(KernelWatch& kernel) { kernel_ = &kernel; }

  /// Reads earlier tracepoints: the kernel reports a retransmission before the wire has its frame.
  void frame_taken();
  void sent(const netns::Frame& frame, LabHost& sender);
  void delivery_begins();
  /// `is_listed`: the frame has an event of its own.
  void delivery_ended(const netns::Frame& frame, const LabHost& receiver, bool is_listed);
  /// `is_altered`: a fault changed its bytes, so that nobody knows which connection it is about.
  static void delivered(const netns::Frame& frame, LabHost& receiver, base::Instant at,
                        bool is_altered);

  /// Follows only the sequence numbers: in a flood there is no time to ask the kernels.
  static void follow_sent(const netns::Frame& frame, LabHost& sender);
  static void follow_delivered(const netns::Frame& frame, LabHost& receiver);

private:
  KernelWatch* kernel_ = nullptr;  // null without --tracepoints
};

}  // namespace tcplab::engine
