---@meta
-- The scripting interface as annotations for the Lua language server (LuaLS): completion and
-- checking while a scenario is written. docs/scenarios.md is the reference. Nobody runs this file;
-- point the editor at the folder in .luarc.json: { "workspace.library": ["editor"] }

---What a scenario file returns.
---@class Scenario
---@field title string what reports call it
---@field asks string the question
---@field run fun(lab: lab) the story
---@field source? string where the question comes from
---@field article? string what the article saw
---@field here? string what Linux does
---@field why? string the explanation, with its sources
---@field tags? string[] words that select it
---@field families? (4|6)[] those that it is about; both when left out
---@field needs? string[] "root", "tracepoints", "kernel 6.15", "program nft", "sysctl net.NAME"
---@field quiz? quiz what `tcplab quiz` asks

---One choice is right; the reader sees them in another order.
---@class quiz_choice
---@field [1] string
---@field right? boolean
---@field because? string why it is wrong, or what to add

---@class quiz
---@field asks? string in place of the scenario's
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
---@field neighbours? "known"|"learnt" how hosts know each other's link addresses
---@field sysctls? table<string, string|number>

---@class link_options
---@field mtu? integer of every NIC on it; 1500 when left out
---@field hidden? boolean others have no route to it, as to the network behind a NAT

---@class network_options: host_options
---@field links table<string, link_options>
---@field hosts table<string, string[]> the links of each: eth0 is on the first, eth1 on the next

---@class packet_options
---@field fate? "delivered"|"lost"|"held"|"delayed"|"forged"
---@field within? number seconds

---What met an expectation: the fields of docs/events.md, times in seconds since the run began.
---@class event
---@field t number
---@field [string] any

---@class lab
---@field millisecond number in seconds
---@field second number
---@field minute number
---@field hour number
---@field family 4|6
---@field timers "fast"|"stock"
local lab = {}

---Two hosts on one wire.
---@param options? host_options
---@return host kang
---@return host kodos
function lab:pair(options) end

---A host for each name, on one wire; once in a run.
---@param names string[]
---@param options? host_options
---@return host ...
function lab:hosts(names, options) end

---Hosts on several links; one that is on more than one of them is a router. Once in a run.
---@param options network_options
---@return table<string, host>
function lab:network(options) end

---Lets time pass.
---@param seconds number
function lab:wait(seconds) end

---The story lets nothing happen for that long; a thousandth of it under fast timers.
---@param seconds number
function lab:idle(seconds) end

---Says something to the reader of the run.
---@param text string
function lab:say(text) end

---Ends the run as skipped.
---@param reason string
function lab:skip(reason) end

---@return number seconds since the run began
function lab:now() end

---How long the kernel takes, by its formula and the host's settings.
---@param name timer_name
---@param whose host|program
---@param set? number seconds: the TCP_USER_TIMEOUT that "user_timeout" is about
---@return number seconds
function lab:timer(name, whose, set) end

---What follows is to come: from where the last expectation about the same thing left off.
---@param whom host|program
---@return subject
function lab:expect(whom) end

---What follows is not to come, from now on for that long.
---@param whom host|program
---@param seconds number
---@return subject
function lab:never(whom, seconds) end

---@param direction string
---@param filter? string
---@param options? packet_options
---@return event
function lab:expect_packet(direction, filter, options) end

---@param seconds number
---@param direction string
---@param filter? string
function lab:never_packet(seconds, direction, filter) end

---Judges a time by the tolerance of the kernel's timers.
---@param measured number seconds
---@param expected number seconds
---@param what? string
function lab:expect_time(measured, expected, what) end

---Judges a time that the kernel decides within limits, with the same tolerance.
---@param measured number seconds
---@param earliest number seconds
---@param latest number seconds
---@param what? string
function lab:expect_between(measured, earliest, latest, what) end

---@class host
local host = {}

---Starts a program of this machine. A host among the arguments stands for its name.
---@param program string
---@param ... string|number|host
---@return program
function host:run(program, ...) end

---Starts dnc, which records its calls. With "-l" the script goes on when it listens.
---@param ... string|number|host
---@return program
function host:dnc(...) end

---Runs a program now, and again each time that the power comes back.
---@param program string
---@param ... string|number|host
---@return program
function host:at_boot(program, ...) end

