#include "scenarios/engine/wire/frame_filter.hh"

#include "base/error.hh"

namespace tcplab::engine {

namespace {

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

FrameFilter::FrameFilter(const std::string& direction, const std::string& expression)
    : expression_(trim(expression)) {
  if (!expression_.empty()) filter_.emplace(expression_);
  if (trim(direction).empty()) return;
  const auto arrow = direction.find('>');
  if (arrow != std::string::npos) {
    from_ = trim(direction.substr(0, arrow));
    to_ = trim(direction.substr(arrow + 1));
  }
  if (from_.empty() || to_.empty()) {
    throw base::UsageError("the direction \"" + direction +
                           "\" is not of the form \"kang > kodos\" (\"*\" stands for any host)");
  }
}

bool FrameFilter::matches(const FrameView& frame) const {
  if (!from_.empty() && from_ != "*" && from_ != frame.from) return false;
  // A frame to all (ARP, neighbour discovery) matches every receiver.
  if (!to_.empty() && to_ != "*" && !frame.to.empty() && to_ != frame.to) return false;
  return !filter_ || filter_->matches(frame.bytes);
}

std::string FrameFilter::describe() const {
  const std::string direction = from_.empty() ? "any direction" : from_ + " > " + to_;
  return expression_.empty() ? direction : direction + ", " + expression_;
}

}  // namespace tcplab::engine
