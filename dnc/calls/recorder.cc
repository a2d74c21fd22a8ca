#include "dnc/calls/recorder.hh"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "dnc/calls/probes.hh"

namespace tcplab::dnc {

void Recorder::enter(CallRecord& record) {
  record.id = ++calls_;
  record.entered = base::now();
  for (const auto& log : logs_) log->enter(record);
  if (record.waits) flush();
  probe_entry(record);
}

void Recorder::leave(CallRecord& record) {
  record.returned = base::now();
  probe_return(record);
  for (const auto& log : logs_) log->leave(record);
  const int error = record.option ? *record.option : record.error;
  if (error != 0) check_traps(record);
}

void Recorder::note(std::string_view text) {
  for (const auto& log : logs_) log->note(text);
}

void Recorder::flush() {
  for (const auto& log : logs_) log->flush();
}

void Recorder::check_traps(const CallRecord& record) {
  const auto caught = [&record](const std::vector<int>& errors) {
    return std::any_of(errors.begin(), errors.end(), [&record](int error) {
      return error == record.error || error == record.option;
    });
  };
  if (caught(traps_.stop_on)) {
    flush();
    std::raise(SIGSTOP);
  }
  if (caught(traps_.abort_on)) {
    flush();
    std::abort();
  }
}

}  // namespace tcplab::dnc
