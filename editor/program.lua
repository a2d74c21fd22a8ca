---@meta
-- Programs, as annotations for the Lua language server. With them, an editor completes and checks a
-- scenario: { "workspace.library": ["editor"] } in .luarc.json. docs/scenarios.md is the reference.
-- Made by tools/editor-stubs; do not edit.

---@class program
local program = {}

---Limits the next verb to the calls on one connection.
---@param connection connection
---@return subject
function program:on(connection) end

---Writes text to its standard input.
---@param text string
---@return program
function program:type(text) end

---Ends its standard input, as Ctrl-D does.
---@return program
function program:close_stdin() end

---Asks it and all its processes to end, with a signal.
---@param signal? signal_name SIGTERM by default, or the one of its service
---@param options? reach_options
---@return program
function program:stop(signal, options) end

---Sends its main process a signal that is not meant to end it.
---@param signal signal_name
---@return program
function program:signal(signal) end

---Sends SIGKILL to all its processes, unless they have ended; its kernel lives on.
---@param options? reach_options
---@return program
function program:kill(options) end

---Returns all that it has written so far.
---@param stream? "stdout"|"stderr" stdout by default
---@return string
function program:output(stream) end

---Stops all its processes (SIGSTOP): the program does not run, but its kernel does.
---@param options? reach_options
---@return program
function program:freeze(options) end

---Lets all its processes run again (SIGCONT).
---@param options? reach_options
---@return program
function program:thaw(options) end

---Is met when a connection of the subject is in that state or enters it.
---@param state tcp_state
---@return condition
function program:in_state(state) end

---Is met when this timer of a connection runs in the kernel.
---@param timer tcp_timer
---@return condition
function program:timer(timer) end

---Names a system call of a program; the next verb says what it must return.
---@param name call_name
---@param ... string|number "stdin", "stdout", or an argument: "TCP_NODELAY"
---@return expected_call
function program:call(name, ...) end

---Expects that poll, select or epoll_wait reports at least these events of one socket.
---@param events string "ERR|HUP"
---@return event
function program:wakes(events) end

---Expects that its poll, select or epoll_wait times out: the program's own timer.
---@return event
function program:times_out() end

---Expects that a call fails, the stream ends, its own timer fires, or it ends: the first.
---@return event
function program:notices() end

---Is met when it exits.
---@param status? integer any by default
---@return condition
function program:exits(status) end

---Is met when it exits or a signal ends it.
---@return condition
function program:ends() end

---Is met when a signal ends it.
---@param signal signal_name
---@return condition
function program:killed_by(signal) end

---Is met when its output has the text, after what the last such verb matched.
---@param text string
---@return condition
function program:prints(text) end

---Is met when it waits in a system call, which a signal would interrupt.
---@return condition
function program:sleeps() end

---Is met when none of its processes runs: neither the main one, nor what it started.
---@return condition
function program:has_no_process() end

---Is met by an event from its host's kernel; needs = { "tracepoints" }.
---@param what kernel_event
---@param reason? string the kernel's word, "TCP_RFC7323_PAWS"; for an error, the errno
---@return condition
function program:kernel(what, reason) end

---Stops a service, starts it again, and waits until it is ready.
---@return program
function program:restart() end

---Changes a system call: an errno, fewer bytes or a delay.
---@param call injected_call
---@param options injection_options
---@return injection
function program:inject(call, options) end

---@class injection
local injection = {}

---Ends the injection; a call that it delays already stays delayed.
function injection:remove() end
