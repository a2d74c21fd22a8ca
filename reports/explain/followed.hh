// One connection of a capture, as FollowedCapture follows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/event_keeper.hh"

namespace tcplab::reports {

struct Followed {
  Followed(const capture::FlowKey& key, std::int64_t at, std::size_t count, std::uint64_t frame)
      : conversation(key, at), number(count), first_frame(frame) {}

  capture::Conversation conversation;
  capture::ConversationFacts facts;
  std::size_t number;                        // from 1, in the order of their beginnings
  std::uint64_t first_frame;                 // the number of its first frame in the capture
  std::unique_ptr<EventKeeper> events = {};  // null if its frames are not kept
  std::uint32_t icmp_errors = 0;
  std::uint32_t stretch = 0;  // of its last frame, by CaptureClock
};

}  // namespace tcplab::reports
