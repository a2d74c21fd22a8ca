#include "app/suite/run_control.hh"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "base/error.hh"

namespace tcplab::app {

ControlEnds make_control() {
  std::array<int, 2> ends{};
  base::check("make a control socket for a run",
              ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

/// Uses a socket instead of a pipe, because MSG_NOSIGNAL prevents SIGPIPE after the run has ended.
void RunControl::say(const std::string& what, const std::string& text) {
  if (!says_) return;
  const std::string line = message_line({what, text});
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t size = ::send(says_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) return close();
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
}

RunControlListener::RunControlListener(boost::asio::io_context& loop, base::FileDescriptor hears)
    : reader_(loop, std::move(hears), [this](std::string_view text) {
        lines_.take(text, [this](std::string_view line) { take_line(line); });
      }) {
  reader_.on_end = [this] {
    if (on_end) on_end();
  };
}

void RunControlListener::take_line(std::string_view line) {
  const RunMessage message = parse_message(line);
  const auto found = handlers_.find(message.what);
  if (found != handlers_.end()) found->second(message.text);
}

}  // namespace tcplab::app
