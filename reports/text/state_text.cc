#include "reports/text/state_text.hh"

#include <fmt/format.h>

namespace tcplab::reports {

using capture::State;
using capture::TcpState;

bool is_listener(const State& state) {
  return state.to == TcpState::listen ||
         (state.from == TcpState::listen && state.to == TcpState::closed);
}

StyledText state_text(const State& state, int connection) {
  StyledText text((state.is_concluded ? "~" : "") + std::string(capture::name(state.to)),
                  Paint::state);
  if (is_listener(state))
    text.add(fmt::format(" :{}", state.local.port), Paint::dim);
  else if (connection > 1)
    text.add(fmt::format(" #{}", connection), Paint::dim);
  return text;
}

StyledText transition_text(const State& state, int connection) {
  StyledText text;
  if (state.from != TcpState::closed)
    text.add(capture::name(state.from), Paint::dim).add(" → ", Paint::dim);
  if (state.cause == capture::StateCause::power) return text.add("no power", Paint::error);
  return text.add(state_text(state, connection));
}

bool is_boring(const State& state) {
  const bool is_unconnected = state.from == TcpState::close || state.to == TcpState::close;
  const bool is_gone = state.to == TcpState::closed || state.from == TcpState::closed;
  if (is_unconnected && is_gone) return true;
  return state.cause == capture::StateCause::power && state.from == TcpState::listen;
}

}  // namespace tcplab::reports
