// The options of the command line, parsed and checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "dnc/calls/recorder.hh"

namespace tcplab::dnc {

/// What to do when a stream ends: that of the socket (the peer sent FIN), or standard input.
enum class AtEnd {
  keep,      // do nothing: the socket stays as it is
  shutdown,  // shutdown(SHUT_WR): send FIN, keep receiving
  close,     // close(2), and end the exchange
};

/// What to do when read or write on the socket fails.
enum class OnError { exit, keep };

enum class LogFormat { text, truss, json };

/// TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_KEEPCNT (tcp(7)); nullopt keeps the system's setting.
struct Keepalive {
  std::optional<int> idle;  // seconds
  std::optional<int> interval;
  std::optional<int> count;
};

/// Options of a socket; nullopt keeps the system's default.
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

/// How data is exchanged, and what ends that.
struct ExchangeOptions {
  AtEnd on_eof = AtEnd::keep;
  AtEnd on_stdin_eof = AtEnd::keep;
  bool ends_after_both = false;  // -N, -q: exit when both streams have ended
  OnError on_error = OnError::exit;
  std::optional<std::chrono::milliseconds> quit_after;  // time from the end of standard input
  bool no_stdin = false;
  bool never_read = false;
  // With a quarter of this size a bulk sender spends 40 % of its time waking the receiver.
  std::size_t read_size = 262144;
};

struct Recording {
  LogFormat format = LogFormat::text;
  bool quiet = false;
  std::string log_file;       // empty for stderr
  std::optional<int> events;  // the descriptor for JSON Lines
  Traps traps;
};

struct Options {
  bool listen = false;
  bool repl = false;
  std::string host;  // empty if none was given
  std::string port;
  std::string source_address;
  std::string source_port;
  std::optional<base::Family> family;
  bool numeric = false;
  bool keep_listening = false;
  bool no_accept = false;
  bool only_connect = false;         // -z: connect to each port, report, close
  std::vector<std::string> ports;    // with -z: those of a range; else `port`
  bool reports_connections = false;  // -v
  bool keep_children = false;        // those of `fork` outlive dnc
  bool ignore_sigpipe = false;
  std::optional<int> stack;  // the descriptor of another TCP stack (docs/stacks.md)
  std::optional<std::chrono::milliseconds> timeout;  // of connecting, and of an idle connection
  ExchangeOptions exchange;
  SocketSettings settings;
  Recording recording;

  /// Returns true if the command line has an address, to connect to or to listen on.
  bool has_address() const { return !port.empty(); }
};

/// Thrown for --help and --version, with the text to print.
struct HelpRequest {
  std::string text;
};

/// Parses a command line. Throws HelpRequest, or base::UsageError with one line.
Options parse_options(int argc, const char* const* argv, const std::string& version);

}  // namespace tcplab::dnc
