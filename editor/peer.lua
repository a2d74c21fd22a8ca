---@meta
-- Peers, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---A host without a kernel: the script is its end of every connection.
---@class peer
local peer = {}

---Opens a connection with a handshake: sends a SYN, expects the SYN-ACK, acknowledges it.
---@param host host
---@param options peer_connect_options
---@return peer_connection
function peer:connect(host, options) end

---Takes a connection with a handshake: expects a SYN, sends a SYN-ACK, expects the ACK.
---@param options handshake_options
---@return peer_connection
function peer:accept(options) end

---Begins a connection to a host, and sends nothing yet.
---@param host host
---@param options peer_open_options
---@return peer_connection
function peer:open(host, options) end

---Waits for a SYN to a port, and answers nothing yet.
---@param options syn_options
---@return peer_connection
function peer:expect_syn(options) end

---A connection of a peer: the script sends its segments.
---@class peer_connection
---@field snd_nxt integer the number of its next segment
---@field rcv_nxt integer what its next segment acknowledges
---@field iss integer its initial sequence number, as in the header
---@field irs integer the host's, as in the header; 0 before the host's SYN
---@field state tcp_state concluded from its frames
---@field local_port integer
---@field remote_port integer
local peer_connection = {}

---Sends a SYN.
---@param options? peer_segment_options
---@return peer_connection
function peer_connection:syn(options) end

---Sends a FIN, with ACK.
---@param options? peer_segment_options
---@return peer_connection
function peer_connection:fin(options) end

---Sends a RST, with ACK.
---@param options? peer_segment_options
---@return peer_connection
function peer_connection:rst(options) end

---Sends an acknowledgment without data.
---@param options? peer_segment_options
---@return peer_connection
function peer_connection:ack(options) end

---Sends data.
---@param text string
---@param options? peer_segment_options
---@return peer_connection
function peer_connection:data(text, options) end

---Sends a segment with any flags.
---@param options any_peer_segment_options
---@return peer_connection
function peer_connection:segment(options) end

---Waits for the next segment of the host. Fails if another one comes.
---@param segment? expected_segment
---@return event
function peer_connection:expect(segment) end

---Expects that the host sends nothing for that long.
---@param seconds number
function peer_connection:expect_nothing(seconds) end

---Makes the peer acknowledge by itself what the host sends; false: it is silent.
---@param by_itself boolean
---@return peer_connection
function peer_connection:acknowledges(by_itself) end
