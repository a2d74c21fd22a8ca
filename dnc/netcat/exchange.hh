// One connection, from the moment that it exists to the moment that we are done with it: standard
// input to the socket, the socket to standard output, by poll(2) and one call after another.
//
// It never spins. A socket that reports ERR or HUP does so for ever, and an ended stream is
// readable for ever; so after an end the socket is asked for nothing, and after ERR or HUP has
// been looked into its poll entry becomes -1, which poll(2) ignores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "dnc/calls/calls.hh"
#include "dnc/log/console.hh"
#include "dnc/netcat/options.hh"

namespace tcplab::dnc {

/// Standard input outlives a connection: with -k the next one finds it as this one left it.
struct StandardInput {
  bool open = true;
};

/// Why we are done with a connection. Errors have been said on stderr.
enum class Ending { finished, idle, error, output_gone };

class Exchange : Stateful {
public:
  Exchange(const Options& options, Recorder& recorder, int socket, StandardInput& input);

  Ending run();

private:
  void describe_state(ArgumentText& into) const override;

  /// What is still expected from the socket.
  enum class Watch {
    data,  // it may have something to read
    end,   // its stream has ended: only ERR and HUP are news
    gone,  // ERR or HUP has been looked into: poll has nothing more to say
  };
  using Done = std::optional<Ending>;

  PollSet interests() const;
  PollTimeout time_left() const;
  void say_when_only_a_signal_is_left(const PollSet& set);
  Done handle(const PollSet& set, int ready);

  Done serve_stdin();
  Done stdin_has_ended();
  Done write_pending();
  Done write_failed(int error);

  Done serve_socket(int revents);
  Done read_socket(int revents);
  Done read_failed(int error, int revents);
  Done stream_has_ended(int revents);
  void look_into_error(int revents);
  Done pass_on(std::string_view bytes);
  Done act(AtEnd action);

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
  std::vector<char> buffer_;    // of one read
  std::vector<char> outgoing_;  // read from standard input
  std::string_view pending_;    // of that, not yet written
  std::optional<base::Instant> quit_at_;
};

}  // namespace tcplab::dnc
