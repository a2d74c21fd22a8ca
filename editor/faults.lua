---@meta
-- Faults: the verbs that lose, delay and change frames on the wire, as annotations for the Lua
-- language server. docs/scenarios.md is the reference.

---@class fault_options
---@field name? string a name, for lab:lift and for the reader
---@field count? integer acts on at most this many frames; all by default
---@field skip? integer lets this many frames pass first
---@field nth? integer acts on the n-th frame only
---@field every? integer acts on every n-th frame
---@field probability? number acts on each frame with this probability, from 0 to 1
---@field seed? integer seeds probability and jitter; drawn by default

---@class delay_options: fault_options
---@field by number seconds
---@field jitter? number seconds, at most this much more or less

---@class limit_options: fault_options
---@field rate number bits per second
---@field queue? integer the most frames that may wait; 100 by default

---@class duplicate_options: fault_options
---@field copies? integer 1 by default
---@field after? number seconds between a frame and its copy; 0 by default

---@class reorder_options: fault_options
---@field behind? integer how many later frames go first; 1 by default

---@class corrupt_options: fault_options
---@field offset? integer a byte, as in tcp[offset]; by default the first byte of the data
---@field bits? integer a mask of the bits to flip; 1 by default
---@field value? integer the new value of the byte, instead of flipping bits
---@field checksum? "wrong"|"mended" "wrong" by default

---@class truncate_options: fault_options
---@field to integer bytes of the IP packet that arrive
---@field checksum? "wrong"|"mended" the checksum and the length; "wrong" by default

---@class mtu_options: fault_options
---@field mtu integer the longest IP packet that passes, in bytes

---@class lab
local lab = {}

---Drops frames. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? fault_options
---@return fault
function lab:lose(direction, filter, options) end

---Cuts the wire: no matching frame passes. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? fault_options
---@return fault
function lab:cut(direction, filter, options) end

---Holds frames on the wire until they are released. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? fault_options
---@return fault
function lab:hold(direction, filter, options) end

---Delivers frames later. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? delay_options
---@return fault
function lab:delay(direction, filter, options) end

---Limits the rate of a link. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? limit_options
---@return fault
function lab:limit(direction, filter, options) end

---Sends copies after each frame. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? duplicate_options
---@return fault
function lab:duplicate(direction, filter, options) end

---Delivers a frame after later ones. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? reorder_options
---@return fault
function lab:reorder(direction, filter, options) end

---Changes one byte. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? corrupt_options
---@return fault
function lab:corrupt(direction, filter, options) end

---Cuts off the end of IP packets. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? truncate_options
---@return fault
function lab:truncate(direction, filter, options) end

---Drops longer IP packets, without an ICMP error. You may leave out the direction and the filter.
---@param direction? string "kang > kodos", "* > kodos", or a link: "wan"; everywhere by default
---@param filter? string as in pcap-filter(7); every frame by default
---@param options? mtu_options
---@return fault
function lab:mtu(direction, filter, options) end

---Ends the fault with this name.
---@param name string
function lab:lift(name) end

---@class fault
local fault = {}

---Ends the fault; frames that it holds or delays are delivered.
function fault:lift() end

---Releases the frames that it holds now, and goes on holding later ones.
---@return fault
function fault:release() end
