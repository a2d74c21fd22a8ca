#include "dnc/log/text_log.hh"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::dnc {

namespace {

std::string_view role(int fd) {
  switch (fd) {
    case STDIN_FILENO:
      return "stdin";
    case STDOUT_FILENO:
      return "stdout";
    default:
      return "socket";
  }
}

std::string error_text(int error) {
  return fmt::format("{} ({})", base::errno_name(error), std::strerror(error));
}

std::string describe_poll(const CallRecord& record) {
  if (record.result == 0) return "poll returned 0: timed out";
  ArgumentText names;
  const auto stdin_names = poll_events(record.stdin_revents, names);
  const auto socket_names = poll_events(record.revents, names);
  return fmt::format("poll returned events {:#x}/{:#x} ({}/{})", record.stdin_revents,
                     record.revents, stdin_names, socket_names);
}

std::string describe_read(const CallRecord& record) {
  const auto from = role(record.fd);
  if (record.result > 0)
    return fmt::format("read {} bytes from {}: {}", record.result, from,
                       base::c_quote(record.data));
  // A read of 0 bytes returns 0 even if the stream has not ended.
  if (record.arguments.view().starts_with('0')) return fmt::format("read 0 bytes from {}", from);
  return fmt::format("read end-of-stream from {0}\nread 0 bytes from {0}", from);
}

std::string describe_write(const CallRecord& record) {
  const auto asked = static_cast<std::int64_t>(record.data.size());
  if (record.result == asked) return fmt::format("wrote {} bytes to {}", asked, role(record.fd));
  return fmt::format("wrote {} of {} bytes to {}: a short write", record.result, asked,
                     role(record.fd));
}

std::string describe_connection(const CallRecord& record, std::string_view verb) {
  if (!record.local || !record.remote) return std::string(verb);
  return fmt::format("{}: {} to {}", verb, record.local->to_string(), record.remote->to_string());
}

/// "TCP_MAXSEG = 1448"
std::string with_stored(const CallRecord& record) {
  const std::string_view text = record.stored.text;
  return fmt::format("{}{}{}", record.arguments.view(), text.empty() ? "" : " = ", text);
}

std::string describe_getsockopt(const CallRecord& record) {
  if (!record.option) return "getsockopt: " + with_stored(record);
  if (*record.option == 0) return "SO_ERROR is 0";
  return "SO_ERROR is " + error_text(*record.option);
}

std::string describe_failure(const CallRecord& record) {
  if (record.call == "read" || record.call == "recv")
    return fmt::format("{} from {} failed: {}", record.call, role(record.fd),
                       error_text(record.error));
  if (record.call == "write" || record.call == "send")
    return fmt::format("{} to {} failed: {}", record.call, role(record.fd),
                       error_text(record.error));
  // The connection is being made (connect(2)): poll(2) reports its end.
  if (record.call == "connect" && record.error == EINPROGRESS)
    return "connect has not finished yet: " + error_text(record.error);
  return fmt::format("{} failed: {}", record.call, error_text(record.error));
}

struct Phrase {
  std::string_view call;
  std::string (*enter)(const CallRecord&, std::string_view origin);
  std::string (*leave)(const CallRecord&);
};

std::string enter_generic(const CallRecord& record, std::string_view) {
  const auto arguments = record.arguments.view();
  if (record.fd < 0) return fmt::format("calling {}({})", record.call, arguments);
  return fmt::format("calling {}({}{}{})", record.call, record.fd, arguments.empty() ? "" : ", ",
                     arguments);
}

std::string leave_generic(const CallRecord& record) {
  return fmt::format("{} returned {}", record.call, record.result);
}

std::string enter_read(const CallRecord& record, std::string_view) {
  return fmt::format("reading from {}", role(record.fd));
}

std::string enter_write(const CallRecord& record, std::string_view origin) {
  if (record.fd == STDOUT_FILENO) origin = " read from socket";
  return fmt::format("writing {} bytes{} to {}", record.data.size(), origin, role(record.fd));
}

std::string leave_connect(const CallRecord& record) {
  return describe_connection(record, "connected");
}

std::string leave_accept(const CallRecord& record) {
  return describe_connection(record, fmt::format("accepted connection, fd {}", record.result));
}

constexpr auto kEnterPoll = [](const CallRecord&, std::string_view) -> std::string {
  return "entering poll()";
};
constexpr auto kEnterConnect = [](const CallRecord& record, std::string_view) {
  return fmt::format("establishing connection to {}", record.arguments.view());
};
constexpr auto kEnterAccept = [](const CallRecord&, std::string_view) -> std::string {
  return "waiting for a connection";
};
constexpr auto kLeaveListen = [](const CallRecord& record) -> std::string {
  return record.local ? "listening on " + record.local->to_string() : "listening";
};
constexpr auto kLeaveSocket = [](const CallRecord& record) {
  return fmt::format("created socket, fd {}", record.result);
};

constexpr auto kLeaveIoctl = [](const CallRecord& record) {
  return "ioctl: " + with_stored(record);
};

constexpr std::array<Phrase, 11> kPhrases = {{
    {"accept", kEnterAccept, leave_accept},
    {"connect", kEnterConnect, leave_connect},
    {"getsockopt", enter_generic, describe_getsockopt},
    {"ioctl", enter_generic, kLeaveIoctl},
    {"listen", enter_generic, kLeaveListen},
    {"poll", kEnterPoll, describe_poll},
    {"read", enter_read, describe_read},
    {"recv", enter_generic, describe_read},
    {"send", enter_generic, describe_write},
    {"socket", enter_generic, kLeaveSocket},
    {"write", enter_write, describe_write},
}};
constexpr Phrase kGeneric = {"", enter_generic, leave_generic};

const Phrase& phrase_for(std::string_view call) {
  const auto* const found =
      std::find_if(kPhrases.begin(), kPhrases.end(),
                   [call](const Phrase& phrase) { return phrase.call == call; });
  return found == kPhrases.end() ? kGeneric : *found;
}

}  // namespace

std::string describe_enter(const CallRecord& record, std::string_view origin) {
  return phrase_for(record.call).enter(record, origin);
}

std::string describe_leave(const CallRecord& record) {
  return record.failed() ? describe_failure(record) : phrase_for(record.call).leave(record);
}

void TextLog::enter(const CallRecord& record) {
  lines(record.entered, describe_enter(record, origin_));
}

void TextLog::leave(const CallRecord& record) { lines(record.returned, describe_leave(record)); }

void TextLog::note(std::string_view text) { lines(base::now(), text); }

void TextLog::lines(base::Instant at, std::string_view text) {
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    output_.line(at, text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  output_.line(at, text);
}

}  // namespace tcplab::dnc
