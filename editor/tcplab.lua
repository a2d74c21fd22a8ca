---@meta
-- The scripting interface as annotations for the Lua language server (LuaLS). With them, an editor
-- completes and checks a scenario while you write it. docs/scenarios.md is the reference. This file
-- is never run. Name its folder in .luarc.json: { "workspace.library": ["editor"] }

---What a scenario file returns.
---@class Scenario
---@field title string the title in reports
---@field asks string the question
---@field run fun(lab: lab) the experiment
---@field source? string where the question comes from
---@field article? string what the article observed
---@field here? string what Linux does
---@field why? string the explanation, with its sources
---@field tags? string[] words that select the scenario
---@field families? (4|6)[] the IP versions that it runs on; both by default
---@field needs? string[] "root", "tracepoints", "kernel 6.15", "program nft", "sysctl net.NAME"
---@field quiz? quiz what `tcplab quiz` asks

---One answer of a quiz. Exactly one is right; the reader sees them shuffled.
---@class quiz_choice
---@field [1] string
---@field right? boolean
---@field because? string why it is wrong, or what to add to the right answer

---@class quiz
---@field asks? string the question; that of the scenario by default
---@field [integer] quiz_choice

---@alias tcp_state
---| "SYN_SENT" | "SYN_RECV" | "ESTABLISHED" | "FIN_WAIT1" | "FIN_WAIT2" | "TIME_WAIT"
---| "CLOSE_WAIT" | "LAST_ACK" | "CLOSING" | "LISTEN" | "CLOSED"

---@alias timer_name
---| "retransmission_timeout" | "retransmission_limit" | "tail_loss_probe"
---| "first_retransmission" | "suspicion_timeout"
---| "orphan_timeout" | "user_timeout" | "initial_timeout" | "connect_timeout"
---| "synack_timeout" | "neighbour_failure" | "keepalive_timeout" | "fin_timeout" | "time_wait"
---| "time_wait_reuse" | "delayed_ack" | "lowest_timeout"

---@class host_options
---@field neighbours? "known"|"learnt" link addresses: fixed, or found by ARP or ND
---@field sysctls? table<string, string|number>

---@class link_options
---@field mtu? integer the MTU of every NIC on the link; 1500 by default
---@field hidden? boolean other links have no route to it, as to a network behind a NAT

---@class network_options: host_options
---@field links table<string, link_options>
---@field hosts table<string, string[]> the links of each host, for eth0, eth1, ...

---@class packet_options
---@field fate? "delivered"|"lost"|"held"|"delayed"|"forged"
---@field within? number seconds

---The event that met an expectation: the fields of docs/events.md, with times in seconds since the
---run began.
---@class event
---@field t number
---@field [string] any

---@class lab
---@field millisecond number 0.001
---@field second number 1
---@field minute number 60
---@field hour number 3600
---@field family 4|6
---@field timers "fast"|"stock"
local lab = {}

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

---Returns the seconds since the run began.
---@return number
function lab:now() end

---Returns how long that timer of the kernel takes, by its formula and the host's settings.
---@param name timer_name
---@param whose host|program
---@param set? number for "user_timeout": the TCP_USER_TIMEOUT, in seconds
---@return number seconds
function lab:timer(name, whose, set) end

---Waits for the event that the next verb names. It considers only events after the one that met the
---last expectation about the same thing.
---@param whom host|program
---@return subject
function lab:expect(whom) end

---Expects that the event that the next verb names does not happen for this long from now.
---@param whom host|program
---@param seconds number
---@return subject
function lab:never(whom, seconds) end

---Waits for a frame.
---@param direction string "kang > kodos"
---@param filter? string as in pcap-filter(7)
---@param options? packet_options
---@return event
function lab:expect_packet(direction, filter, options) end

---Expects that no such frame comes for this long from now.
---@param seconds number
---@param direction string "kang > kodos"
---@param filter? string as in pcap-filter(7)
function lab:never_packet(seconds, direction, filter) end

---Compares a time with the expected one, with the tolerance of the kernel's timers.
---@param measured number seconds
---@param expected number seconds
---@param what? string
function lab:expect_time(measured, expected, what) end

---Checks a time that the kernel chooses within limits, with the same tolerance.
---@param measured number seconds
---@param earliest number seconds
---@param latest number seconds
---@param what? string
function lab:expect_between(measured, earliest, latest, what) end

---@class host
local host = {}

---Starts a program that is installed on this machine. A host among the arguments stands for its
---name.
---@param program string
---@param ... string|number|host
---@return program
function host:run(program, ...) end

---Starts dnc, which records its calls. With "-l", waits until it listens.
---@param ... string|number|host
---@return program
function host:dnc(...) end

---Starts a program now, and again each time that the power comes back.
---@param program string
---@param ... string|number|host
---@return program
function host:at_boot(program, ...) end

---Switches the host off: from now on it sends nothing to the wire.
---@return host
function host:power_off() end

