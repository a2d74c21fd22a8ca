#include "app/suite/run_control.hh"

#include <csignal>
#include <string>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;
using app::make_control;
using app::RunControl;
using app::RunControlListener;

namespace {

/// Collects what a run hears on its control channel, until the other end closes.
struct Heard {
  explicit Heard(base::FileDescriptor hears) : listener(loop, std::move(hears)) {
    listener.on("deliver", [this](const std::string& text) { said.push_back("deliver " + text); });
    listener.on("type", [this](const std::string& text) { said.push_back("type " + text); });
    listener.on_end = [this] { said.emplace_back("end"); };
  }

  std::vector<std::string> all() {
    loop.run();
    return said;
  }

  boost::asio::io_context loop;
  std::vector<std::string> said;
  RunControlListener listener;
};

}  // namespace

TEST_CASE("a run hears messages in order, and then the end of the channel") {
  app::ControlEnds ends = make_control();
  RunControl control(std::move(ends.says));
  control.say("type", "two\nlines, \"quoted\"");
  control.say("deliver");
  control.close();
  Heard heard(std::move(ends.hears));
  CHECK(heard.all() == std::vector<std::string>{"type two\nlines, \"quoted\"", "deliver ", "end"});
}

TEST_CASE("messages without a listener are ignored") {
  app::ControlEnds ends = make_control();
  RunControl control(std::move(ends.says));
  control.say("sing");
  control.say("deliver", "7");
  control.close();
  Heard heard(std::move(ends.hears));
  CHECK(heard.all() == std::vector<std::string>{"deliver 7", "end"});
}

TEST_CASE("writing to a run that has ended has no effect, and raises no SIGPIPE") {
  static volatile std::sig_atomic_t signals = 0;
  const auto before = std::signal(SIGPIPE, [](int) { signals = signals + 1; });
  app::ControlEnds ends = make_control();
  RunControl control(std::move(ends.says));
  ends.hears.reset();
  CHECK_NOTHROW(control.say("deliver"));
  CHECK_NOTHROW(control.say("deliver"));
  control.close();
  CHECK_NOTHROW(control.say("deliver"));
  std::signal(SIGPIPE, before);
  CHECK(signals == 0);
}
