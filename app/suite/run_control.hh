// The socket from the process that started a run to the run: the opposite direction of RunChannel.
// The run reads the messages in its event loop. Each side has one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "app/suite/message_lines.hh"
#include "base/file_descriptor.hh"
#include "lab/programs/pipe_reader.hh"

namespace tcplab::app {

/// Both ends of the socket: the run's process keeps `hears`, the other process `says`.
struct ControlEnds {
  base::FileDescriptor says;
  base::FileDescriptor hears;
};
ControlEnds make_control();

class RunControl {
public:
  explicit RunControl(base::FileDescriptor says) : says_(std::move(says)) {}

  /// Sends a message. Does nothing after the run has ended or after close(). Blocks while the
  /// socket is full.
  void say(const std::string& what, const std::string& text = "");
  /// Closes the socket. The run continues without control.
  void close() { says_.reset(); }

private:
  base::FileDescriptor says_;
};

class RunControlListener {
public:
  using Handler = std::function<void(const std::string& text)>;

  RunControlListener(boost::asio::io_context& loop, base::FileDescriptor hears);
  RunControlListener(const RunControlListener&) = delete;
  RunControlListener& operator=(const RunControlListener&) = delete;

  /// Sets the handler of a message. Messages without a handler are ignored.
  void on(const std::string& what, Handler handler) { handlers_[what] = std::move(handler); }
  /// Called when the other side closes the socket.
  std::function<void()> on_end;

private:
  void take_line(std::string_view line);

  std::map<std::string, Handler> handlers_;
  LineJoiner lines_;
  lab::PipeReader reader_;
};

}  // namespace tcplab::app
