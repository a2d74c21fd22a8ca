---@meta
-- Expectations, as annotations for the Lua language server. With them, an editor completes and
-- checks a scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the
-- reference. Made by tools/editor-stubs; do not edit.

---@class subject
local subject = {}

---Limits the next verb to the calls on one connection.
---@param connection connection
---@return subject
function subject:on(connection) end

---Sets how long the next verb waits; 5 s by default.
---@param seconds number
---@return subject
function subject:within(seconds) end

---Leaves the next verb unchecked if the hosts' kernel is older.
---@param version kernel_version of Linux: "6.5"
---@return subject
function subject:since(version) end

---Is met when a connection of the subject is in that state or enters it.
---@param state tcp_state
---@return event
function subject:in_state(state) end

---Is met when this timer of a connection runs in the kernel.
---@param timer tcp_timer
function subject:timer(timer) end

---Is met when the host has no connection; listening sockets do not count.
function subject:has_no_connection() end

---Is met when the host's programs have closed their connections to the other host. Its kernel may
---still send the FIN again, or wait in FIN_WAIT2.
---@param other host
function subject:holds_no_connection_to(other) end

---Is met when a socket on the host listens.
---@param port integer
function subject:listens(port) end

---Expects that it is in that state now, with no change since the last expectation about its state.
---@param state tcp_state
function subject:still_in_state(state) end

---Names a system call of a program; the next verb says what it must return.
---@param name call_name
---@param ... string|number "stdin", "stdout", or an argument: "TCP_NODELAY"
---@return expected_call
function subject:call(name, ...) end

---Expects that poll, select or epoll_wait reports at least these events of one socket.
---@param events string "ERR|HUP"
---@return event
function subject:wakes(events) end

---Expects that its poll, select or epoll_wait times out: the program's own timer.
---@return event
function subject:times_out() end

---Expects that a call fails, the stream ends, its own timer fires, or it ends: the first.
---@return event
function subject:notices() end

---Is met when it exits.
---@param status? integer any by default
---@return event
function subject:exits(status) end

---Is met when it exits or a signal ends it.
---@return event
function subject:ends() end

---Is met when a signal ends it.
---@param signal signal_name
---@return event
function subject:killed_by(signal) end

---Is met when its output has the text, after what the last such verb matched.
---@param text string
---@return event
function subject:prints(text) end

---Is met when it waits in a system call, which a signal would interrupt.
function subject:sleeps() end

---Is met when none of its processes runs: neither the main one, nor what it started.
function subject:has_no_process() end

---Expects that it has not ended.
function subject:still_runs() end

---Is met by an event from its host's kernel; needs = { "tracepoints" }.
---@param what kernel_event
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; for an error, the errno
---@return event
function subject:kernel(what, reason) end

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
---@param errno errno_name
---@return event
function expected_call:fails(errno) end

---Expects that getsockopt or ioctl stores this value.
---@param value errno_name|string|integer an errno for SO_ERROR
---@return event
function expected_call:gives(value) end

---Expects that the program is in that call.
---@return event
function expected_call:is_entered() end

---@class condition
local condition = {}
