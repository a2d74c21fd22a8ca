#include "capture/runtimes/v8.hh"

#include <sys/syscall.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "capture/stacks/program_stack.hh"
#include "tests/capture/runtimes/live/node_process.hh"
#include "tests/catch.hh"
#include "tests/skip.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;

namespace {

/// Reads the frames of the thread that waits in read(0, ...).
std::vector<RuntimeFrame> frames_in_read(NodeProcess& node) {
  const ThreadPosition thread = node.wait_in(SYS_read, 0);
  const auto runtime = node.runtime();
  REQUIRE(runtime);
  return runtime->frames(thread);
}

/// The frames that are of the script.
std::vector<RuntimeFrame> own_frames(NodeProcess& node) {
  std::vector<RuntimeFrame> frames = frames_in_read(node);
  std::erase_if(frames, [&](const RuntimeFrame& frame) { return frame.file != node.script(); });
  return frames;
}

std::vector<std::string> texts_of(NodeProcess& node) {
  std::vector<std::string> texts;
  for (const RuntimeFrame& frame : frames_in_read(node))
    texts.push_back(frame.function + ":" + std::to_string(frame.line));
  return texts;
}

constexpr const char* kNested = R"(const fs = require('fs');
class Client {
  constructor() {
    this.buffer = Buffer.alloc(1);
    this.order = this.fetch();
  }
  fetch() {
    return this.wait() +
      1;
  }
  wait() { return fs.readSync(0, this.buffer); }
}
const arrow = () => new Client();
const object = { method: function () {
  return arrow();
} };
function outer() {
  [1].forEach(function () { object.method(); });
}

outer();
)";

/// Calls `middle` so often that V8 compiles it, then waits. Prints the stack that V8 itself gives
/// to an exception just before, without functions of Node.
constexpr const char* kHot = R"(const fs = require('fs');
Error.stackTraceLimit = 100;
Error.prepareStackTrace = (_, sites) => sites.map(site =>
  [site.getFunctionName() ?? '(anonymous)', site.getFileName() ?? '', site.getLineNumber() ?? 0]);
const buffer = Buffer.alloc(1);
let waits = false;
function report() {
  const stack = new Error().stack;
  fs.writeSync(1, JSON.stringify(stack.slice(1)) + '\n');
}
function inner(n) {
  let sum = 0;
  for (let i = 0; i < n; ++i) sum += i & 3;
  if (waits) { report(); sum += fs.readSync(0, buffer); }
  return sum;
}
class Queue {
  constructor(n) { this.n = n; }
  take() { return inner(this.n) + 1; }
}
class Orders extends Queue {
  constructor(n) { super(n); this.first = this.take(); }
}
const make = n => new Orders(n).first;
function middle(n) {
  return [n, n].map(x => make(x)).reduce((a, b) => a + b, 0);
}
function run(times) {
  let sum = 0;
  for (let i = 0; i < times; ++i) sum += middle(20);
  return sum;
}
run(30000);
waits = true;
run(1);
)";

/// Checks what is read against what V8 says. V8 knows which functions it has inlined into another;
/// they have no frame of their own, and only frames of the interpreter have lines.
void check_against_v8(const std::vector<std::string>& options, bool has_all) {
  NodeProcess node(options, kHot);
  const auto stack = nlohmann::json::parse(node.line());
  std::vector<RuntimeFrame> frames = frames_in_read(node);
  std::erase_if(frames, [](const RuntimeFrame& frame) { return frame.function == "readSync"; });
  auto expected = stack.begin();
  for (const RuntimeFrame& frame : frames) {
    INFO(to_text(frame) << " in " << stack.dump(1));
    if (frame.function == "(module)") break;
    expected = std::find_if(expected, stack.end(),
                            [&](const auto& site) { return site[0] == frame.function; });
    REQUIRE(expected != stack.end());
    CHECK((*expected)[1] == frame.file);
    if (frame.line != 0) CHECK((*expected)[2] == frame.line);
    if (has_all && !frame.file.empty()) CHECK(frame.line != 0);
    ++expected;
  }
  if (has_all) CHECK((*expected)[0] == "(anonymous)");  // the module: no function was left out
  REQUIRE(frames.size() >= 3);
  CHECK(frames[0].function == "inner");
  const auto run = std::find_if(frames.begin(), frames.end(),
                                [](const RuntimeFrame& frame) { return frame.function == "run"; });
  CHECK(run != frames.end());
}

}  // namespace

TEST_CASE("frames of JavaScript have names, files and the lines of their calls") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, kNested);
  const std::string script = node.script();
  std::vector<RuntimeFrame> frames = frames_in_read(node);
  REQUIRE(frames.size() > 9);
  CHECK(frames[0].function == "readSync");
  CHECK(frames[0].file == "node:fs");
  CHECK(frames[0].line > 1);
  const std::vector<RuntimeFrame> expected = {
      {.function = "wait", .file = script, .line = 11},
      {.function = "fetch", .file = script, .line = 8},
      {.function = "Client", .file = script, .line = 5},
      {.function = "arrow", .file = script, .line = 13},
      {.function = "method", .file = script, .line = 15},
      {.function = "(anonymous)", .file = script, .line = 18},
      {.function = "forEach"},
      {.function = "outer", .file = script, .line = 18},
      {.function = "(module)", .file = script, .line = 21}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("read: " << to_text(frames[i + 1]) << "\nexpected: " << to_text(expected[i]));
    CHECK(frames[i + 1] == expected[i]);
  }
}

