// The tasks of asyncio, and what each awaits. A thread that runs an event loop waits in it for the
// descriptors of all tasks. A task that waits for data awaits a future, which belongs to the object
// that the loop calls when its descriptor is ready: a stream, or a call such as sock_recv().
//
// Lib/asyncio/selector_events.py, streams.py and locks.py, and Modules/_asynciomodule.c, are what
// this knows. Other event loops, such as uvloop, have no tasks here; protocols that keep their
// futures in C (asyncpg) neither.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "capture/runtimes/python_frames.hh"
#include "capture/runtimes/python_objects.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

class AsyncioTasks {
public:
  AsyncioTasks(const PythonObjects& objects, const PythonFrames& frames)
      : objects_(objects), frames_(frames) {}

  /// Returns the tasks that wait for a descriptor of a loop: the object `self` of
  /// BaseEventLoop._run_once.
  std::vector<RuntimeTask> of_loop(Address loop) const;

private:
  /// Who waits for a descriptor, and the objects between: a timer of theirs ends the wait, too.
  struct Waiter {
    Address task = 0;
    int descriptor = -1;
    bool writes = false;
    std::set<Address> path{};
  };
  struct Timer {
    std::chrono::nanoseconds due{};
    std::set<Address> tasks{};   // that it ends a wait of
    std::set<Address> owners{};  // the objects that it calls
  };
  /// When the next timer of a task or another object is due.
  struct Deadlines {
    std::map<Address, std::optional<std::chrono::nanoseconds>> by_object{};
    std::optional<std::chrono::nanoseconds> of_others{};  // a timer of unknown purpose
  };

  std::vector<Waiter> waiters_of_key(Address key, int descriptor) const;
  std::vector<Waiter> waiters(Address handle, bool writes) const;
  void add_waiter(Address future, bool writes, const std::set<Address>& path,
                  std::vector<Waiter>& found) const;
  void add_waiters_in(Address object, bool writes, std::set<Address>& path,
                      std::vector<Waiter>& found) const;
  std::vector<Address> futures_of(Address value) const;
  bool is_future(Address object) const;
  Address task_awaiting(Address future, int depth = 0) const;
  Address task_behind(Address callback, int depth) const;
  std::vector<Address> objects_behind(Address callback) const;
  std::vector<Address> closure(Address function) const;
  bool is_of_library(Address function) const;
  std::vector<Timer> timers(Address loop) const;
  /// `paths`: the objects between all tasks and their descriptors.
  static Deadlines deadlines(const std::vector<Timer>& timers, const std::set<Address>& paths);
  void find_purpose(Address handle, Address callback, Timer& timer) const;
  void add_owner(Address object, Timer& timer, int depth = 0) const;
  void add_object(Address object, Timer& timer) const;
  void set_deadline(const Waiter& waiter, const Deadlines& deadlines, RuntimeTask& task) const;
  RuntimeTask task_of(const Waiter& waiter) const;
  std::string name_of(Address task) const;
  std::vector<RuntimeFrame> frames_of(Address task) const;
  Address coroutine_place(Address task) const;
  Address awaited_by(Address awaitable, std::vector<RuntimeFrame>& frames) const;

  const PythonObjects& objects_;
  const PythonFrames& frames_;
};

}  // namespace tcplab::capture
