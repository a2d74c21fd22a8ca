// The waits of a process, as the summary of a trace shows them.
#include <sstream>

#include "reports/look/look_text.hh"
#include "tests/catch.hh"

using namespace tcplab;
using Catch::Matchers::Contains;

namespace {

look::LookedProcess process_with_connection() {
  look::LookedProcess made{.id = 4711, .command = "client"};
  made.threads = {{.id = 4711, .name = "client"}};
  look::LookedConnection connection;
  connection.descriptors = {3};
  connection.facts.state = capture::TcpState::established;
  connection.settings.keepalive = false;
  made.connections = {connection};
  return made;
}

std::string waits_text(const look::LookedProcess& process) {
  std::ostringstream out;
  reports::write_waits(out, process, {});
  return out.str();
}

}  // namespace

TEST_CASE("only a wait with a waiter is shown") {
  look::LookedProcess one = process_with_connection();
  CHECK(waits_text(one).empty());
  look::LookedThread& thread = one.threads.front();
  thread.does = look::ThreadDoes::waits;
  thread.call = "recvfrom";
  thread.descriptors = {3};
  thread.awaited = {audit::Awaited::data};
  CHECK_THAT(waits_text(one), Contains("thread 4711 client waits in recvfrom(3)") &&
                                  Contains("no timer of TCP ends this wait"));
}

TEST_CASE("waits that the kernel hides are said to be hidden") {
  look::LookedProcess one = process_with_connection();
  one.hidden = "try as root";
  CHECK_THAT(waits_text(one), Contains("try as root") && !Contains("recvfrom"));
}