TEST_CASE("the runtime of Node has its name, and knows its code in a native stack") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, "console.log(process.version);require('fs').readSync(0, Buffer.alloc(1));");
  const std::string version = node.line();
  node.wait_in(SYS_read, 0);
  const auto runtime = node.runtime();
  REQUIRE(runtime);
  CHECK("v" + runtime->name().substr(5) == version.substr(0, version.find('.')));
  CHECK(runtime->is_interpreter("Builtins_InterpreterEntryTrampoline+0xdc (node)"));
  CHECK(runtime->is_interpreter("0x7f2f7f0040e7"));
  CHECK_FALSE(runtime->is_interpreter("0x1139 (addon.node)"));
  CHECK_FALSE(runtime->is_interpreter("read+0xc (libc.so.6)"));
}

TEST_CASE("the second mapping of the builtins belongs to the interpreter, other code of Node not") {
  SKIP_IF(no_program("node"));
  NodeProcess node({"--short-builtin-calls"}, "require('fs').readSync(0, Buffer.alloc(1));");
  const ThreadPosition thread = node.wait_in(SYS_read, 0);
  const auto runtime = node.runtime();
  REQUIRE(runtime);
  const std::string program = node.image().program();
  std::vector<Mapping> code;
  std::ranges::copy_if(node.image().mappings(), std::back_inserter(code), [&](const Mapping& each) {
    return each.is_executable && each.path == program;
  });
  REQUIRE(!code.empty());
  const auto text = [](Address address) { return fmt::format("{:#x} (node)", address); };
  CHECK_FALSE(runtime->is_interpreter(text(code.front().start + 64)));
  // Node 18 has a copy instead, outside of files.
  const std::string builtin =
      code.size() > 1 ? text(code.back().start + 64) : fmt::format("{:#x}", code[0].end + 64);
  CHECK(runtime->is_interpreter(builtin));
  // As StackNames writes the stack of such a thread.
  const std::vector<std::string> native = {"read (libc.so.6)", "uv__fs_work (node)", builtin,
                                           "node::Start (node)"};
  const ProgramStack stack{.native = {},
                           .runtime = {std::shared_ptr<void>(), runtime.get()},
                           .language = runtime->frames(thread)};
  const std::vector<std::string> all = with_language(native, stack);
  REQUIRE(all.size() > 3);
  CHECK(all[1] == native[1]);
  CHECK(all[2].starts_with("readSync (node:fs:"));
  CHECK(all[3] == "(module) (" + node.script() + ":1)");
}

TEST_CASE("frames of compiled JavaScript are those that V8 knows") {
  SKIP_IF(no_program("node"));
  check_against_v8({}, false);
  check_against_v8({"--always-sparkplug"}, false);
}

TEST_CASE("no frame of interpreted JavaScript is left out") {
  SKIP_IF(no_program("node"));
  check_against_v8({"--no-opt", "--no-sparkplug", "--max-lazy"}, true);
}

TEST_CASE("JavaScript that C++ has called is followed to its caller") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(const fs = require('fs'), vm = require('vm');
globalThis.wait = function wait() { fs.readSync(0, Buffer.alloc(1)); };
function load() {
  new vm.Script('\nfunction loaded() { wait(); }\nloaded();',
                { filename: '/srv/plug-in.js', lineOffset: 40 }).runInThisContext();
}
load();
)");
  const auto texts = texts_of(node);
  const auto begin = std::find(texts.begin(), texts.end(), "wait:2");
  REQUIRE(texts.end() - begin > 5);
  CHECK(begin[1] == "loaded:42");
  CHECK(begin[2] == "(anonymous):43");
  CHECK(begin[3].starts_with("runInThisContext:"));
  const auto load = std::find(begin, texts.end(), "load:5");
  REQUIRE(load != texts.end());
  CHECK(load[1] == "(module):7");
}

TEST_CASE("the frames of a worker are those of its thread") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(const { Worker, isMainThread } = require('worker_threads');
function wait() { require('fs').readSync(0, Buffer.alloc(1)); }
if (isMainThread) new Worker(__filename); else wait();
)");
  const auto frames = own_frames(node);
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].function == "wait");
  CHECK(frames[0].line == 2);
  CHECK(frames[1].function == "(module)");
  CHECK(frames[1].line == 3);
}

TEST_CASE("an ECMAScript module, a generator and an accessor have their names") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(import fs from 'node:fs';
function* items() { yield fs.readSync(0, Buffer.alloc(1)); }
class Cart {
  get total() { return [...items()].length; }
}
export const total = new Cart().total;
)",
                   "script.mjs");
  const auto texts = texts_of(node);
  REQUIRE(texts.size() > 4);
  CHECK(texts[1] == "items:2");
  CHECK(texts[2] == "next:0");
  CHECK(texts[3] == "get total:4");
  CHECK(texts[4] == "(module):6");
}

