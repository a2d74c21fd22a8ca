#include "app/script/run_status.hh"

namespace tcplab::app {

capture::Outcome outcome_of(RunStatus status) {
  switch (status) {
    case RunStatus::passed:
      return capture::Outcome::passed;
    case RunStatus::failed:
      return capture::Outcome::failed;
    case RunStatus::skipped:
      return capture::Outcome::skipped;
    case RunStatus::bad_script:
      return capture::Outcome::bad_script;
    case RunStatus::broken:
      return capture::Outcome::broken;
  }
  return capture::Outcome::broken;
}

}  // namespace tcplab::app
