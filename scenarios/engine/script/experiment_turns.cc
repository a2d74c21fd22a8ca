// Of an Experiment what only a session has: turns that are taken one after another.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "scenarios/engine/script/experiment.hh"

namespace tcplab::engine {

void Experiment::take_turn(lua_State* thread) {
  thread_ = thread;
  boost::asio::post(laboratory_.loop(), [this] { resume(); });
}

void Experiment::end_turn(RunStatus status, const std::string& reason) {
  suspension_.reset();
  then_ = {};
  is_waiting_ = false;
  alarm_->cancel();
  thread_ = nullptr;
  on_turn_end(status, reason);
}

/// What is decided already is about to be told: then there is nothing to stop.
void Experiment::stop_waiting() {
  if (thread_ == nullptr || !suspension_ || decision_ != Decision::open) return;
  end_turn(RunStatus::failed, "you have stopped waiting for it");
}

void Experiment::end_session(RunStatus status, const std::string& reason) {
  thread_ = nullptr;
  finish(status, reason);
}

}  // namespace tcplab::engine
