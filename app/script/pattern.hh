// A pattern selects the events that an expectation waits for. It holds only the fields that the
// script names, distinguishes a match from a near miss, and can describe itself.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "lab/frames/frame_record.hh"
#include "lab/programs/connection_table.hh"
#include "lab/wire/frame_filter.hh"

namespace tcplab::app {

enum class Match : std::uint8_t { no, near, yes };

class Pattern {
public:
  virtual ~Pattern() = default;
  virtual Match look(const capture::Event& event) const = 0;
  virtual std::string describe() const = 0;
};

/// Returns the name. Throws base::UsageError if dnc records no such call.
const std::string& known_call(const std::string& name);
/// The names of all calls that are recorded, of dnc or of traced programs, in order.
std::vector<std::string> call_names();

/// True if `wanted` is among the arguments of a call, as the timeline shows them. Both are split
/// into words at spaces and at the characters ,|={}; the words of `wanted` must follow one another
/// there. So "TCP_USER_TIMEOUT" is in "TCP_USER_TIMEOUT = 5000", but "TCP_USER" is not.
bool has_argument(const std::string& arguments, const std::string& wanted);

/// Selects the calls on one connection; every call if `has` is empty.
struct OnConnection {
  std::string name{};  // for people: "10.0.0.1:40000 > 10.0.0.2:8080"
  /// Whether the call, or its result for this descriptor, is about the connection.
  std::function<bool(const capture::Event& call, int descriptor)> has{};
};

/// A call of a program that has returned or, with `entered`, that has begun. Calls on the socket
/// match, unless `standard_stream` is set.
struct CallPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  std::string call;
  bool is_traced = false;              // `call` may name a family: see is_of_family()
  std::optional<int> standard_stream;  // its descriptor; empty for the socket
  std::vector<std::string> arguments;  // each must be among the call's; see has_argument()
  bool entered = false;
  std::optional<std::int64_t> result;
  std::optional<int> error;     // of a call that failed; for SO_ERROR the value
  std::optional<int> revents;   // exactly these, POLLIN and so on
  bool has_waited = false;      // its timeout is longer than 0
  std::optional<int> woken_by;  // at least these, of any one descriptor
  std::optional<std::string> data;
  capture::StoredValue value;  // of getsockopt, ioctl; empty for any
  OnConnection connection;

private:
  bool arguments_match(const capture::Call& seen) const;
  bool values_match(const capture::Event& event, const capture::Call& seen) const;
  bool wakes_with(const capture::Event& event, const capture::Call& seen) const;
  bool is_of_that_stream(const capture::Call& seen) const;
  bool is_on_connection(const capture::Event& event, const capture::Call& seen) const;
};

/// A connection enters a state. `owns` says which connections count.
struct StatePattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string subject;                  // "kang's dnc"
  std::optional<capture::TcpState> to;  // empty for any change
  std::function<bool(const lab::ConnectionKey&)> owns;
};

/// A frame that matches a filter. `find_frame` finds a frame by its number; null if it is too old.
struct PacketPattern : Pattern {
  explicit PacketPattern(lab::FrameFilter picked) : filter(std::move(picked)) {}
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  lab::FrameFilter filter;
  std::optional<capture::Fate> fate;
  std::function<const lab::KeptFrame*(std::uint64_t)> find_frame;
};

/// A program ends, or writes something.
struct ProgramPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  std::string program;
  capture::ProgramChange change = capture::ProgramChange::exited;
  bool any_end = false;  // it exits, or a signal ends it
  std::optional<int> code;
  std::optional<std::string> text;  // wrote: contains it
};

/// A kernel event of a host. `owns` says of which connections.
struct KernelPattern : Pattern {
  Match look(const capture::Event& event) const override;
  std::string describe() const override;

  std::string host;
  capture::KernelAction what = capture::KernelAction::drop;
  std::optional<std::string> reason;  // or the error's name
  std::function<bool(const lab::ConnectionKey&)> owns;
};

/// Describes an event in one line: "read(3) = -1 ECONNRESET", "ESTABLISHED -> CLOSE_WAIT".
std::string describe(const capture::Event& event);

}  // namespace tcplab::app
