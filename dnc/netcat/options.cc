#include "dnc/netcat/options.hh"

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hh"
#include "base/nearest.hh"
#include "dnc/calls/duration.hh"

namespace tcplab::dnc {

namespace {

using std::chrono::milliseconds;

/// The parsed options, before the checks that concern several options.
struct ParsedOptions {
  Options options;
  std::vector<std::string> words;  // [HOST] PORT
  bool ipv4 = false;
  bool ipv6 = false;
  bool nc = false;
  bool shut_down_at_stdin_eof = false;  // -N
};

const std::map<std::string, AtEnd> kAtEnd = {
    {"keep", AtEnd::keep}, {"shutdown", AtEnd::shutdown}, {"close", AtEnd::close}};

template <typename Value>
void add_choice(CLI::App& app, const std::string& names, Value& into, const std::string& help,
                const std::map<std::string, Value>& choices) {
  std::string list;
  for (const auto& [name, value] : choices) list += (list.empty() ? "" : "|") + name;
  app.add_option_function<std::string>(
         names,
         [names, &into, choices, list](const std::string& text) {
           const auto found = choices.find(text);
           if (found == choices.end())
             throw base::UsageError(names + ": '" + text + "' is not valid; choose from " + list);
           into = found->second;
         },
         help)
      ->type_name(list);
}

/// Returns CLI::Range without the description that it would add to the help.
template <typename Number>
CLI::Validator between(Number minimum, Number maximum) {
  CLI::Validator range = CLI::Range(minimum, maximum);
  return range.description("");
}

milliseconds to_milliseconds(const std::string& names, const std::string& text,
                             std::chrono::nanoseconds unit) {
  const auto duration = parse_duration(text, unit);
  if (!duration || *duration > milliseconds(INT_MAX))
    throw base::UsageError(names + ": not a duration: '" + text + "' (write 2s, or 500ms)");
  return std::chrono::ceil<milliseconds>(*duration);
}

void add_duration(CLI::App& app, const std::string& names, std::optional<milliseconds>& into,
                  const std::string& help,
                  std::chrono::nanoseconds unit = std::chrono::seconds(1)) {
  app.add_option_function<std::string>(
         names,
         [names, &into, unit](const std::string& text) {
           into = to_milliseconds(names, text, unit);
         },
         help)
      ->type_name("DURATION");
}

void add_errnos(CLI::App& app, const std::string& name, std::vector<int>& into,
                const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [name, &into](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const int number = base::errno_number(text);
             if (number == 0)
               throw base::UsageError(name + ": '" + text +
                                      "' is not the name of an errno, "
                                      "such as EPIPE; see errno(3)");
             into.push_back(number);
           }
         },
         help)
      ->type_name("ERRNO")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::optional<int> parse_keepalive_part(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  const int number = digits && text.size() < 6 ? std::stoi(text) : 0;
  if (number < 1 || number > 32767)  // MAX_TCP_KEEPIDLE in include/net/tcp.h
    throw base::UsageError("--keepalive: '" + text + "' is not a number from 1 to 32767");
  return number;
}

Keepalive parse_keepalive(const std::string& text) {
  const auto parts = CLI::detail::split(text, '/');
  if (parts.size() > 3)
    throw base::UsageError("--keepalive: write IDLE/INTERVAL/COUNT, as in 5/3/3");
  Keepalive keepalive;
  if (!parts.empty()) keepalive.idle = parse_keepalive_part(parts[0]);
  if (parts.size() > 1) keepalive.interval = parse_keepalive_part(parts[1]);
  if (parts.size() > 2) keepalive.count = parse_keepalive_part(parts[2]);
  return keepalive;
}

void add_count(CLI::App& app, const std::string& names, std::optional<int>& into,
               const std::string& help, const std::string& unit) {
  app.add_option(names, into, help)->check(between(0, INT_MAX))->type_name(unit);
}

void add_connection_options(CLI::App& app, ParsedOptions& parsed) {
  Options& options = parsed.options;
  app.option_defaults()->group("Connections");
  app.add_option("address", parsed.words, "Connect to HOST PORT; with -l, listen on [HOST] PORT")
      ->type_name("HOST PORT");
  app.add_flag("-l,--listen", options.listen, "Wait for a connection");
  app.add_option("-p,--port", options.source_port,
                 "Listen on this port, with -l; otherwise connect from it")
      ->type_name("PORT");
  app.add_option("-s,--source,--bind", options.source_address, "Bind to this address")
      ->type_name("ADDRESS");
  app.add_flag("-4,--ipv4", parsed.ipv4, "Use IPv4 only");
  app.add_flag("-6,--ipv6", parsed.ipv6, "Use IPv6 only");
  app.add_flag("-n,--numeric", options.numeric, "Do not look up names");
  app.add_flag("-k,--keep-listening", options.keep_listening,
               "Wait for the next connection when one has ended; implies --on-eof close");
  app.add_flag("--no-accept", options.no_accept, "Listen, but never accept");
  app.add_flag("-z,--scan", options.only_connect,
               "Connect, print the result, and close; PORT may be a range: 8080-8090");
  app.add_flag("-v,--verbose", options.reports_connections,
               "Print a line about each connection, with --quiet too");
  app.add_option("--stack", options.stack,
                 "Make the calls on the TCP stack at the other end of this socket")
      ->type_name("FD")
      ->check(between(0, INT_MAX));
  add_duration(app, "-w,--timeout,--connect-timeout", options.timeout,
               "Give up connecting after this time; exit when idle this long");
}

void add_stream_options(CLI::App& app, ParsedOptions& parsed) {
  Options& options = parsed.options;
  app.option_defaults()->group("Streams");
  add_choice(app, "--on-eof", options.exchange.on_eof,
             "Choose what to do when the peer's stream ends; keep by default, close with -k",
             kAtEnd);
  add_choice(app, "--on-stdin-eof", options.exchange.on_stdin_eof,
             "Choose what to do when standard input ends; keep by default", kAtEnd);
  add_choice<OnError>(app, "--on-error", options.exchange.on_error,
                      "Choose what a failed read or write does; exit by default",
                      {{"exit", OnError::exit}, {"keep", OnError::keep}});
  app.add_flag("--nc", parsed.nc,
               "Behave like the article's nc: --on-eof close, --backlog 1 by default");
  app.add_flag("-N", parsed.shut_down_at_stdin_eof,
               "Shut down at the end of standard input, and exit when the peer's stream has ended");
  add_duration(app, "-q", options.exchange.quit_after,
               "Exit this long after standard input has ended; implies -N");
  app.add_flag("-d,--no-stdin", options.exchange.no_stdin, "Do not read standard input");
  app.add_flag("--never-read", options.exchange.never_read, "Never read from the socket");
  app.add_option("-b,--read-size", options.exchange.read_size,
                 "Ask for this many bytes in each read; " +
                     std::to_string(options.exchange.read_size) + " by default")
      ->check(between(std::size_t{1}, std::size_t{1} << 30))
      ->type_name("BYTES");
  app.add_flag("--ignore-sigpipe", options.ignore_sigpipe,
               "Ignore SIGPIPE, so that write fails with EPIPE");
  app.add_flag("--repl", options.repl,
               "Read commands from standard input; each makes one system call");
  app.add_flag("--keep-children", options.keep_children,
               "With --repl: let the children of fork live when dnc ends");
}

/// Refuses what other netcats have for UDP, Unix sockets and TLS.
void add_foreign_options(CLI::App& app) {
  app.option_defaults()->group("");  // not in the help
  const auto refuse = [&app](const std::string& names, const std::string& what) {
    app.add_flag_callback(names, [names, what] {
      throw base::UsageError(names + ": dnc is for TCP only, not for " + what +
                             "; use nc, socat or openssl s_client");
    });
  };
  refuse("-u,--udp", "UDP");
  refuse("-U,--unixsock", "Unix sockets");
  refuse("--tls,--ssl", "TLS");
  const auto explain = [&app](const std::string& names, const std::string& what) {
    app.add_flag_callback(names, [names, what] { throw base::UsageError(names + ": " + what); });
  };
  explain("-c",
          "dnc has neither TLS nor a shell for the connection; use openssl s_client, or ncat -c");
  explain("-e,--exec", "dnc starts no program for the connection; use ncat -e, or socat EXEC");
  explain("-x,-X,--proxy", "dnc uses no proxy; use nc -X, or ncat --proxy");
  explain("-i,--interval", "dnc does not wait between lines; with --repl, 'poll in 2s' waits");
  explain("-C,--crlf", "dnc sends what it reads; write \\r\\n yourself: printf 'a\\r\\n' | dnc");
  explain("--send-only", "write --never-read, and --on-stdin-eof close");
  explain("--recv-only", "write --no-stdin, and --on-eof close");
}

/// Returns "unknown option --listne; did you mean --listen?", or CLI11's own words.
std::string message_of(const CLI::App& app, const CLI::ParseError& wrong) {
  const std::vector<std::string> rest = app.remaining(true);
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&wrong) != nullptr && !rest.empty();
  if (!is_unknown) return wrong.what();
  const std::string& word = rest.front();
  if (!word.starts_with("-")) return "unexpected argument '" + word + "'";
  std::set<std::string> known;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) known.insert("--" + name);
  return "unknown option " + word + base::probable_words(known, word);
}

