---@meta
-- The lab, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---@class lab
---@field millisecond number 0.001
---@field second number 1
---@field minute number 60
---@field hour number 3600
---@field family 4|6
---@field timers "fast"|"stock"
local lab = {}

---Lets time pass.
---@param seconds number
function lab:wait(seconds) end

---Lets an idle period pass; under fast timers, a thousandth of it.
---@param seconds number
function lab:idle(seconds) end

---Prints a line for the reader of the run.
---@param text string
function lab:say(text) end

---Ends the run as skipped.
---@param reason string
function lab:skip(reason) end

---Returns the text that the run was given for this name, or nil: --set NAME=VALUE.
---@param name string
---@return string
function lab:parameter(name) end

---Returns whether the hosts' kernel is that version of Linux, or a newer one.
---@param version kernel_version "6.5"
---@return boolean
function lab:since(version) end

---Returns the seconds since the run began.
---@return number
function lab:now() end

---Starts two hosts on one wire.
---@param options? host_options
---@return host kang
---@return host kodos
function lab:pair(options) end

---Starts a host for each name, all on one wire; once per run.
---@param names string[]
---@param options? host_options
---@return host ...
function lab:hosts(names, options) end

---Starts hosts on several links; a host on more than one link is a router. Once per run.
---@param options network_options
---@return table<string, host>
function lab:network(options) end

---Starts a dnc that listens and one that connects to it, and waits until they are connected.
---@param client_host host
---@param server_host host
---@param options? connect_options
---@return program client
---@return program server
function lab:connect(client_host, server_host, options) end

---Starts two hosts on one wire, and connects a dnc on kang to one on kodos.
---@param options? connected_options
---@return program client
---@return program server
---@return host kang
---@return host kodos
function lab:connected(options) end

---Returns how long the kernel takes, by its formula, the host's settings and the program's socket
---options.
---@param name timer_name
---@param whose host|program
---@param set? number the TCP_USER_TIMEOUT in seconds, instead of the program's
---@return number seconds
function lab:timer(name, whose, set) end

---Drops frames.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? fault_options the direction and the filter may be left out before it
---@return fault
function lab:lose(direction, packet, options) end

---Cuts the wire: no matching frame passes.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? fault_options the direction and the filter may be left out before it
---@return fault
function lab:cut(direction, packet, options) end

---Holds frames on the wire until they are released.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? fault_options the direction and the filter may be left out before it
---@return fault
function lab:hold(direction, packet, options) end

---Delivers frames later.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? delay_options the direction and the filter may be left out before it
---@return fault
function lab:delay(direction, packet, options) end

---Limits the rate of a link.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? limit_options the direction and the filter may be left out before it
---@return fault
function lab:limit(direction, packet, options) end

---Sends copies after each frame.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? duplicate_options the direction and the filter may be left out before it
---@return fault
function lab:duplicate(direction, packet, options) end

---Delivers a frame after later ones.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? reorder_options the direction and the filter may be left out before it
---@return fault
function lab:reorder(direction, packet, options) end

---Changes one byte.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? corrupt_options the direction and the filter may be left out before it
---@return fault
function lab:corrupt(direction, packet, options) end

---Cuts off the end of IP packets.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? truncate_options the direction and the filter may be left out before it
---@return fault
function lab:truncate(direction, packet, options) end

---Drops longer IP packets, without an ICMP error.
---@param direction? direction_or_link "kang > kodos", "* > kodos" or a link; everywhere by default
---@param packet? packet_selection a word or a pcap filter; every frame by default
---@param options? mtu_options the direction and the filter may be left out before it
---@return fault
function lab:mtu(direction, packet, options) end

---Ends the fault with this name.
---@param name string
function lab:remove(name) end

---Forges a segment of no connection, and sends it to a host.
---@param options forge_options
function lab:forge(options) end

---Forges an ICMP error, and sends it to a host.
---@param options icmp_options
function lab:icmp(options) end

---Returns a connection as it was seen on the wire: the one of that program or host that began last.
---Waits up to 5 s for the first.
---@param whose program|host
---@return connection
function lab:connection(whose) end

---Waits for the event that the next verb names. Begins where the last expectation about the same
---subject ended.
---@param whom host|program|connection
---@return subject
function lab:expect(whom) end

---Expects that the event that the next verb names does not happen in the next `seconds`.
---@param whom host|program|connection
---@param seconds number
---@return subject
function lab:never(whom, seconds) end

---Waits for the event that the next verb names. The verb returns nil if it does not come.
---@param whom host|program|connection
---@param seconds? number 5 by default
---@return subject
function lab:await(whom, seconds) end

---Waits for a frame.
---@param direction direction "kang > kodos"
---@param packet? packet_selection a word or a pcap filter
---@param options? packet_options
---@return event
function lab:expect_packet(direction, packet, options) end

---Makes a condition that such a frame meets.
---@param direction direction "kang > kodos"
---@param packet? packet_selection a word or a pcap filter
---@param options? packet_options
---@return condition
function lab:packet(direction, packet, options) end

---Expects that no such frame comes, from now on for that long.
---@param seconds number
---@param direction direction "kang > kodos"
---@param packet? packet_selection a word or a pcap filter
---@param options? packet_options
function lab:never_packet(seconds, direction, packet, options) end

---Expects that the condition is true: a claim about values. Returns the condition.
---@param condition any
---@param claim string what is claimed, for the reader
---@param seen? any the value to show if it is false
---@param options? check_options
---@return any
function lab:check(condition, claim, seen, options) end

---Judges the requirement that the scenario tests. Returns the condition.
---@param condition any
---@param claim string what the stack must do
---@param seen? any what it does instead, if the condition is false
---@return any
function lab:require(condition, claim, seen) end

---Ends the run: the stack never does what the requirement is about.
---@param reason string
function lab:does_not_arise(reason) end

---Compares a time with the expected one, with the tolerance of the kernel's timers.
---@param measured number seconds
---@param expected number seconds
---@param what? string
---@param options? time_options
function lab:expect_time(measured, expected, what, options) end

---Checks a time that the kernel chooses within limits, with the same tolerance.
---@param measured number seconds
---@param earliest number seconds
---@param latest number seconds
---@param what? string
---@param options? time_options
function lab:expect_between(measured, earliest, latest, what, options) end

---Waits until one of several conditions is met. Returns its key and the event, or nil when time is
---up.
---@param conditions first_conditions
---@return any key
---@return event
function lab:first(conditions) end

---Runs a function when a condition is met. The function may not wait. Returns a condition, which is
---met when the function has run as often as `times` says.
---@param condition condition
---@param action fun(event: event)
---@param options? when_options
---@return condition
function lab:when(condition, action, options) end

---Starts a resolver on a host, and lets all hosts ask it.
---@param options dns_options
---@return dns
function lab:dns(options) end

---Marks a step of an audit on the timeline.
---@param note audit_note
function lab:audit(note) end

---Returns the scripted end of a host that has no kernel (option `peer` of lab:pair).
---@param host host
---@return peer
function lab:peer(host) end
