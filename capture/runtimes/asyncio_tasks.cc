#include "capture/runtimes/asyncio_tasks.hh"

#include <algorithm>
#include <array>
#include <utility>

namespace tcplab::capture {

namespace {

constexpr std::string_view kFuture = "_asyncio.Future";
constexpr std::string_view kTask = "_asyncio.Task";

// Modules/_asynciomodule.c, FutureObj_HEAD.
constexpr Address kFutureCallback = 24;   // fut_callback0
constexpr Address kFutureCallbacks = 40;  // fut_callbacks: the others, a list
constexpr Address kMostTaskBytes = 512;

constexpr Address kFirstMember = 16;  // of most objects
constexpr Address kSecondMember = 24;

constexpr int kMostBetween = 16;  // tasks that wait for each other
constexpr std::size_t kMostPath = 16;
constexpr std::size_t kMostFrames = 128;

/// What leads from the object that a loop calls to the one that has the future.
constexpr std::array<std::string_view, 7> kPath = {
    "_protocol",      "_app_protocol",  // of transports, and of TLS
    "_stream_reader", "_stream_reader_wr",
    "_payload",                        // aiohttp: the body of a message
    "read_event",     "write_event"};  // anyio

/// Whose timers and callbacks are known to do what they are called.
constexpr std::array<std::string_view, 4> kLibraries = {"/asyncio/", "/aiohttp/", "/anyio/",
                                                        "/async_timeout/"};

std::chrono::nanoseconds of_seconds(double seconds) {
  constexpr double kLongest = 1e9;
  const double within = std::clamp(seconds, 0.0, kLongest);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(within));
}

}  // namespace

std::vector<RuntimeTask> AsyncioTasks::of_loop(Address loop) const {
  const auto selector = objects_.attribute(loop, "_selector");
  const auto keys = selector ? objects_.attribute(*selector, "_fd_to_key") : std::nullopt;
  if (!keys) return {};
  std::vector<Waiter> all;
  std::set<Address> paths;
  for (const auto& [number, key] : objects_.entries(*keys)) {
    objects_.memory().renew();
    try {
      for (Waiter& each : waiters_of_key(key, static_cast<int>(objects_.integer(number)))) {
        paths.insert(each.path.begin(), each.path.end());
        all.push_back(std::move(each));
      }
    } catch (const UnreadableMemory&) {
      continue;  // the others are known all the same
    }
  }
  const Deadlines all_deadlines = deadlines(timers(loop), paths);
  std::vector<RuntimeTask> tasks;
  for (const Waiter& each : all) {
    objects_.memory().renew();
    tasks.push_back(task_of(each));
    set_deadline(each, all_deadlines, tasks.back());
  }
  return tasks;
}

/// A SelectorKey has the handles for reading and for writing.
std::vector<AsyncioTasks::Waiter> AsyncioTasks::waiters_of_key(Address key, int descriptor) const {
  const std::vector<Address> members = objects_.items(key);  // fileobj, fd, events, data
  if (members.size() != 4) throw UnreadableMemory("no SelectorKey");
  const std::vector<Address> handles = objects_.items(members[3]);
  std::vector<Waiter> found;
  for (std::size_t i = 0; i < handles.size() && i < 2; ++i)
    for (Waiter& waiter : waiters(handles[i], i == 1)) {
      if (std::ranges::find(found, waiter.task, &Waiter::task) != found.end()) continue;
      waiter.descriptor = descriptor;
      found.push_back(std::move(waiter));
    }
  return found;
}

/// A handle has a callback: a method of a transport, whose protocol has the future; or one of the
/// loop, which gets it as an argument.
std::vector<AsyncioTasks::Waiter> AsyncioTasks::waiters(Address handle, bool writes) const {
  std::vector<Waiter> found;
  if (!objects_.is_a(handle, "Handle")) return found;
  const auto callback = objects_.attribute(handle, "_callback");
  if (!callback || objects_.type_name(*callback) != "method") return found;
  const Address object = objects_.memory().pointer(*callback + kSecondMember);  // im_self
  std::set<Address> path;
  if (objects_.is_a(object, "_SelectorTransport")) {
    add_waiters_in(object, false, path, found);
  } else if (const auto arguments = objects_.attribute(handle, "_args");
             arguments && objects_.is_a(object, "BaseEventLoop")) {
    for (const Address argument : objects_.items(*arguments))
      if (is_future(argument)) add_waiter(argument, writes, path, found);
  }
  return found;
}

