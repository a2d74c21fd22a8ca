// The interface through which WireWatch calls the handlers of lab:when. It calls them only where
// hosts may lose their power and faults may be added.
#pragma once

#include "capture/event/event.hh"
#include "lab/wire/frame_filter.hh"

namespace tcplab::lab {

class FrameHandlers {
public:
  virtual ~FrameHandlers() = default;

  /// Called when no frame is on its way: before the wire takes one, and after it has dealt with it.
  virtual void between_frames() = 0;
  /// Whether frame_sending() is to be called with this frame.
  virtual bool awaits(const FrameView& frame) const = 0;
  /// Called with a frame that its sender has sent, before any fault acts on it. May switch hosts
  /// off, make faults and forge frames.
  virtual void frame_sending(const FrameView& frame, const capture::Packet& packet) = 0;
  /// Whether no frame can make a handler act.
  virtual bool is_idle() const = 0;
};

}  // namespace tcplab::lab
