// Copies standard input to a connected socket, and the socket to standard output, with poll(2) and
// one call after another.
//
// It never spins, although poll(2) reports ERR, HUP and the end of a stream forever. After the end
// of the stream it requests no events of the socket. After it has handled ERR or HUP, the socket's
// fd in the poll set becomes -1, which poll(2) ignores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "dnc/calls/calls.hh"
#include "dnc/log/console.hh"
#include "dnc/netcat/options.hh"

namespace tcplab::dnc {

/// The state of standard input. It outlives a connection: with -k the next connection reads on.
struct StandardInput {
  bool open = true;
};

/// Why an exchange ended. Its errors are already printed on stderr.
enum class Ending { finished, idle, error, stdout_failed };

class Exchange : Stateful {
public:
  Exchange(const Options& options, Recorder& recorder, int socket, StandardInput& input);

  Ending run();

private:
  void describe_state(ArgumentText& into) const override;

  /// What poll(2) watches the socket for.
  enum class Watch {
    data,    // data to read
    errors,  // only ERR and HUP: the stream has ended
    none,    // nothing: ERR or HUP has been handled
  };
  using Done = std::optional<Ending>;  // nullopt: the exchange goes on

  PollSet poll_set() const;
  bool has_ended_both_ways() const;
  PollTimeout time_left() const;
  void note_if_only_a_signal_can_end(const PollSet& set);
  Done handle(const PollSet& set, int ready);

  Done serve_stdin();
  Done stdin_has_ended();
  Done write_pending();
  Done write_failed(int error);

  Done serve_socket(int revents);
  Done read_socket(int revents);
  Done read_failed(int error, int revents);
  Done stream_has_ended(int revents);
  void handle_error_event(int revents);
  Done write_to_stdout(std::string_view bytes);
  Done carry_out(AtEnd action);

  const Options& options_;
  Recorder& recorder_;
  Calls calls_;
  int socket_;
  StandardInput& input_;

  Watch watch_ = Watch::data;
  Readiness input_readiness_;
  Readiness output_readiness_;
  bool end_acted_on_ = false;
  bool read_has_failed_ = false;
  bool pausing_ = false;
  std::string remote_;          // for describe_state()
  std::vector<char> buffer_;    // data read from the socket
  std::vector<char> outgoing_;  // data read from standard input
  std::string_view pending_;    // the part of outgoing_ that is not yet written
  std::optional<base::Instant> quit_at_;
};

}  // namespace tcplab::dnc