/// `writes`: whether what the object has is for writing.
void AsyncioTasks::add_waiters_in(Address object, bool writes, std::set<Address>& path,
                                  std::vector<Waiter>& found) const {
  if (objects_.is_a(object, "weakref") || objects_.is_a(object, "weakref.ReferenceType"))
    object = objects_.memory().pointer(object + kFirstMember);
  if (path.size() >= kMostPath || !path.insert(object).second) return;
  const auto attributes = objects_.attributes(object);
  const auto is_for_writing = [writes](std::string_view name) {
    return writes || name.find("drain") != std::string_view::npos ||
           name.find("write") != std::string_view::npos;
  };
  for (const auto& [name, value] : attributes)
    for (const Address future : futures_of(value))
      add_waiter(future, is_for_writing(name), path, found);
  for (const auto& [name, value] : attributes)
    if (std::ranges::find(kPath, name) != kPath.end())
      add_waiters_in(value, is_for_writing(name), path, found);
}

/// A future, or those that a deque has.
std::vector<Address> AsyncioTasks::futures_of(Address value) const {
  std::vector<Address> found;
  if (is_future(value)) return {value};
  if (!objects_.is_a(value, "collections.deque")) return found;
  for (const Address item : objects_.items(value))
    if (is_future(item)) found.push_back(item);
  return found;
}

void AsyncioTasks::add_waiter(Address future, bool writes, const std::set<Address>& path,
                              std::vector<Waiter>& found) const {
  const Address task = task_awaiting(future);
  if (task != 0) found.push_back({.task = task, .writes = writes, .path = path});
}

bool AsyncioTasks::is_future(Address object) const {
  return objects_.is_a(object, kFuture) && !objects_.is_a(object, kTask);
}

/// The task that goes on when a future or another task is done; 0 if that is not known.
Address AsyncioTasks::task_awaiting(Address future, int depth) const {
  if (depth > kMostBetween) return 0;
  const ProcessMemory& memory = objects_.memory();
  const Address first = memory.pointer(future + kFutureCallback);
  if (first == 0) return 0;
  if (const Address task = task_behind(first, depth); task != 0) return task;
  const Address others = memory.pointer(future + kFutureCallbacks);
  if (others == 0 || !objects_.is_a(others, "list")) return 0;
  for (const Address other : objects_.items(others)) {  // tuples: the callback, its context
    const std::vector<Address> members = objects_.items(other);
    if (members.empty()) continue;
    if (const Address task = task_behind(members[0], depth); task != 0) return task;
  }
  return 0;
}

Address AsyncioTasks::task_behind(Address callback, int depth) const {
  for (const Address object : objects_behind(callback)) {
    if (object == 0) continue;
    if (objects_.is_a(object, kTask)) return object;
    if (!objects_.is_a(object, kFuture)) continue;
    if (const Address task = task_awaiting(object, depth + 1); task != 0) return task;
  }
  return 0;
}

/// The objects that a callback of a future makes go on.
std::vector<Address> AsyncioTasks::objects_behind(Address callback) const {
  const ProcessMemory& memory = objects_.memory();
  const std::string type = objects_.type_name(callback);
  const auto first = [&] { return memory.pointer(callback + kFirstMember); };
  const auto second = [&] { return memory.pointer(callback + kSecondMember); };
  if (type == "TaskWakeupMethWrapper") return {first()};        // of a task, up to 3.9
  if (type == "builtin_function_or_method") return {second()};  // of a task: m_self
  if (type == "functools.partial" && is_of_library(first()))    // wait_for(), up to 3.11
    return objects_.items(second());
  if (type == "method") {  // of a TaskGroup
    const auto parent = objects_.attribute(second(), "_parent_task");
    return parent ? std::vector{*parent} : std::vector<Address>{};
  }
  if (type == "function" && is_of_library(callback)) return closure(callback);  // gather(), wait()
  return {};
}

