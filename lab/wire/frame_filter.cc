#include "lab/wire/frame_filter.hh"

#include "base/error.hh"

namespace tcplab::lab {

namespace {

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

FrameFilter::FrameFilter(const std::string& direction, const std::string& expression,
                         const PacketFields& fields)
    : expression_(trim(expression)), fields_(fields), word_(packet_word(expression_)) {
  if (!expression_.empty() && !word_) filter_.emplace(expression_);
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
  if (filter_ && !filter_->matches(frame.bytes)) return false;
  return (!word_ && !fields_.any()) || facts_match(frame);
}

bool FrameFilter::facts_match(const FrameView& frame) const {
  const PacketFacts facts =
      frame.facts != nullptr ? *frame.facts : packet_facts(capture::decode(frame.bytes));
  return (!word_ || lab::matches(*word_, facts)) && fields_.match(facts);
}

std::string FrameFilter::what() const {
  const std::string fields = fields_.describe();
  return expression_ + (expression_.empty() || fields.empty() ? "" : ", ") + fields;
}

std::string FrameFilter::describe() const {
  const std::string direction = from_.empty() ? "any direction" : from_ + " > " + to_;
  const std::string selected = what();
  return selected.empty() ? direction : direction + ", " + selected;
}

}  // namespace tcplab::lab
