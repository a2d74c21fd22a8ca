// What an expectation looks for among the events: a small value that knows a match from a near
// miss, holds only the fields that the script cares about, and can say what it is.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "scenarios/engine/lab/connection_table.hh"
#include "scenarios/engine/wire/frame_filter.hh"

namespace tcplab::engine {

enum class Match : std::uint8_t { no, near, yes };

class Pattern {
public:
  virtual ~Pattern() = default;
  virtual Match look(const capture::Event& event) const = 0;
  virtual std::string describe() const = 0;
};

/// The name, as dnc's record has it. Throws base::UsageError where it has no such call.
const std::string& known_call(const std::string& name);

/// A call of a program that has returned; with `entered` one that it is in. A read of standard
/// input or a write to standard output is meant only where that is said: "read" is the socket's.
struct CallPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  std::string call;
  std::optional<int> standard_stream;  // its descriptor
  bool entered = false;
  std::optional<std::int64_t> result;
  std::optional<int> error;    // of a call that failed; for SO_ERROR the value
  std::optional<int> revents;  // exactly these, POLLIN and so on
  std::optional<std::string> data;

private:
  bool values_match(const capture::Call& seen) const;
  bool is_of_that_stream(const capture::Call& seen) const;
};

/// A connection has come to a state. `owns` tells which connections are meant.
struct StatePattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string subject;                  // "kang's dnc"
  std::optional<capture::TcpState> to;  // nothing: any change
  std::function<bool(const ConnectionKey&)> owns;
};

/// A frame that a filter picks. `bytes_of` finds the frame's bytes by its number.
struct PacketPattern : Pattern {
  explicit PacketPattern(FrameFilter picked) : filter(std::move(picked)) {}
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  FrameFilter filter;
  std::optional<capture::Fate> fate;
  std::function<netns::Bytes(std::uint64_t)> bytes_of;
};

/// A program has ended, or has written something.
struct ProgramPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  capture::ProgramChange change = capture::ProgramChange::exited;
  std::optional<int> code;
  std::optional<std::string> text;  // wrote: contains it
};

/// A host's kernel has said something. `owns` tells of which connections.
struct KernelPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  capture::KernelAction what = capture::KernelAction::drop;
  std::optional<std::string> reason;  // or the error's name
  std::function<bool(const ConnectionKey&)> owns;
};

/// What was seen, in one line: "read(3) = -1 ECONNRESET", "ESTABLISHED -> CLOSE_WAIT".
std::string describe(const capture::Event& event);

}  // namespace tcplab::engine
