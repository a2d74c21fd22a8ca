#include "reports/text/effect_text.hh"

#include <algorithm>
#include <fmt/format.h>

#include "capture/event/event_words.hh"

namespace tcplab::reports {

namespace {

using capture::Effect;
using capture::EffectKind;

std::string label_of(const Effect& effect) {
  return effect.fault ? fault_label(*effect.fault) : "a fault";
}

std::string copy_text(const Effect& effect) {
  if (effect.frame == 0) return "copy of it, no retransmission";
  return fmt::format("copy of frame {} by {}", effect.frame, label_of(effect));
}

std::string effect_text(const Effect& effect, const std::string& to) {
  switch (effect.kind) {
    case EffectKind::delayed:
      return fmt::format("delayed {} by {}", base::describe(effect.span), label_of(effect));
    case EffectKind::held:
    case EffectKind::reordered:
    case EffectKind::lost:
      return label_of(effect);
    case EffectKind::duplicated:
      return "duplicated by " + label_of(effect);
    case EffectKind::copied:
      return copy_text(effect);
    case EffectKind::corrupted:
      return fmt::format("byte {} changed from {:#04x} to {:#04x} by {}", effect.offset,
                         effect.before, effect.after, label_of(effect));
    case EffectKind::truncated:
      return fmt::format("cut from {} to {} bytes by {}", effect.before, effect.after,
                         label_of(effect));
    case EffectKind::too_long:
      return fmt::format("an IP packet of {} bytes: {}", effect.before, label_of(effect));
    case EffectKind::queue_full:
      return "queue full: " + label_of(effect);
    case EffectKind::forged:
      return "forged by the script";
    case EffectKind::stepped:
      return "stepped";
    case EffectKind::lost_by_hand:
      return "lost by hand, after " + base::describe(effect.span);
    case EffectKind::set_aside:
      return "dropped: a retransmission of the stopped frame";
    case EffectKind::sender_gone:
      return "its sender was cut off";
    case EffectKind::receiver_gone:
      return to + " is not on the wire";
    case EffectKind::receiver_down:
      return "its receiver's NIC is down";
    case EffectKind::nobody_else:
      return "nobody else is on the wire";
    case EffectKind::unknown_address:
      return "no NIC has its destination address";
  }
  return "";
}

}  // namespace

std::string fault_text(const capture::FaultRule& fault) {
  std::string text = std::string(word(fault.verb)) + " ";
  if (!fault.options.empty()) text += "(" + fault.options + ") ";
  text += fault.selection;
  text += fault.from.empty() ? "any direction" : fault.from + " > " + fault.to;
  if (!fault.filter.empty()) text += ", " + fault.filter;
  if (!fault.link.empty()) text += ", on " + fault.link;
  if (!fault.name.empty()) text += ", called \"" + fault.name + "\"";
  return text;
}

std::string fault_label(const capture::FaultRule& fault) {
  if (fault.name.empty()) return fault_text(fault);
  return fmt::format("{} \"{}\"", word(fault.verb), fault.name);
}

std::string effects_text(std::span<const Effect> effects, const std::string& to) {
  std::string text;
  for (const Effect& effect : effects) text += (text.empty() ? "" : "; ") + effect_text(effect, to);
  return text;
}

std::string fate_text(capture::Fate fate, std::span<const Effect> effects, const std::string& to) {
  const std::string text = effects_text(effects, to);
  if (fate == capture::Fate::lost) return "lost: " + text;
  return fate == capture::Fate::held ? "held: " + text : text;
}

}  // namespace tcplab::reports
