---@meta
-- Forged frames: segments and ICMP errors that no host sent, as annotations for the Lua language
-- server. docs/scenarios.md is the reference.

---The fields of a forged segment. Sequence numbers are relative to the initial ones, as on the
---timeline.
---@class segment_options
---@field seq? integer by default, the number that the host expects next
---@field ack? integer by default, all that the host has sent
---@field window? integer the value in the header, not scaled; 65535 by default
---@field age? number seconds by which its timestamp is older than the peer's latest

---@class any_segment_options: segment_options
---@field flags string letters of F, S, R, P, A, U, E, W
---@field data? string

---@class forge_options
---@field to host
---@field from host|string a host or any address
---@field source_port integer
---@field port integer
---@field flags string letters of F, S, R, P, A, U, E, W
---@field seq? integer the value in the header; 0 by default
---@field ack? integer
---@field window? integer
---@field data? string

---@alias icmp_error
---| "host-unreachable" | "net-unreachable" | "port-unreachable" | "protocol-unreachable"
---| "admin-prohibited" | "fragmentation-needed" | "time-exceeded" | "parameter-problem"
---| string

---@class icmp_options
---@field error icmp_error
---@field about connection|event
---@field from? host|string for example a router; by default the destination of the packet
---@field to? host by default the sender of the packet
---@field mtu? integer for "fragmentation-needed"
---@field seq? integer selects the quoted segment; by default the oldest unacknowledged one

---@class lab
local lab = {}

---Returns the newest connection of a program or host, as it was seen on the wire.
---@param whose program|host
---@return connection
function lab:connection(whose) end

---Forges a segment that need not belong to a connection, and delivers it to a host.
---@param options forge_options
function lab:forge(options) end

---Forges an ICMP error, and delivers it to a host.
---@param options icmp_options
function lab:icmp(options) end

---A connection as it was seen on the wire. Sequence numbers are relative to the initial ones. The
---segments that its verbs forge arrive at its host as if from its peer.
---@class connection
---@field snd_nxt integer the next sequence number that it will send
---@field snd_una integer the oldest unacknowledged one
---@field rcv_nxt integer the sequence number that it expects next
---@field rcv_wnd integer its receive window from there
---@field state tcp_state
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