TEST_CASE("a function behind await has no caller that is not on the stack") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(const fs = require('fs');
async function request() {
  await null;
  fs.readSync(0, Buffer.alloc(1));
}
async function main() { await request(); }
main();
)");
  const auto frames = own_frames(node);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].function == "request");
  CHECK(frames[0].line == 4);
}

TEST_CASE("functions that V8 has optimised have a name and no line") {
  SKIP_IF(no_program("node"));
  NodeProcess node({"--no-concurrent-recompilation"}, R"(const fs = require('fs');
const buffer = Buffer.alloc(1);
function innermost(file) { return fs.readSync(file, buffer, 0, 1, null); }
function middle(file) { return innermost(file) + 1; }
function outermost(file) { return [file].map(each => middle(each))[0]; }
function run(file, times) {
  let sum = 0;
  for (let i = 0; i < times; ++i) sum += outermost(file);
  return sum;
}
run(fs.openSync('/dev/zero'), 50000);
run(0, 1);
)");
  const std::vector<std::string> order = {"innermost", "middle", "(anonymous)",
                                          "outermost", "run",    "(module)"};
  const auto frames = own_frames(node);
  auto expected = order.begin();
  for (const RuntimeFrame& frame : frames) {
    INFO(to_text(frame));
    expected = std::find(expected, order.end(), frame.function);
    REQUIRE(expected != order.end());
    ++expected;
  }
  REQUIRE(!frames.empty());
  CHECK(frames.back() == RuntimeFrame{.function = "(module)", .file = node.script(), .line = 12});
  CHECK(std::ranges::count(frames, 0, &RuntimeFrame::line) > 0);
}

TEST_CASE("texts of all kinds become names") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(const fs = require('fs');
const wide = { '\u03b1\u{1f600}': () => fs.readSync(0, Buffer.alloc(1)) };
const many = Array.from({ length: 80 }, (_, i) => 'a' + i);
const source = `(function named(f) { let ${many.join(', ')};
  const use = () => [${many.join(', ')}];
  return f(); })`;
eval(source)(() => wide['\u03b1\u{1f600}']());
)");
  const auto texts = texts_of(node);
  REQUIRE(texts.size() > 4);
  CHECK(texts[1] == "\xce\xb1\xf0\x9f\x98\x80:2");
  CHECK(texts[2] == "(anonymous):7");
  CHECK(texts[3] == "named:3");
  CHECK(texts[4] == "(module):7");
}

TEST_CASE("a Node that waits for its event loop shows no frames of earlier calls") {
  SKIP_IF(no_program("node"));
  NodeProcess node({}, R"(const fs = require('fs');
function deep(n) { return n > 0 ? deep(n - 1) + 1 : fs.fstatSync(0).size; }
deep(200);
const timer = setTimeout(() => {}, 1e8);
setImmediate(() => { deep(100); console.log(fs.readdirSync('/proc/self/fd').length); });
)");
  node.line();
  const ThreadPosition thread = node.wait_for_events();
  const auto runtime = node.runtime();
  REQUIRE(runtime);
  CHECK(runtime->frames(thread).empty());
}

TEST_CASE("the sockets of Node's event loop have the objects that wait for them") {
  SKIP_IF(no_program("node"));
  NodeProcess node({},
                   R"(const net = require('net'), http = require('http'), https = require('https');
const server = net.createServer({ pauseOnConnect: true }, () => {});
server.listen(0, '127.0.0.1', () => {
  const port = server.address().port;
  const request = http.get({ port, host: '127.0.0.1', path: '/orders?secret=1' });
  request.on('finish', () => {
    const plain = net.connect(port, '127.0.0.1', () => {
      const paused = net.connect(port, '127.0.0.1', () => {
        paused.pause();
        paused._handle.readStop();
        const secure = https.get({ port, host: '127.0.0.1', path: '/secure' });
        secure.on('socket', socket => socket.on('connect', () =>
          console.log(JSON.stringify([server, request.socket, plain, paused, socket]
            .map(each => each._handle.fd)))));
      });
    });
  });
});
)");
  const auto descriptors = nlohmann::json::parse(node.line());
  node.wait_for_events();
  const auto runtime = node.runtime();
  REQUIRE(runtime);
  std::map<int, std::string> names;
  for (const RuntimeTask& task : runtime->tasks()) {
    CHECK(task.call == "read");
    names[task.descriptor] = task.name;
  }
  CHECK(names[descriptors[0]] == "Server");
  CHECK(names[descriptors[1]] == "ClientRequest GET http://127.0.0.1/orders");
  CHECK(names[descriptors[2]] == "Socket");
  CHECK_FALSE(names.contains(descriptors[3]));
  CHECK(names[descriptors[4]] == "ClientRequest GET https://127.0.0.1/secure");
}