void add_socket_options(CLI::App& app, SocketSettings& settings) {
  app.option_defaults()->group("Socket options");
  app.add_option(
         "--backlog", settings.backlog,
         "Set the backlog of listen(2); " + std::to_string(settings.backlog) + " by default")
      ->check(between(0, INT_MAX))
      ->type_name("N");
  app.add_flag("--reuse-address,!--no-reuse-address", settings.reuse_address,
               "Set SO_REUSEADDR on a listener, or do not; set by default");
  app.add_flag("--no-delay", settings.no_delay, "Set TCP_NODELAY");
  app.add_flag("--nonblocking", settings.non_blocking, "Set O_NONBLOCK");
  add_count(app, "-O,--sndbuf", settings.send_buffer, "Set SO_SNDBUF", "BYTES");
  add_count(app, "-I,--rcvbuf", settings.receive_buffer, "Set SO_RCVBUF", "BYTES");
  add_count(app, "--linger", settings.linger, "Set SO_LINGER; with 0, close sends a RST",
            "SECONDS");
  app.add_option_function<std::string>(
         "--keepalive",
         [&settings](const std::string& text) { settings.keepalive = parse_keepalive(text); },
         "Set SO_KEEPALIVE; times are in seconds; an empty part is the default")
      ->type_name("IDLE/INTERVAL/COUNT");
  add_duration(app, "--user-timeout", settings.user_timeout,
               "Set TCP_USER_TIMEOUT; a number without a unit is in milliseconds",
               std::chrono::milliseconds(1));
}

