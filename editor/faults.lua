---@meta
-- Faults, as annotations for the Lua language server: what may befall frames on the wire.
-- docs/scenarios.md is the reference.

---@class fault_options
---@field name? string for lab:lift, and for the reader
---@field count? integer acts on so many frames; all when left out
---@field skip? integer lets so many pass first
---@field nth? integer acts on the n-th only
---@field every? integer acts on every n-th
---@field probability? number acts on each with that probability
---@field seed? integer of probability and jitter; drawn when left out

---@class delay_options: fault_options
---@field by number seconds
---@field jitter? number seconds more or less

---@class limit_options: fault_options
---@field rate number bits per second
---@field queue? integer frames that may wait; 100 when left out

---@class duplicate_options: fault_options
---@field copies? integer 1 when left out
---@field after? number seconds between a frame and its copy; at once when left out

---@class reorder_options: fault_options
---@field behind? integer how many frames go first; 1 when left out

---@class corrupt_options: fault_options
---@field offset? integer which byte of the segment, as in tcp[offset]; the first of the data
---@field bits? integer to flip; 1 when left out
---@field value? integer to set it to
---@field checksum? "wrong"|"mended"

---@class truncate_options: fault_options
---@field to integer bytes of the IP packet that arrive
---@field checksum? "wrong"|"mended" and the length

---@class mtu_options: fault_options
---@field mtu integer the longest IP packet that passes, in bytes

---@class lab
local lab = {}

---Loses frames. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? fault_options
---@return fault
function lab:lose(direction, filter, options) end

---Nothing that matches passes. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? fault_options
---@return fault
function lab:cut(direction, filter, options) end

---Frames hang in the air until they are released. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? fault_options
---@return fault
function lab:hold(direction, filter, options) end

---Frames arrive later. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? delay_options
---@return fault
function lab:delay(direction, filter, options) end

---A slow link with a queue before it. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? limit_options
---@return fault
function lab:limit(direction, filter, options) end

---Frames are followed by copies. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? duplicate_options
---@return fault
function lab:duplicate(direction, filter, options) end

---A frame comes after those that follow it. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? reorder_options
---@return fault
function lab:reorder(direction, filter, options) end

---Changes a byte. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? corrupt_options
---@return fault
function lab:corrupt(direction, filter, options) end

---Cuts the end of IP packets off. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? truncate_options
---@return fault
function lab:truncate(direction, filter, options) end

---Longer IP packets vanish, and nobody is told. The direction and the filter may be left out.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere when left out
---@param filter? string as in pcap-filter(7)
---@param options? mtu_options
---@return fault
function lab:mtu(direction, filter, options) end

---Ends the fault that has this name.
---@param name string
function lab:lift(name) end

---@class fault
local fault = {}

---Ends the fault; frames that it holds, or has delayed, go on their way.
function fault:lift() end

---Lets go the frames that it holds now, and goes on.
---@return fault
function fault:release() end
