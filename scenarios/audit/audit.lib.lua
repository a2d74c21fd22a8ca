-- The runs of `tcplab audit`: a client and a server, one failure at one moment of a request. A
-- script describes the pair; this makes a scenario of it, with a case for each failure, side and
-- moment. docs/audit.md has the fields.
local baseline = include "baseline.lib.lua"
local commands = include "commands.lib.lua"
local judge = include "judge.lib.lua"
local FAILURES = include_folder "failures"
local MOMENTS = include_folder "moments"

local READY_WITHIN = 20   -- seconds
local TOLD_AFTER = 2
local BETWEEN_REQUESTS = 1
local FIELDS = {
  title = true, server = true, port = true, client = true, limit = true, requests = true,
  input = true, ready = true, hosts = true, prepare = true, start_server = true,
  start_client = true, judge = true, failures = true, moments = true, families = true, needs = true,
  after = true,
}

local function pair(lab, options) return lab:hosts({ "client", "server" }, options) end

local Cell = {}
Cell.__index = Cell

-- What the baseline has measured, as a number; 1 if it has not.
local function fact_of(lab)
  return function(name) return tonumber(lab:parameter(name)) or 1 end,
    function(name) return lab:parameter(name) or "" end
end

-- Sets the options that --apply has chosen for a host's sockets: "TCP_SYNCNT=3 SO_KEEPALIVE=1".
local function apply_options(lab, host, parameter)
  local options = {}
  for name, value in (lab:parameter(parameter) or ""):gmatch "(%S+)=(%d+)" do
    options[name] = math.tointeger(value)
  end
  if next(options) then host:socket_options(options) end
end

local function new_cell(lab, plan, case)
  local cell = { lab = lab, plan = plan, case = case, seed = 1, next_steps = {} }
  setmetatable(cell, Cell)
  cell.fact, cell.fact_text = fact_of(lab)
  cell.limit = tonumber(lab:parameter "limit") or plan.limit or 300
  local hosts = plan.hosts or case.failure and case.failure.hosts or pair
  cell.client_host, cell.server_host, cell.between = hosts(lab, {})
  apply_options(lab, cell.client_host, "client_options")
  apply_options(lab, cell.server_host, "server_options")
  return cell
end

-- Runs `act` at the packet with which such packets have carried that much data.
function Cell:at(bytes, packet, act)
  return self.lab:when(packet, act, { bytes = bytes, optional = true })
end

-- Adds a step to a moment that comes in several.
function Cell:then_at(condition, act)
  table.insert(self.next_steps, self.lab:when(condition, act, { optional = true }))
end

function Cell:start_server()
  local plan = self.plan
  if plan.start_server then
    self.server = plan.start_server(self)
  else
    local command = commands.with_server(plan.server)
    command.name = command.name or "server"
    self.server = self.server_host:at_boot(command)
  end
  self:await_server()
end

-- Waits until the server is ready. One that has ended will not be. One that was ready in the
-- baseline will be, if slowly: cells start side by side.
function Cell:await_server()
  local lab, ready = self.lab, self.plan.ready or {}
  local within = tonumber(lab:parameter "ready") or ready.within or READY_WITHIN
  local over = lab:now() + math.max(within, tonumber(lab:parameter "patience") or 0)
  local function first(is_ready, seconds)
    return lab:first {
      ready = is_ready, gone = self.server:has_no_process(), within = math.max(seconds, 0),
    }
  end
  local function await(is_ready, words)
    local which = first(is_ready, math.min(TOLD_AFTER, over - lab:now()))
    if not which then self:tell_starting() end
    which = which or first(is_ready, over - lab:now())
    lab:check(which == "ready", words, which == "gone" and "it has ended" or "it does not")
  end
  if ready.prints then await(self.server:prints(ready.prints), "the server prints its text") end
  await(self.server_host:listens(self.plan.port), "the server listens on port " .. self.plan.port)
end

-- Its line may say why: a command was not found, for example. A later part of it may still listen.
function Cell:tell_starting()
  local line = judge.last_line(self, self.server)
  if line ~= "" then self.lab:audit { step = "starting", text = line } end
end

