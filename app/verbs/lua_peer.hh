// The objects of scripts that stand for a peer and its connections.
#pragma once

#include <memory>
#include <string>

#include "app/verbs/segment_pattern.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

class ScriptContext;

struct LuaPeer {
  static constexpr const char* kLuaName = "peer";
  lab::LabHost* host;

  std::string text() const { return "peer " + host->name(); }
};

struct LuaPeerConnection {
  static constexpr const char* kLuaName = "peer_connection";
  lab::LabHost* host;
  PeerEnds ends;

  std::string text() const {
    const capture::FlowKey& flow = ends.connection->flow();
    return "connection " + flow.source.to_string() + " > " + flow.destination.to_string() + " of " +
           host->name();
  }
};

/// Sends a segment with these flags, changed by the options at `options`. A SYN without `options`
/// has the usual MSS. Throws base::UsageError.
void send_segment(const LuaCall& call, int options, const LuaPeerConnection& from,
                  std::uint16_t flags, const std::string& data = {});

/// Sends a segment as it comes next.
void send_segment(const LuaCall& call, const LuaPeerConnection& from, std::uint16_t flags);

}  // namespace tcplab::app