/// What the variables of a function have that it takes from the one around it.
std::vector<Address> AsyncioTasks::closure(Address function) const {
  std::vector<Address> found;
  const ProcessMemory& memory = objects_.memory();
  const Address cells = memory.pointer(function + objects_.layout().function_closure);
  if (cells == 0) return found;
  for (const Address cell : objects_.items(cells))
    if (const Address object = memory.pointer(cell + kFirstMember); object != 0)
      found.push_back(object);
  return found;
}

std::vector<AsyncioTasks::Timer> AsyncioTasks::timers(Address loop) const {
  std::vector<Timer> found;
  const auto scheduled = objects_.attribute(loop, "_scheduled");
  if (!scheduled) return found;
  for (const Address handle : objects_.items(*scheduled)) {
    objects_.memory().renew();
    const auto callback = objects_.attribute(handle, "_callback");
    if (!callback || objects_.is_a(*callback, "NoneType")) continue;  // it was cancelled
    Timer timer;
    if (const auto due = objects_.attribute(handle, "_when"))
      timer.due = of_seconds(objects_.real(*due));
    find_purpose(handle, *callback, timer);
    found.push_back(std::move(timer));
  }
  return found;
}

/// A function of the program may do anything, with whatever it gets.
void AsyncioTasks::find_purpose(Address handle, Address callback, Timer& timer) const {
  const ProcessMemory& memory = objects_.memory();
  const bool is_method = objects_.type_name(callback) == "method";
  const Address function = is_method ? memory.pointer(callback + kFirstMember) : callback;
  if (!is_of_library(function)) return;
  if (const auto arguments = objects_.attribute(handle, "_args"))
    for (const Address argument : objects_.items(*arguments)) add_object(argument, timer);
  if (is_method) return add_owner(memory.pointer(callback + kSecondMember), timer);
  for (const Address object : closure(callback)) {
    add_object(object, timer);
    timer.owners.insert(object);
  }
}

/// By the file of its code.
bool AsyncioTasks::is_of_library(Address function) const {
  if (objects_.type_name(function) != "function") return false;
  const ProcessMemory& memory = objects_.memory();
  const Address code = memory.pointer(function + objects_.layout().function_code);
  objects_.check_type(code, objects_.types().code);
  const std::string file = objects_.text(memory.pointer(code + objects_.layout().code_file));
  return std::ranges::any_of(kLibraries, [&file](std::string_view folder) {
    return file.find(folder) != std::string::npos;
  });
}

/// An object whose method a timer calls: the time limit of a task, in asyncio, anyio or aiohttp,
/// whose TimeoutHandle calls others.
void AsyncioTasks::add_owner(Address object, Timer& timer, int depth) const {
  timer.owners.insert(object);
  for (const std::string_view name : {"_task", "_host_task"})
    if (const auto task = objects_.attribute(object, name)) add_object(*task, timer);
  const auto items_of = [&](std::string_view name) {
    const auto list = objects_.attribute(object, name);
    return list && objects_.is_a(*list, "list") ? objects_.items(*list) : std::vector<Address>{};
  };
  for (const Address task : items_of("_tasks")) add_object(task, timer);
  if (depth > 0) return;
  for (const Address callback : items_of("_callbacks")) {  // tuples: a function, its arguments
    if (!objects_.is_a(callback, "tuple")) continue;
    const std::vector<Address> members = objects_.items(callback);
    if (!members.empty() && objects_.type_name(members[0]) == "method")
      add_owner(objects_.memory().pointer(members[0] + kSecondMember), timer, depth + 1);
  }
}

void AsyncioTasks::add_object(Address object, Timer& timer) const {
  if (objects_.is_a(object, kTask)) timer.tasks.insert(object);
  if (!is_future(object)) return;
  if (const Address task = task_awaiting(object); task != 0) timer.tasks.insert(task);
}

