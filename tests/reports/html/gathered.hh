// What a page is made of, from a sample run.
#pragma once

#include "reports/html/page_run.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

inline html::PageRun gathered(const SampleRun& run) {
  html::RunGatherer gatherer;
  for (const capture::Event& event : run.events()) gatherer.event(event);
  gatherer.finish();
  return gatherer.take();
}

}  // namespace tcplab::reports::tests
