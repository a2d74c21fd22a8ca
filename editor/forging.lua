---@meta
-- Forged frames: the part of the scripting interface that is about them, as annotations. See
-- tcplab.lua beside this file.

---Sequence numbers are relative to the initial ones, as on the timeline.
---@class segment_options
---@field seq? integer what the host expects next, when left out
---@field ack? integer all that the host has sent, when left out
---@field window? integer as in the header; 65535 when left out
---@field age? number how much older than the peer's latest its timestamp is, in seconds

---@class any_segment_options: segment_options
---@field flags string letters of F, S, R, P, A, U, E, W
---@field data? string

---@class forge_options
---@field to host
---@field from host|string a host, or any address
---@field source_port integer
---@field port integer
---@field flags string letters of F, S, R, P, A, U, E, W
---@field seq? integer as in the header; 0 when left out
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
---@field from? host|string the router's; the packet's destination when left out
---@field to? host the packet's sender when left out
---@field mtu? integer of fragmentation-needed
---@field seq? integer quoted; the oldest that is not acknowledged when left out

---@class lab
local lab = {}

---A connection as it was seen on the wire: of a program or of a host, the one that began last.
---@param whose program|host
---@return connection
function lab:connection(whose) end

---Delivers a segment to a host that nobody sent, of no connection.
---@param options forge_options
function lab:forge(options) end

---Delivers an ICMP error to a host.
---@param options icmp_options
function lab:icmp(options) end

---As it was seen on the wire; sequence numbers are relative to the initial ones. What its verbs
---forge arrives at its host as if from its peer.
---@class connection
---@field snd_nxt integer the next number that it will send
---@field snd_una integer the oldest that is not acknowledged
---@field rcv_nxt integer the next that it expects
---@field rcv_wnd integer how many it accepts from there
---@field state tcp_state
---@field local_port integer
---@field remote_port integer
local connection = {}

---@param options? segment_options
---@return connection
function connection:rst(options) end

---@param options? segment_options
---@return connection
function connection:syn(options) end

---@param options? segment_options
---@return connection
function connection:fin(options) end

---@param options? segment_options
---@return connection
function connection:ack(options) end

---@param text string
---@param options? segment_options
---@return connection
function connection:data(text, options) end

---@param options any_segment_options
---@return connection
function connection:segment(options) end
