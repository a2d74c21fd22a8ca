// Connections between two dncs in one step: lab:connect and lab:connected.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "app/programs/start_program.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_topology.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using Words = std::vector<std::string>;

constexpr double kUsualPort = 8080;

const std::vector<LuaParameter> kEndOptions = {
    {"client?", "(string|number)[]", "options of the client: { \"--keepalive\", \"5/3/3\" }"},
    {"server?", "(string|number)[]", "options of the server"},
    {"port?", "integer", "8080 by default", kPortRange}};

const LuaTable kConnectOptions = {"connect_options", "", kEndOptions};
const LuaTable kConnectedOptions = {"connected_options", "", kEndOptions, &kHostOptions};

/// A list of texts and numbers in the options; empty if it is not there.
Words words_option(const LuaCall& call, int index, const char* field) {
  Words words;
  if (!call.has(index)) return words;
  lua_State* const lua = call.lua;
  const int type = lua_getfield(lua, index + 1, field);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    throw base::UsageError(std::string("option `") + field + "` is a list: { \"--repl\" }");
  for (lua_Integer i = 1; type == LUA_TTABLE && i <= luaL_len(lua, -1); ++i) {
    const int element = lua_geti(lua, -1, i);
    if (element != LUA_TSTRING && element != LUA_TNUMBER)
      throw base::UsageError(std::string("option `") + field + "` is a list of texts and numbers");
    words.emplace_back(lua_tostring(lua, -1));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return words;
}

std::string port_option(const LuaCall& call, int index) {
  const double port = call.option_number(index, "port").value_or(kUsualPort);
  return std::to_string(static_cast<int>(port));
}

/// Two dncs, and what the timeline has about their connection.
class Connecting {
public:
  Connecting(ScriptContext& context, lab::LabHost& client_host, lab::LabHost& server_host)
      : context_(context),
        client_host_(client_host),
        server_host_(server_host),
        since_(context.laboratory().timeline().last()) {}

  /// Reads the options at `index`.
  void read_options(const LuaCall& call, int index) {
    const std::string port = port_option(call, index);
    client_words_ = words_option(call, index, "client");
    client_words_.insert(client_words_.begin(), "dnc");
    client_words_.insert(client_words_.end(), {server_host_.name(), port});
    server_words_ = words_option(call, index, "server");
    server_words_.insert(server_words_.begin(), "dnc");
    server_words_.insert(server_words_.end(), {"-l", port});
  }

  void start_server() { server_ = &start_program(context_, server_host_, server_words_); }
  std::unique_ptr<Condition> server_listens() const {
    return dnc_listens(context_, *server_, since_);
  }
  void start_client() {
    context_.laboratory().sockets().look_at(server_host_);  // the story begins with the listener
    client_ = &start_program(context_, client_host_, client_words_);
  }

  std::string expected() const {
    return client_->title() + " and " + server_->title() + " are connected";
  }

  /// Whether connect(2) and accept(2) have returned, and both ends have been ESTABLISHED.
  Condition::Status status();

  /// The next expectations start after the connection.
  void move_cursors() const;

  int push_programs(lua_State* lua) const {
    push_object(lua, LuaProgram{client_});
    return push_object(lua, LuaProgram{server_}) + 1;
  }
  int push_hosts(lua_State* lua) const {
    push_object(lua, LuaHost{&client_host_});
    return push_object(lua, LuaHost{&server_host_}) + 1;
  }

private:
  /// How one end became connected: the numbers of the events, 0 for those to come.
  struct End {
    std::uint64_t call = 0;
    std::uint64_t established = 0;
    std::optional<lab::ConnectionKey> key{};
  };

  bool note(const capture::Event& event);
  bool note_call(std::uint64_t number, const capture::Call& call);
  std::uint64_t established(const lab::LabHost& host, const End& end) const;
  void move_cursor(const std::string& stream, std::uint64_t number) const;
  void move_cursors(const lab::LabHost& host, const lab::LabProgram& program, const End& end) const;

  ScriptContext& context_;
  lab::LabHost& client_host_;
  lab::LabHost& server_host_;
  std::uint64_t since_;
  Words client_words_;
  Words server_words_;
  lab::LabProgram* client_ = nullptr;
  lab::LabProgram* server_ = nullptr;
  End client_end_;
  End server_end_;
  std::map<std::pair<std::string, lab::ConnectionKey>, std::uint64_t> established_;  // by host
  std::string failed_;  // what makes it hopeless
};

Condition::Status Connecting::status() {
  client_end_ = server_end_ = {};
  established_.clear();
  failed_.clear();
  context_.laboratory().timeline().visit_after(
      since_, [this](const capture::Event& event) { return note(event); });
  if (!failed_.empty()) return {false, failed_, true};
  if (client_end_.call == 0) return {false, "connect has not returned"};
  if (server_end_.call == 0) return {false, "accept has not returned"};
  client_end_.established = established(client_host_, client_end_);
  server_end_.established = established(server_host_, server_end_);
  const bool both = client_end_.established != 0 && server_end_.established != 0;
  return {both, both ? "they are" : "an end is not ESTABLISHED"};
}

/// Returns false if nothing later matters.
bool Connecting::note(const capture::Event& event) {
  if (is_end_of(*client_, event) || is_end_of(*server_, event)) failed_ = describe(event);
  if (const auto* state = std::get_if<capture::State>(&event.body);
      state != nullptr && state->to == capture::TcpState::established)
    established_[{state->host, {state->local, state->remote}}] = event.number;
  if (const auto* call = std::get_if<capture::Call>(&event.body);
      call != nullptr && call->phase == capture::CallPhase::leave &&
      !note_call(event.number, *call))
    failed_ = describe(event);
  return failed_.empty();
}

/// Returns false for a call that failed.
bool Connecting::note_call(std::uint64_t number, const capture::Call& call) {
  const bool connects =
      call.call == "connect" && call.host == client_->host() && call.program == client_->name();
  const bool accepts =
      call.call == "accept" && call.host == server_->host() && call.program == server_->name();
  if (!connects && !accepts) return true;
  if (call.result == -1) return false;
  End& end = connects ? client_end_ : server_end_;
  if (end.call != 0 || !call.local || !call.remote) return true;
  end.call = number;
  end.key = {*call.local, *call.remote};
  return true;
}

std::uint64_t Connecting::established(const lab::LabHost& host, const End& end) const {
  const auto found = established_.find({host.name(), *end.key});
  return found == established_.end() ? 0 : found->second;
}

void Connecting::move_cursor(const std::string& stream, std::uint64_t number) const {
  Cursors& cursors = context_.waiter().cursors();
  cursors.move(stream, std::max(number, cursors.event_at(stream)));
}

void Connecting::move_cursors(const lab::LabHost& host, const lab::LabProgram& program,
                              const End& end) const {
  const std::string of_program = " " + host.name() + "/" + program.name();
  move_cursor("call" + of_program, end.call);
  move_cursor("state" + of_program, end.established);
  move_cursor("state " + host.name(), end.established);
}

void Connecting::move_cursors() const {
  move_cursors(client_host_, *client_, client_end_);
  move_cursors(server_host_, *server_, server_end_);
}

/// Starts both programs and waits. Its results are the programs, and what `push_more` pushes.
template <typename PushMore>
int connect(const LuaCall& call, const std::shared_ptr<Connecting>& ends, PushMore push_more) {
  ScriptContext& context = context_of(call);
  ends->start_server();
  const int line = call.line();
  const auto finish = [ends, push_more](lua_State* lua) {
    ends->move_cursors();
    const int programs = ends->push_programs(lua);
    return programs + push_more(lua);
  };
  return context.suspend_until(
      ends->server_listens(), line, [&context, ends, line, finish](lua_State*) {
        ends->start_client();
        return context.suspend_until(
            context.condition(kReadyWithin, ends->expected(), [ends] { return ends->status(); }),
            line, finish);
      });
}

int lab_connect(LuaCall& call) {
  lab::LabHost& client = *call.object<LuaHost>(1, "the client's host").host;
  lab::LabHost& server = *call.object<LuaHost>(2, "the server's host").host;
  call.allow_options(3, kConnectOptions);
  for (lab::LabHost* host : {&client, &server})
    if (host->config().is_peer) host->require_kernel_tcp("lab:connect");
  const auto ends = std::make_shared<Connecting>(context_of(call), client, server);
  ends->read_options(call, 3);
  return connect(call, ends, [](lua_State*) { return 0; });
}

/// A dnc needs a kernel.
void check_connected(LuaCall& call) {
  if (!peers_option(call, 1).empty())
    throw base::UsageError(
        "lab:connected starts a dnc on both hosts, and a peer runs no programs; write lab:pair{ "
        "peer = ... }");
}

int lab_connected(LuaCall& call) {
  call.allow_options(1, kConnectedOptions);
  check_connected(call);
  const auto hosts = make_hosts(call, {"kang", "kodos"}, host_options(call, 1));
  const auto ends = std::make_shared<Connecting>(context_of(call), *hosts[0], *hosts[1]);
  ends->read_options(call, 1);
  return connect(call, ends, [ends](lua_State* lua) { return ends->push_hosts(lua); });
}

}  // namespace

LuaModule connect_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"connect",
                lab_connect,
                "Starts a dnc that listens and one that connects to it, and waits until they are "
                "connected.",
                {{"client_host", "host"}, {"server_host", "host"}, {"options?", "connect_options"}},
                {"program client", "program server"}},
               {"connected",
                lab_connected,
                "Starts two hosts on one wire, and connects a dnc on kang to one on kodos.",
                {{"options?", "connected_options"}},
                {"program client", "program server", "host kang", "host kodos"},
                "",
                false,
                check_connected}})},
          .tables = {&kConnectOptions, &kConnectedOptions}};
}

}  // namespace tcplab::app