---Silence: nothing of this host reaches the wire any more.
---@return host
function host:power_off() end

---The same host again, without a memory.
---@return host
function host:power_on() end

---Off, and on again at once.
---@return host
function host:power_cycle() end

---Off, and back after its boot time (0.5 s).
---@param options? { boot_time: number }
---@return host
function host:crash(options) end

---SIGTERM to all, a wait until they have ended; then off and on.
---@return host
function host:reboot() end

---Pulls the cable, or all of them; programs and connections live on.
---@param nic? string "eth0", or the name of its link
---@return host
function host:unplug(nic) end

---@param nic? string
---@return host
function host:plug(nic) end

---Reads a sysctl, or sets it, for later boots, too.
---@param name string
---@return string
---@overload fun(self: host, name: string, value: string|number): host
function host:sysctl(name) end

---@return string
function host:name() end

---@param nic? string "eth1", or the name of its link; the first when left out
---@return string
function host:address(nic) end

---Loads an nftables ruleset, as `nft -f -` does; for later boots, too.
---@param ruleset string
---@return host
function host:nft(ruleset) end

---Sets what becomes of packets to a host, a network ("10.9.0.0/16") or "default".
---@param destination host|string
---@param way host|string "unreachable", "prohibit", "blackhole", "none", or the next hop
---@return host
function host:route(destination, way) end

---@param nic string "eth0", or the name of its link
---@param mtu integer
---@return host
function host:mtu(nic, mtu) end

---Takes a NIC out of service as its administrator does: its kernel knows. See unplug.
---@param nic string
---@param state "down"|"up"
---@return host
function host:link(nic, state) end

---@param address string "10.0.0.9", "10.0.0.9/16"
---@param nic? string the first when left out
---@return host
function host:add_address(address, nic) end

---@param address string
---@return host
function host:remove_address(address) end

---@class program
local program = {}

---@param text string typed on its standard input
---@return program
function program:type(text) end

---The end of its input, Ctrl-D.
---@return program
function program:close_stdin() end

---Asks it to end.
---@param signal? string SIGTERM when left out
---@return program
function program:stop(signal) end

---@param signal string by name; one that is not meant to end it
---@return program
function program:signal(signal) end

---SIGKILL; its kernel lives.
---@return program
function program:kill() end

---SIGSTOP: it does not run, its kernel does.
---@return program
function program:freeze() end

---SIGCONT
---@return program
function program:thaw() end

---@class subject
local subject = {}

---How long to wait for what comes next; 5 s when left out.
---@param seconds number
---@return subject
function subject:within(seconds) end

---A connection of it comes to that state, or is in it.
---@param state tcp_state
---@return event
function subject:in_state(state) end

---It is in that state now, and was since the last expectation about its state.
---@param state tcp_state
function subject:still_in_state(state) end

---The host has none; listening sockets do not count.
function subject:has_no_connection() end

---@param port integer
function subject:listens(port) end

---@param name string a system call of dnc: "read", "poll", "getsockopt", ...
---@param stream? "stdin"|"stdout" a read or write of that instead of the socket's
---@return expected_call
function subject:call(name, stream) end

---@alias kernel_deed "drop"|"reset"|"reset_received"|"error"|"retransmit"|"retransmit_synack"
---|"bad_checksum"

---What its host's kernel says of it; needs = { "tracepoints" }.
---@param what kernel_deed
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; of an error the errno
---@return event
function subject:kernel(what, reason) end

---@param status? integer
---@return event
function subject:exits(status) end

---@param signal string "SIGPIPE"
---@return event
function subject:killed_by(signal) end

---@param text string contained in what it writes
---@return event
function subject:prints(text) end

function subject:still_runs() end

---It waits in the kernel, in a call.
function subject:sleeps() end

---@class expected_call
local expected_call = {}

---@param result? integer any when left out
---@param revents? string of poll: "IN|HUP"
---@return event
function expected_call:returns(result, revents) end

---@param revents string poll's, exactly: "IN|ERR|HUP", "0x19"
---@return event
function expected_call:reports(revents) end

---@param errno string "ECONNRESET"
---@return event
function expected_call:fails(errno) end

---@param errno string the value of SO_ERROR
---@return event
function expected_call:gives(errno) end

---The program is in that call.
---@return event
function expected_call:is_entered() end
