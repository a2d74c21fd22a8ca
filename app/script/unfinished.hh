// The statements that a script has begun and not finished: a subject without a verb, or a condition
// that is not awaited. Neither checks anything, so a script must not end with one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tcplab::app {

class Unfinished {
public:
  struct Problem {
    int line = 0;      // of the script
    std::string what;  // what is missing, and what to write
  };

  /// Returns the number to finish it by.
  std::uint64_t add(int line, std::string what) {
    if (is_ignored_) return 0;
    problems_.emplace(++newest_, Problem{line, std::move(what)});
    return newest_;
  }
  /// Has no effect if it is finished already, or 0.
  void finish(std::uint64_t number) { problems_.erase(number); }
  /// Has no effect from now on: in a shell, a later line may finish it.
  void ignore() { is_ignored_ = true; }
  bool is_ignored() const { return is_ignored_; }

  /// Returns the oldest one; empty if there is none.
  std::optional<Problem> first() const {
    if (problems_.empty()) return std::nullopt;
    return problems_.begin()->second;
  }

private:
  std::map<std::uint64_t, Problem> problems_;
  std::uint64_t newest_ = 0;
  bool is_ignored_ = false;
};

}  // namespace tcplab::app