---Switches the host on again; all connections are forgotten.
---@return host
function host:power_on() end

---Switches the host off, and on again at once.
---@return host
function host:power_cycle() end

---Switches the host off, and on again after its boot time (0.5 s by default).
---@param options? { boot_time: number }
---@return host
function host:crash(options) end

---Sends SIGTERM to all programs, waits until they have ended, and power cycles the host.
---@return host
function host:reboot() end

---Pulls one cable, or all by default; programs and connections live on.
---@param nic? string "eth0", or the name of its link
---@return host
function host:unplug(nic) end

---Plugs one cable in again, or all by default.
---@param nic? string "eth0", or the name of its link
---@return host
function host:plug(nic) end

---Reads a sysctl, or sets it, for later boots too.
---@param name string
---@return string
---@overload fun(self: host, name: string, value: string|number): host
function host:sysctl(name) end

---Returns the name of the host.
---@return string
function host:name() end

---Returns the address of a NIC.
---@param nic? string "eth1", or the name of its link; the first by default
---@return string
function host:address(nic) end

---Loads an nftables ruleset as `nft -f -` does, for later boots too.
---@param ruleset string
---@return host
function host:nft(ruleset) end

---Sets the route to a host, a network ("10.9.0.0/16") or "default".
---@param destination host|string
---@param way host|string "unreachable", "prohibit", "blackhole", "none", or the next hop
---@return host
function host:route(destination, way) end

---Sets the largest IP packet that the NIC sends.
---@param nic string "eth0", or the name of its link
---@param mtu integer
---@return host
function host:mtu(nic, mtu) end

---Takes a NIC down or up, as an administrator does. The host's kernel notices this, unlike unplug.
---@param nic string
---@param state "down"|"up"
---@return host
function host:link(nic, state) end

---Adds an address to a NIC.
---@param address string "10.0.0.9", "10.0.0.9/16"
---@param nic? string the first by default
---@return host
function host:add_address(address, nic) end

---Removes an address.
---@param address string
---@return host
function host:remove_address(address) end

---@class program
local program = {}

---Writes text to its standard input.
---@param text string
---@return program
function program:type(text) end

---Ends its standard input, as Ctrl-D does.
---@return program
function program:close_stdin() end

---Asks it to end with a signal.
---@param signal? string SIGTERM by default
---@return program
function program:stop(signal) end

---Sends a signal that is not meant to end it.
---@param signal string by name
---@return program
function program:signal(signal) end

---Sends SIGKILL; its kernel lives on.
---@return program
function program:kill() end

---Sends SIGSTOP: the program does not run, but its kernel does.
---@return program
function program:freeze() end

---Sends SIGCONT.
---@return program
function program:thaw() end

---@class subject
local subject = {}

---Sets how long the next verb waits; 5 s by default.
---@param seconds number
---@return subject
function subject:within(seconds) end

---Expects that a connection of the subject is in that state or enters it.
---@param state tcp_state
---@return event
function subject:in_state(state) end

---Expects that it is in that state now, with no change since the last expectation about its state.
---@param state tcp_state
function subject:still_in_state(state) end

---Expects that the host has no connection; listening sockets do not count.
function subject:has_no_connection() end

---Expects that a socket on the host listens.
---@param port integer
function subject:listens(port) end

---Names a system call of dnc; the next verb says what it must return.
---@param name string "read", "poll", "getsockopt", ...
---@param stream? "stdin"|"stdout" for a read or write there instead of on the socket
---@return expected_call
function subject:call(name, stream) end

---@alias kernel_event "drop"|"reset"|"reset_received"|"error"|"retransmit"|"retransmit_synack"
---|"bad_checksum"

---Expects an event from its host's kernel; needs = { "tracepoints" }.
---@param what kernel_event
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; for an error, the errno
---@return event
function subject:kernel(what, reason) end

---Expects that it exits.
---@param status? integer any by default
---@return event
function subject:exits(status) end

---Expects that a signal ends it.
---@param signal string "SIGPIPE"
---@return event
function subject:killed_by(signal) end

---Expects output that contains the text.
---@param text string
---@return event
function subject:prints(text) end

---Expects that it has not ended.
function subject:still_runs() end

---Expects that it waits in a system call, which a signal would interrupt.
function subject:sleeps() end

---@class expected_call
local expected_call = {}

---Expects that the call returns this result.
---@param result? integer any by default
---@param revents? string poll: the revents of the socket, "IN|HUP"
---@return event
function expected_call:returns(result, revents) end

---Expects exactly these revents of the socket, from poll.
---@param revents string "IN|ERR|HUP", "0x19"
---@return event
function expected_call:reports(revents) end

---Expects that the call fails with this errno.
---@param errno string "ECONNRESET"
---@return event
function expected_call:fails(errno) end

---Expects that getsockopt returns this value of SO_ERROR.
---@param errno string "EPIPE"
---@return event
function expected_call:gives(errno) end

---Expects that the program is in that call.
---@return event
function expected_call:is_entered() end