function Cell:start_client()
  self.started = self.lab:now()
  self.lab:when(self.lab:packet("client > *", "SYN"), function()
    self.first_sent_at = self.lab:now()
  end, { optional = true })
  if self.plan.start_client then
    self.client = self.plan.start_client(self)
  else
    local command = commands.with_server(self.plan.client)
    command.name = command.name or "client"
    self.client = self.client_host:run(command)
  end
  if not (self.case.moment and self.case.moment.has_connection) then
    local handshake = self.lab:packet("* > server", "ACK only", { fate = "delivered" })
    self.lab:when(handshake, function() self.connected_at = self.lab:now() end, { optional = true })
  end
  if self.plan.input then
    self.client:type(self.plan.input)
    self.client:close_stdin()
  end
end

function Cell:begin_failure()
  local failure, side = self.case.failure, self.case.side
  self.victim = side == "client" and self.client_host or self.server_host
  self.program = side == "client" and self.client or self.server
  self.port_before = self.has_connection and self.lab:connection(self.client_host).local_port or 0
  self.failed_at = self.lab:now()
  self.lab:audit { step = "failure" }
  failure.begin(self)
  self:continue_server()
end

-- Keeps the server from answering until the failure begins.
function Cell:stop_server()
  self.server:freeze()
  self.is_server_stopped = true
end

-- A server that the failure has stopped stays so.
function Cell:continue_server()
  local failure = self.case.failure
  if not self.is_server_stopped then return end
  self.is_server_stopped = false
  if self.case.side == "server" and failure.stops_program and not failure.waits then return end
  self.server:thaw()
end

-- Waits until the client has ended, or the time is over. Returns the event of its end.
function Cell:wait_for_end(seconds)
  if self.end_event or seconds <= 0 then return self.end_event end
  local which, event = self.lab:first { ended = self.client:ends(), within = seconds }
  if which then self.end_event = event end
  return self.end_event
end

-- Types the next request, if there is one.
function Cell:type_next()
  local requests = self.plan.requests or {}
  self.typed = (self.typed or 0) + 1
  local text = requests[self.typed]
  if text and not self.end_event then self.client:type(text) end
  return text ~= nil
end

-- Waits for the first of these conditions, or the end of the client. Returns which it is, or nil
-- when the time is over.
function Cell:first(seconds, conditions)
  conditions.ended = self.client:ends()
  conditions.within = math.max(seconds, 0)
  local which, event = self.lab:first(conditions)
  if which == "ended" then self.end_event = event end
  return which
end

-- Waits until a request that was typed is on the wire, because a program takes a while to start,
-- and then for a pause. Returns early if the moment comes: which condition it was, or nil.
function Cell:pause_after_request(patience, came)
  local sent = self.lab:packet("client > *", "data", { fate = "delivered" })
  local which = self:first(patience, { sent = sent, came = came })
  if which == "sent" then which = self:first(BETWEEN_REQUESTS, { came = came }) end
  return which
end

-- Types all requests, with a pause after each, until the moment comes. Returns whether it has come.
function Cell:reach(came, between)
  local patience = tonumber(self.lab:parameter "patience") or self.limit
  local over = self.lab:now() + patience
  repeat
    local more = self:type_next()
    local patience_left = over - self.lab:now()
    local which
    if more then
      which = self:pause_after_request(patience_left, came)
    else
      which = self:first(patience_left, { came = came })
    end
    if which then return which == "came" end
    if between and more then return true end
  until not more
  return false
end

-- Some moments come in several steps. Returns whether all have come.
function Cell:reach_next()
  for _, step in ipairs(self.next_steps) do
    local which, event = self.lab:first {
      came = step, ended = self.client:ends(), within = self.limit,
    }
    if which == "ended" then self.end_event = event end
    if which ~= "came" then return false end
  end
  return true
end

