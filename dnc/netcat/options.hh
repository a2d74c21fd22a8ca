// What the command line asked for, as plain values, checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "dnc/calls/recorder.hh"

namespace tcplab::dnc {

/// What to do at an end of stream: the socket's (the peer sent FIN), or standard input's.
enum class AtEnd {
  keep,      // nothing: the socket stays as it is
  shutdown,  // shutdown(SHUT_WR): send FIN, keep receiving
  close,     // close(2), and be done with the connection
};

/// What to do when read or write on the socket fails.
enum class OnError { exit, keep };

enum class LogFormat { text, truss, json };

struct Keepalive {  // tcp(7): TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT; nothing: the system's
  std::optional<int> idle;  // seconds
  std::optional<int> interval;
  std::optional<int> count;
};

/// Options of a socket; nothing leaves the system's default.
struct SocketSettings {
  bool reuse_address = true;  // listeners, as nc does
  bool no_delay = false;
  bool non_blocking = false;
  int backlog = 128;
  std::optional<int> send_buffer;     // bytes
  std::optional<int> receive_buffer;  // bytes
  std::optional<int> linger;          // seconds
  std::optional<Keepalive> keepalive;
  std::optional<std::chrono::milliseconds> user_timeout;
};

struct Recording {
  LogFormat format = LogFormat::text;
  bool quiet = false;
  std::string log_file;       // empty: stderr
  std::optional<int> events;  // a descriptor for JSON Lines
  Traps traps;
};

struct Options {
  bool listen = false;
  bool repl = false;
  std::string host;  // empty: none given
  std::string port;
  std::string source_address;
  std::string source_port;
  std::optional<base::Family> family;
  bool numeric = false;
  bool keep_listening = false;
  bool no_accept = false;

  AtEnd on_eof = AtEnd::keep;
  AtEnd on_stdin_eof = AtEnd::keep;
  OnError on_error = OnError::exit;
  std::optional<std::chrono::milliseconds> quit_after;  // this long after standard input's end
  std::optional<std::chrono::milliseconds> timeout;     // to connect, and when idle
  bool no_stdin = false;
  bool never_read = false;
  bool ignore_sigpipe = false;
  // With a quarter of it four tenths of a bulk sender's time go into waking the receiver.
  std::size_t read_size = 262144;

  SocketSettings settings;
  Recording recording;

  /// A HOST or a PORT was given, so there is a connection to make or to wait for.
  bool has_address() const { return !port.empty(); }
};

/// Parses a command line. What the user asked to be shown (--help, --version) and what is wrong
/// are both exceptions: HelpAsked with the text, base::UsageError with one line.
Options parse_options(int argc, const char* const* argv, const std::string& version);

struct HelpAsked {
  std::string text;
};

}  // namespace tcplab::dnc
