---@meta
-- Connections, as annotations for the Lua language server. With them, an editor completes and
-- checks a scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the
-- reference. Made by tools/editor-stubs; do not edit.

---A connection as it was seen on the wire. The segments that its verbs forge arrive at its host as
---if from its peer.
---@class connection
---@field snd_nxt integer the next sequence number that it will send
---@field snd_una integer the oldest unacknowledged one
---@field rcv_nxt integer the sequence number that it expects next
---@field rcv_wnd integer its receive window from there
---@field iss integer its initial sequence number, as in the header
---@field irs integer its peer's, as in the header; 0 before the peer's SYN
---@field state tcp_state
---@field timer tcp_timer the timer that runs in its kernel; nil if none
---@field timer_expires number when it expires, in seconds since the run began; nil if none
---@field send_queue integer bytes that the peer has not acknowledged
---@field receive_queue integer bytes that the program has not read
---@field retransmits integer how often the kernel has repeated the oldest segment, or a probe
---@field rto number the retransmission timeout, in seconds
---@field srtt number the smoothed round-trip time, in seconds
---@field cwnd integer the congestion window, in segments
---@field ssthresh integer the slow start threshold, in segments
---@field local_port integer
---@field remote_port integer
local connection = {}

---Forges a RST, with ACK.
---@param options? segment_options
---@return connection
function connection:rst(options) end

---Forges a SYN.
---@param options? segment_options
---@return connection
function connection:syn(options) end

---Forges a FIN, with ACK.
---@param options? segment_options
---@return connection
function connection:fin(options) end

---Forges an acknowledgment without data.
---@param options? segment_options
---@return connection
function connection:ack(options) end

---Forges data.
---@param text string
---@param options? segment_options
---@return connection
function connection:data(text, options) end

---Forges a segment with any flags.
---@param options any_segment_options
---@return connection
function connection:segment(options) end

---Is met when a connection of the subject is in that state or enters it.
---@param state tcp_state
---@return condition
function connection:in_state(state) end

---Is met by an event from its host's kernel; needs = { "tracepoints" }.
---@param what kernel_event
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; for an error, the errno
---@return condition
function connection:kernel(what, reason) end