void add_recording_options(CLI::App& app, Recording& recording) {
  app.option_defaults()->group("Logging");
  add_choice<LogFormat>(
      app, "--log-format", recording.format, "Choose the format of the log; text by default",
      {{"text", LogFormat::text}, {"truss", LogFormat::truss}, {"json", LogFormat::json}});
  app.add_option("--log-file", recording.log_file, "Write the log to this file instead of stderr")
      ->type_name("PATH");
  app.add_flag("--quiet", recording.quiet, "Write no log for people");
  app.add_option("--events", recording.events,
                 "Write the log also as JSON Lines, to this open descriptor")
      ->type_name("FD")
      ->check(between(0, INT_MAX));
  add_errnos(app, "--abort-on", recording.traps.abort_on,
             "Abort for a core file when a call fails with this errno; repeatable");
  add_errnos(app, "--stop-on", recording.traps.stop_on,
             "Stop for a debugger when a call fails with this errno; repeatable");
}

/// Returns the ports of a range such as "8080-8090"; else only the port. A name may have a hyphen,
/// such as http-alt.
std::vector<std::string> ports_of(const Options& options) {
  constexpr std::size_t kDigits = 5;
  constexpr int kHighest = 65535;
  const std::string& port = options.port;
  const auto hyphen = port.find('-');
  const std::string first = port.substr(0, hyphen);
  const std::string last = hyphen == std::string::npos ? "" : port.substr(hyphen + 1);
  if (!is_number(first) || !is_number(last)) return {port};
  if (!options.only_connect) throw base::UsageError("a range of ports needs -z: " + port);
  const bool is_short = first.size() <= kDigits && last.size() <= kDigits;
  const int from = is_short ? std::stoi(first) : 0;
  const int to = is_short ? std::stoi(last) : 0;
  if (from < 1 || to < from || to > kHighest)
    throw base::UsageError("'" + port + "' is not a range of ports from 1 to 65535");
  std::vector<std::string> ports;
  for (int one = from; one <= to; ++one) ports.push_back(std::to_string(one));
  return ports;
}

void place_address(ParsedOptions& parsed) {
  Options& options = parsed.options;
  auto words = parsed.words;
  if (words.size() > 2) throw base::UsageError("too many arguments: '" + words[2] + "'");
  const bool port_by_option = options.listen && !options.source_port.empty();
  if (port_by_option) words.push_back(std::exchange(options.source_port, ""));
  if (words.size() > 2)
    throw base::UsageError("two ports to listen on; give -p PORT or [HOST] PORT");
  if (words.size() == 2 && options.listen && !options.source_address.empty())
    throw base::UsageError("two addresses to listen on; give -s ADDRESS or HOST PORT");
  if (!words.empty()) options.port = words.back();
  if (words.size() == 2) options.host = words.front();
  options.ports = ports_of(options);
  if (options.listen && options.host.empty())
    options.host = std::exchange(options.source_address, "");
}

