#include "dnc/repl/repl_sockets.hh"

#include <algorithm>

#include "base/error.hh"

namespace tcplab::dnc {

int ReplSockets::selected() const {
  if (all_.empty()) throw base::UsageError("there is no socket; use 'socket' first");
  return all_.back();
}

bool ReplSockets::has(int fd) const { return std::ranges::find(all_, fd) != all_.end(); }

void ReplSockets::add(int fd) {
  std::erase(all_, fd);  // `use` may have selected this number while it was closed
  all_.push_back(fd);
  select_last();
}

void ReplSockets::remove(int fd) {
  std::erase(all_, fd);
  select_last();
}

}  // namespace tcplab::dnc