AsyncioTasks::Deadlines AsyncioTasks::deadlines(const std::vector<Timer>& timers,
                                                const std::set<Address>& paths) {
  Deadlines found;
  const auto sooner = [](std::optional<std::chrono::nanoseconds>& than,
                         std::chrono::nanoseconds due) {
    if (!than || due < *than) than = due;
  };
  for (const Timer& timer : timers) {
    bool is_known = !timer.tasks.empty();
    for (const Address task : timer.tasks) sooner(found.by_object[task], timer.due);
    for (const Address owner : timer.owners) {
      if (!paths.contains(owner)) continue;
      sooner(found.by_object[owner], timer.due);
      is_known = true;
    }
    if (!is_known) sooner(found.of_others, timer.due);
  }
  return found;
}

/// A timer of the task, of one that waits for it, or of an object between them and the descriptor
/// ends the wait.
void AsyncioTasks::set_deadline(const Waiter& waiter, const Deadlines& deadlines,
                                RuntimeTask& task) const {
  std::set<Address> objects = waiter.path;
  for (Address each = waiter.task; each != 0 && objects.insert(each).second;)
    each = task_awaiting(each);
  for (const Address object : objects) {
    const auto found = deadlines.by_object.find(object);
    if (found == deadlines.by_object.end()) continue;
    if (!task.deadline || *found->second < *task.deadline) task.deadline = found->second;
  }
  task.other_timer = deadlines.of_others;
}

RuntimeTask AsyncioTasks::task_of(const Waiter& waiter) const {
  RuntimeTask task{.name = name_of(waiter.task),
                   .state = "await",
                   .descriptor = waiter.descriptor,
                   .call = waiter.writes ? "write" : "read",
                   .frames = frames_of(waiter.task)};
  task.deadline_setter = "a timer of its event loop";
  if (const Address outer = task_awaiting(waiter.task); outer != 0) {
    task.requester = name_of(outer);
    task.requester_frames = frames_of(outer);
  }
  return task;
}

/// Where a task has its coroutine: between the future that it awaits and its name.
Address AsyncioTasks::coroutine_place(Address task) const {
  for (Address place = task + kFirstMember; place < task + kMostTaskBytes;
       place += sizeof(Address)) {
    const Address object = objects_.memory().pointer(place);
    if (object == 0 || object % sizeof(Address) != 0) continue;
    try {
      const std::string type = objects_.type_name(object);
      if (type == "coroutine" || type == "generator") return place;
    } catch (const UnreadableMemory&) {
      continue;  // a number
    }
  }
  throw UnreadableMemory("a task without a coroutine");
}

/// From 3.12 on, a name that nobody has set is a number.
std::string AsyncioTasks::name_of(Address task) const {
  const Address name = objects_.memory().pointer(coroutine_place(task) + sizeof(Address));
  if (objects_.is_a(name, "int")) return "Task-" + std::to_string(objects_.integer(name));
  return objects_.text(name);
}

/// Innermost first.
std::vector<RuntimeFrame> AsyncioTasks::frames_of(Address task) const {
  std::vector<RuntimeFrame> frames;
  try {
    Address awaitable = objects_.memory().pointer(coroutine_place(task));
    for (std::size_t i = 0; awaitable != 0 && i < kMostFrames; ++i)
      awaitable = awaited_by(awaitable, frames);
  } catch (const UnreadableMemory&) {
    return {};
  }
  std::ranges::reverse(frames);
  return frames;
}

/// Adds the frame of a coroutine. Returns what it awaits; 0 if that is none of the language.
Address AsyncioTasks::awaited_by(Address awaitable, std::vector<RuntimeFrame>& frames) const {
  const std::string type = objects_.type_name(awaitable);
  if (type == "coroutine" || type == "generator" || type == "async_generator") {
    const Address frame = frames_.of_generator(awaitable);
    if (frame == 0) return 0;
    if (auto read = frames_.read(frame)) frames.push_back(std::move(*read));
    return frames_.awaited(frame);
  }
  constexpr std::array<std::string_view, 4> kWrappers = {
      "coroutine_wrapper", "async_generator_asend", "async_generator_athrow", "anext_awaitable"};
  if (std::ranges::find(kWrappers, type) == kWrappers.end()) return 0;
  return objects_.memory().pointer(awaitable + kFirstMember);
}

}  // namespace tcplab::capture
