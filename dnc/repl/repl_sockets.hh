// The sockets of the REPL: all descriptors that a call or `use` gave it. One is selected.
#pragma once

#include <atomic>
#include <span>
#include <vector>

namespace tcplab::dnc {

class ReplSockets {
public:
  /// Returns the selected socket, which commands act on. Throws base::UsageError if there is none.
  int selected() const;
  /// The same, for a signal handler; -1 if there is none.
  int selected_now() const { return selected_.load(); }

  bool are_none() const { return all_.empty(); }
  bool has(int fd) const;
  std::span<const int> all() const { return all_; }

  /// Adds a descriptor, if it is new, and selects it.
  void add(int fd);
  /// Removes a descriptor, and selects the one that was added last.
  void remove(int fd);

private:
  void select_last() { selected_ = all_.empty() ? -1 : all_.back(); }

  std::vector<int> all_;  // the last is selected
  std::atomic<int> selected_ = -1;
};

}  // namespace tcplab::dnc