void check_address(const Options& options) {
  if (options.listen && options.port.empty())
    throw base::UsageError("-l needs a port to listen on: dnc -l PORT");
  if (options.listen || (options.repl && options.port.empty())) return;
  if (options.host.empty() || options.port.empty())
    throw base::UsageError("give HOST and PORT (or -l PORT, or --repl); see dnc --help");
}

void check_combinations(const ParsedOptions& parsed) {
  const Options& options = parsed.options;
  if (parsed.ipv4 && parsed.ipv6) throw base::UsageError("-4 and -6 exclude each other");
  if (options.keep_listening && !options.listen) throw base::UsageError("-k needs -l");
  if (options.only_connect && options.listen)
    throw base::UsageError("-z and -l exclude each other: -z connects");
  if (options.only_connect && options.repl)
    throw base::UsageError("-z and --repl exclude each other: -z closes each connection");
  if (options.no_accept && !options.listen) throw base::UsageError("--no-accept needs -l");
  if (options.repl && options.exchange.no_stdin)
    throw base::UsageError(
        "--repl and --no-stdin exclude each other: --repl reads commands from it");
  const bool stderr_only = options.recording.quiet && !options.recording.log_file.empty();
  if (stderr_only) throw base::UsageError("--quiet and --log-file exclude each other");
}

/// Formats the help without the parser's internals, such as "{false}" in the name of a flag.
class OptionsHelp : public CLI::Formatter {
public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: dnc [OPTIONS] HOST PORT\n"
           "       dnc [OPTIONS] -z HOST PORT[-PORT]\n"
           "       dnc [OPTIONS] -l [HOST] PORT\n"
           "       dnc [OPTIONS] --repl [[HOST] PORT]\n";
  }
  std::string make_positionals(const CLI::App*) const override { return ""; }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (const auto brace = name.find('{'); brace != std::string::npos) name.erase(brace);
    return CLI::detail::find_and_replace(name, ",", ", ");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
};

// Applies the options that stand for several others, unless those were given explicitly.
void apply_shorthands(const CLI::App& app, ParsedOptions& parsed) {
  Options& options = parsed.options;
  if (parsed.ipv4) options.family = base::Family::ipv4;
  if (parsed.ipv6) options.family = base::Family::ipv6;
  const bool shuts_down = parsed.shut_down_at_stdin_eof || options.exchange.quit_after.has_value();
  if (shuts_down && app.count("--on-stdin-eof") == 0)
    options.exchange.on_stdin_eof = AtEnd::shutdown;
  options.exchange.ends_after_both = shuts_down;
  // A kept socket would keep the next client waiting. nc, too, closes it here (readwrite()).
  const bool closes_at_eof = parsed.nc || options.keep_listening;
  if (closes_at_eof && app.count("--on-eof") == 0) options.exchange.on_eof = AtEnd::close;
  if (parsed.nc && app.count("--backlog") == 0) options.settings.backlog = 1;
}

}  // namespace

Options parse_options(int argc, const char* const* argv, const std::string& version) {
  ParsedOptions parsed;
  CLI::App app(
      "dnc is a netcat for watching TCP fail. It makes one system call at a time, and prints\n"
      "each call and the kernel's answer. A DURATION is in seconds, or has a unit: 2s, 500ms.\n",
      "dnc");
  app.formatter(std::make_shared<OptionsHelp>());
  app.set_help_flag();  // added last, so that its group comes last
  add_connection_options(app, parsed);
  add_stream_options(app, parsed);
  add_socket_options(app, parsed.options.settings);
  add_foreign_options(app);
  add_recording_options(app, parsed.options.recording);
  app.set_help_flag("-h,--help", "Print this help and exit")->group("Other options");
  app.set_version_flag("--version", "dnc " + version, "Print the version and exit")
      ->group("Other options");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw HelpRequest{app.help()};
  } catch (const CLI::CallForVersion& version_text) {
    throw HelpRequest{version_text.what() + std::string("\n")};
  } catch (const CLI::ParseError& wrong) {
    throw base::UsageError(message_of(app, wrong) + "; see dnc --help");
  }
  place_address(parsed);
  check_combinations(parsed);
  check_address(parsed.options);
  apply_shorthands(app, parsed);
  return std::move(parsed.options);
}

}  // namespace tcplab::dnc
