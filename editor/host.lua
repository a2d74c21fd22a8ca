---@meta
-- Hosts, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---@class host
local host = {}

---Starts a program of this machine, and records its calls on TCP sockets. A host among the
---arguments stands for its name.
---@param program string|run_command
---@param ... string|number|host|run_options
---@return program
function host:run(program, ...) end

---Starts dnc, which records its calls. With "-l", waits until it listens.
---@param argument string|number|host
---@param ... string|number|host
---@return program
function host:dnc(argument, ...) end

---Starts a program now, and again each time that the power comes back.
---@param program string|run_command
---@param ... string|number|host|run_options
---@return program
function host:at_boot(program, ...) end

---Reads a sysctl, or sets it, for later boots too.
---@param name string
---@return string
---@overload fun(self: host, name: string, value: string|number): host
function host:sysctl(name) end

---Sets these options on each TCP socket that a program of the host makes or accepts from now on,
---whatever the program sets; an empty table ends this.
---@param options table<string, integer>
---@return host
function host:socket_options(options) end

---Returns the name of the host.
---@return string
function host:name() end

---Returns the address of a NIC.
---@param nic? string "eth1", or the name of its link; the first by default
---@return string
function host:address(nic) end

---Returns the port on which the TCP stack of the host listens by itself, and whether it echoes what
---comes; nothing if it makes the calls of programs.
---@return integer?
---@return boolean?
function host:own_port() end

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
---@param options? crash_options
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

---Takes a NIC down or up, as an administrator does. The kernel knows about it, unlike with unplug.
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

---Is met when a connection of the subject is in that state or enters it.
---@param state tcp_state
---@return condition
function host:in_state(state) end

---Is met when this timer of a connection runs in the kernel.
---@param timer tcp_timer
---@return condition
function host:timer(timer) end

---Is met when the host has no connection; listening sockets do not count.
---@return condition
function host:has_no_connection() end

---Is met when the host's programs have closed their connections to the other host. Its kernel may
---still send the FIN again, or wait in FIN_WAIT2.
---@param other host
---@return condition
function host:holds_no_connection_to(other) end

---Is met when a socket on the host listens.
---@param port integer
---@return condition
function host:listens(port) end

---Is met by an event from its host's kernel; needs = { "tracepoints" }.
---@param what kernel_event
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; for an error, the errno
---@return condition
function host:kernel(what, reason) end

---Writes a file into a private folder of the host, and makes its folders.
---@param path string below /tmp, /var/tmp, /run or /dev/shm
---@param text string
---@param options? file_options
---@return host
function host:file(path, text, options) end

---Gives the host a folder that survives when it loses its power.
---@param path string
---@param options? disk_options
---@return host
function host:disk(path, options) end

---Starts a program, and waits until it is ready.
---@param command service_command
---@return program
function host:service(command) end

---@class dns
local dns = {}

---Changes what a name resolves to; without an address, it exists no longer.
---@param name string
---@param to? host|string|(host|string)[]
---@return dns
function dns:set(name, to) end

---Lets it reply later.
---@param seconds number
---@param name? string every name by default
---@return dns
function dns:slow(seconds, name) end

---Lets it reply nothing.
---@param name? string every name by default
---@return dns
function dns:silent(name) end

---Lets it reply SERVFAIL.
---@param name? string every name by default
---@return dns
function dns:fails(name) end

---Lets it keep its answers of now, whatever is set later.
---@param name? string every name by default
---@return dns
function dns:stale(name) end

---Ends all its faults.
---@return dns
function dns:works() end
