// What a run of the tests did, as `tcplab diff` and `tcplab matrix` compare it.
#pragma once

#include "reports/diff/behaviour.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

inline Behaviour behaviour_of(const SampleRun& run) {
  Behaviour behaviour;
  for (const auto& event : run.events()) behaviour.event(event);
  return behaviour;
}

}  // namespace tcplab::reports::tests
