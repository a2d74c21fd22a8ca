#include "scenarios/engine/script/unfinished.hh"

#include <utility>

namespace tcplab::engine {

std::uint64_t Unfinished::add(int line, std::string what) {
  if (is_ignored_) return 0;
  problems_.emplace(++newest_, Problem{line, std::move(what)});
  return newest_;
}

std::optional<Unfinished::Problem> Unfinished::first() const {
  if (problems_.empty()) return std::nullopt;
  return problems_.begin()->second;
}

}  // namespace tcplab::engine
