#include "app/trace/trap_records.hh"

#include <stdexcept>

#include "base/shell_word.hh"
#include "look/failure_file.hh"

namespace tcplab::app {

/// The program is to be aborted or stopped in any case.
void TrapRecords::failed(base::Instant at, const capture::Call& call, bool aborts) {
  Written& written = written_[call.pid];
  try {
    written.record =
        recorder_.record(call, at, aborts ? look::FailureAct::aborted : look::FailureAct::stopped);
    written.path = look::write_record_beside_core(written.record);
  } catch (const std::runtime_error& problem) {
    written.problem = problem.what();
  }
}

std::string TrapRecords::place(pid_t process) {
  const Written& written = written_[process];
  if (written.path.empty()) return "no record of its connections: " + written.problem;
  const std::string core = look::core_beside(written.path, written.record);
  return "its connections and calls: tcplab look " +
         base::shell_word(core.empty() ? written.path : core);
}

}  // namespace tcplab::app
