#include "scenarios/engine/wire/fault.hh"

namespace tcplab::engine {

void Fault::meet(Passage& passage) {
  if (!scope_.link.empty() && scope_.link != passage.frame().link) return;
  if (!scope_.filter.matches(passage.frame())) return;
  see(passage);
  if (scope_.selection.picks()) act(passage);
}

std::string Fault::describe() const {
  const std::string more = details();
  return verb() + (more.empty() ? " " : " (" + more + ") ") + scope_.selection.describe() +
         scope_.filter.describe() + (scope_.link.empty() ? "" : ", on " + scope_.link) +
         (name().empty() ? "" : ", called \"" + name() + "\"");
}

std::string Fault::label() const {
  return name().empty() ? describe() : verb() + " \"" + name() + "\"";
}

}  // namespace tcplab::engine
