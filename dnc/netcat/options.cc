#include "dnc/netcat/options.hh"

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <map>

#include "base/error.hh"
#include "dnc/calls/duration.hh"

namespace tcplab::dnc {

namespace {

using std::chrono::milliseconds;

/// What the options say together, before it is known that they agree.
struct Draft {
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
             throw base::UsageError(names + ": '" + text + "' is not one of " + list);
           into = found->second;
         },
         help)
      ->type_name(list);
}

/// CLI::Range without its description, which would be in the help beside the unit.
template <typename Number>
CLI::Validator between(Number least, Number most) {
  CLI::Validator range = CLI::Range(least, most);
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
      ->type_name(unit == std::chrono::seconds(1) ? "SECONDS" : "MS");
}

void add_errnos(CLI::App& app, const std::string& name, std::vector<int>& into,
                const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [name, &into](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const int number = base::errno_number(text);
             if (number == 0)
               throw base::UsageError(name + ": '" + text + "' is not an error; see errno(3)");
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
    throw base::UsageError("--keepalive: '" + text + "' is not between 1 and 32767");
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

void add_connection_options(CLI::App& app, Draft& draft) {
  Options& options = draft.options;
  app.option_defaults()->group("Connections");
  app.add_option("address", draft.words, "HOST PORT to connect to; with -l: [HOST] PORT")
      ->type_name("HOST PORT");
  app.add_flag("-l,--listen", options.listen, "Wait for a connection");
  app.add_option("-p,--port", options.source_port,
                 "With -l the port to listen on, else the port to connect from")
      ->type_name("PORT");
  app.add_option("-s,--source,--bind", options.source_address, "The address to bind to")
      ->type_name("ADDRESS");
  app.add_flag("-4,--ipv4", draft.ipv4, "IPv4 only");
  app.add_flag("-6,--ipv6", draft.ipv6, "IPv6 only");
  app.add_flag("-n,--numeric", options.numeric, "Do not look names up");
  app.add_flag("-k,--keep-listening", options.keep_listening,
               "Wait for the next connection when one is done");
  app.add_flag("--no-accept", options.no_accept, "Listen, but never accept");
  add_duration(app, "-w,--timeout,--connect-timeout", options.timeout,
               "Give up connecting after this; be done when idle for this long");
}

void add_stream_options(CLI::App& app, Draft& draft) {
  Options& options = draft.options;
  app.option_defaults()->group("Streams");
  add_choice(app, "--on-eof", options.on_eof, "When the socket's stream ends (default keep)",
             kAtEnd);
  add_choice(app, "--on-stdin-eof", options.on_stdin_eof, "When standard input ends (default keep)",
             kAtEnd);
  add_choice<OnError>(app, "--on-error", options.on_error,
                      "When read or write fails on the socket (default exit)",
                      {{"exit", OnError::exit}, {"keep", OnError::keep}});
  app.add_flag("--nc", draft.nc,
               "As the article's nc: close and exit at the socket's end, backlog 1");
  app.add_flag("-N", draft.shut_down_at_stdin_eof, "--on-stdin-eof shutdown");
  add_duration(app, "-q", options.quit_after,
               "Exit this long after standard input's end; implies -N");
  app.add_flag("-d,--no-stdin", options.no_stdin, "Do not read standard input");
  app.add_flag("--never-read", options.never_read, "Never read from the socket");
  app.add_option("-b,--read-size", options.read_size, "Bytes asked for by each read")
      ->check(between(std::size_t{1}, std::size_t{1} << 30))
      ->type_name("BYTES")
      ->capture_default_str();
  app.add_flag("--ignore-sigpipe", options.ignore_sigpipe,
               "See EPIPE from write instead of dying of SIGPIPE");
  app.add_flag("--repl", options.repl, "Read commands: one command, one system call");
}

void add_socket_options(CLI::App& app, SocketSettings& settings) {
  app.option_defaults()->group("Socket options");
  app.add_option("--backlog", settings.backlog, "listen(2)'s backlog")
      ->check(between(0, INT_MAX))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--reuse-address,!--no-reuse-address", settings.reuse_address,
               "SO_REUSEADDR on a listener (default on, as nc)");
  app.add_flag("--no-delay", settings.no_delay, "TCP_NODELAY");
  app.add_flag("--nonblocking", settings.non_blocking, "O_NONBLOCK on the socket");
  add_count(app, "-O,--sndbuf", settings.send_buffer, "SO_SNDBUF", "BYTES");
  add_count(app, "-I,--rcvbuf", settings.receive_buffer, "SO_RCVBUF", "BYTES");
  add_count(app, "--linger", settings.linger, "SO_LINGER {1, SECONDS}; 0: close sends RST",
            "SECONDS");
  app.add_option_function<std::string>(
         "--keepalive",
         [&settings](const std::string& text) { settings.keepalive = parse_keepalive(text); },
         "SO_KEEPALIVE, and its seconds; a part left empty is the system's")
      ->type_name("IDLE/INTERVAL/COUNT");
  add_duration(app, "--user-timeout", settings.user_timeout,
               "TCP_USER_TIMEOUT, milliseconds, or with a unit", std::chrono::milliseconds(1));
}

void add_recording_options(CLI::App& app, Recording& recording) {
  app.option_defaults()->group("The record");
  add_choice<LogFormat>(
      app, "--log-format", recording.format, "The record of calls on stderr (default text)",
      {{"text", LogFormat::text}, {"truss", LogFormat::truss}, {"json", LogFormat::json}});
  app.add_option("--log-file", recording.log_file, "The record goes there instead")
      ->type_name("PATH");
  app.add_flag("--quiet", recording.quiet, "No record for people");
  app.add_option("--events", recording.events, "Also as JSON Lines to this descriptor")
      ->type_name("FD")
      ->check(between(0, INT_MAX));
  add_errnos(app, "--abort-on", recording.traps.abort_on,
             "abort(3), for a core, at the call that fails so; may be repeated");
  add_errnos(app, "--stop-on", recording.traps.stop_on,
             "Stop (SIGSTOP), for a debugger, at the call that fails so; may be repeated");
}

void place_address(Draft& draft) {
  Options& options = draft.options;
  auto words = draft.words;
  if (words.size() > 2) throw base::UsageError("too many arguments: '" + words[2] + "'");
  const bool port_by_option = options.listen && !options.source_port.empty();
  if (port_by_option) words.push_back(std::exchange(options.source_port, ""));
  if (words.size() > 2) throw base::UsageError("two ports to listen on");
  if (words.size() == 2 && options.listen && !options.source_address.empty())
    throw base::UsageError("two addresses to listen on");
  if (!words.empty()) options.port = words.back();
  if (words.size() == 2) options.host = words.front();
  if (options.listen && options.host.empty())
    options.host = std::exchange(options.source_address, "");
}

void refuse_missing_address(const Options& options) {
  if (options.listen && options.port.empty())
    throw base::UsageError("-l needs a port to listen on");
  if (options.listen || (options.repl && options.port.empty())) return;
  if (options.host.empty() || options.port.empty())
    throw base::UsageError("HOST and PORT are needed (or -l PORT, or --repl)");
}

void refuse_contradictions(const Draft& draft) {
  const Options& options = draft.options;
  if (draft.ipv4 && draft.ipv6) throw base::UsageError("-4 and -6 exclude each other");
  if (options.keep_listening && !options.listen) throw base::UsageError("-k needs -l");
  if (options.no_accept && !options.listen) throw base::UsageError("--no-accept needs -l");
  if (options.repl && options.no_stdin) throw base::UsageError("--repl reads standard input");
  const bool stderr_only = options.recording.quiet && !options.recording.log_file.empty();
  if (stderr_only) throw base::UsageError("--quiet and --log-file exclude each other");
}

class Help : public CLI::Formatter {
public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: dnc [OPTIONS] HOST PORT\n"
           "       dnc [OPTIONS] -l [HOST] PORT\n"
           "       dnc [OPTIONS] --repl [...]\n";
  }
  std::string make_positionals(const CLI::App*) const override { return ""; }
};

