// What the process that started a run tells it while it goes on, a word and a text a line: the
// other way than RunChannel. The run hears it on its own loop. One thread on either side.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/file_descriptor.hh"
#include "scenarios/engine/lab/pipe_reader.hh"
#include "scenarios/engine/suite/message_lines.hh"

namespace tcplab::engine {

/// Both ends of a control; the run's process keeps `hears`, the other one `says`.
struct ControlEnds {
  base::FileDescriptor says;
  base::FileDescriptor hears;
};
ControlEnds make_control();

class RunControl {
public:
  explicit RunControl(base::FileDescriptor says) : says_(std::move(says)) {}

  /// Nothing happens when the run has ended, or after close(). Blocks while the run does not
  /// listen.
  void say(const std::string& what, const std::string& text = "");
  /// Nobody controls the run any more: it goes on by itself.
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

  /// What nobody is told of is left unheard.
  void on(const std::string& what, Handler handler) { handlers_[what] = std::move(handler); }
  /// Nobody is there to control the run any more.
  std::function<void()> on_end;

private:
  void take_line(std::string_view line);

  std::map<std::string, Handler> handlers_;
  LineJoiner lines_;
  PipeReader reader_;
};

}  // namespace tcplab::engine