-- The script brings the failure at the moments that it makes itself.
function Cell:bring_failure()
  local moment, failure = self.case.moment, self.case.failure
  if moment.is_before_client then
    self.lab:audit { step = "moment" }
    self:begin_failure()
    self:start_client()
    return true
  end
  local between = moment.name == "idle" and #(self.plan.requests or {}) > 1
  self.has_connection = moment.has_connection
  local came
  local has_come = false  -- the failure itself may then end the client
  if not between then
    came = moment.watch(self, function()
      if self.is_answered then return end
      has_come = true
      self.lab:audit { step = "moment" }
      if not failure.waits then self:begin_failure() end
    end)
  end
  self:start_client()
  local reached = self:reach(came, between) and self:reach_next()
  if self.is_answered or not reached and not has_come then return false end
  if between then self.lab:audit { step = "moment" } end
  if between or failure.waits then self:begin_failure() end
  return true
end

function Cell:finish_failure()
  local failure = self.case.failure
  while self:type_next() do self:wait_for_end(BETWEEN_REQUESTS) end
  if not failure.lasts then return end
  local over = self.failed_at + failure.lasts
  self:wait_for_end(math.min(over, self.failed_at + self.limit) - self.lab:now())
  if self.lab:now() < over then return end
  failure.finish(self)
  self.is_over = true
  self.lab:audit { step = "failure_ends" }
end

function Cell:introduce()
  local case = self.case
  self.lab:audit {
    step = "begins", limit = self.limit, lasts = case.failure and case.failure.lasts,
    client = "client", program = "client",
    server = not (case.failure and case.failure.fools_server) and "server" or nil,
    failure = case.failure and case.failure.name,
    failure_title = case.failure and case.failure.title,
    moment = case.moment and case.moment.name, moment_title = case.moment and case.moment.title,
    side = case.side,
  }
end

function Cell:run()
  self:introduce()
  if self.plan.prepare then self.plan.prepare(self) end
  self:start_server()
  if not self.case.failure then return baseline(self) end
  if not self:bring_failure() then
    self.lab:audit {
      step = "judged", outcome = "not_reached",
      text = self.is_answered and "the server had answered before"
        or self.end_event and "the client ended before" or "it never came",
    }
    return
  end
  self:finish_failure()
  judge.judge(self)
end

local function contains(list, word)
  if not list then return true end
  for _, each in ipairs(list) do if each == word then return true end end
  return false
end

-- Whether a failure of this side at this moment differs from others.
local function makes_sense(plan, failure, side, moment)
  if not contains(failure.moments, moment.name) then return false end
  if not contains(plan.failures, failure.name) then return false end
  if not contains(plan.moments, moment.name) then return false end
  if failure.hosts and plan.hosts then return false end
  if failure.needs_connection or side == "client" then return moment.has_connection end
  return true
end

local function cases_of(plan)
  local cases = { { name = "baseline", title = "Without a failure" } }
  for _, failure in ipairs(FAILURES) do
    for _, side in ipairs(failure.sides) do
      for _, moment in ipairs(MOMENTS) do
        if makes_sense(plan, failure, side, moment) then
          local whose = #failure.sides > 1 and side .. ": " or ""
          table.insert(cases, {
            name = side .. "." .. failure.name .. "." .. moment.name,
            title = whose .. failure.title .. ", " .. moment.title,
            failure = failure, side = side, moment = moment,
          })
        end
      end
    end
  end
  return cases
end

-- Returns the scenario for a description of a client and its server.
return function(plan)
  for field in pairs(plan) do
    if not FIELDS[field] then
      error("an audit has no field `" .. tostring(field) .. "`; docs/audit.md lists them", 2)
    end
  end
  if plan.limit and not (type(plan.limit) == "number" and plan.limit > 0) then
    error("an audit's limit is a number of seconds: limit = 300", 2)
  end
  if not plan.port then error("an audit needs the server's port: port = 6379", 2) end
  if not (plan.server or plan.start_server) then
    error("an audit needs the server's command: server = { \"redis-server\" }", 2)
  end
  if not (plan.client or plan.start_client) then
    error("an audit needs the client's command: client = { \"redis-cli\", \"-h\", \"SERVER\" }", 2)
  end
  return {
    title = plan.title or "Audit",
    asks = "What does the client do when the network or the server fails, and when does it know?",
    tags = { "audit" },
    families = plan.families,
    needs = plan.needs,
    cases = cases_of(plan),
    run = function(lab, case) new_cell(lab, plan, case):run() end,
  }
end