// Spellings that stand for several options, where those were not given themselves.
void apply_shorthands(const CLI::App& app, Draft& draft) {
  Options& options = draft.options;
  if (draft.ipv4) options.family = base::Family::ipv4;
  if (draft.ipv6) options.family = base::Family::ipv6;
  const bool shuts_down = draft.shut_down_at_stdin_eof || options.quit_after.has_value();
  if (shuts_down && app.count("--on-stdin-eof") == 0) options.on_stdin_eof = AtEnd::shutdown;
  if (!draft.nc) return;
  if (app.count("--on-eof") == 0) options.on_eof = AtEnd::close;
  if (app.count("--backlog") == 0) options.settings.backlog = 1;
}

}  // namespace

Options parse_options(int argc, const char* const* argv, const std::string& version) {
  Draft draft;
  CLI::App app(
      "dnc: a netcat for watching TCP fail. It makes one system call at a time, says\n"
      "which, and says what the kernel answered.",
      "dnc");
  app.formatter(std::make_shared<Help>());
  app.get_help_ptr()->group("Other");
  app.set_version_flag("--version", "dnc " + version)->group("Other");
  add_connection_options(app, draft);
  add_stream_options(app, draft);
  add_socket_options(app, draft.options.settings);
  add_recording_options(app, draft.options.recording);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw HelpAsked{app.help()};
  } catch (const CLI::CallForVersion& version_asked) {
    throw HelpAsked{version_asked.what() + std::string("\n")};
  } catch (const CLI::ParseError& wrong) {
    throw base::UsageError(wrong.what());
  }
  place_address(draft);
  refuse_contradictions(draft);
  refuse_missing_address(draft.options);
  apply_shorthands(app, draft);
  return std::move(draft.options);
}

}  // namespace tcplab::dnc
