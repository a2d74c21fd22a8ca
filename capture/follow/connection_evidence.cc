#include "capture/follow/connection_evidence.hh"

#include <poll.h>

#include <cerrno>

#include "capture/event/call_names.hh"
#include "capture/follow/call_octets.hh"

namespace tcplab::capture {

namespace {

bool moves_octets(const Call& call) { return reads_octets(call) || writes_octets(call); }

/// Whether the error is that of the socket. The others say that the call would block, or was
/// interrupted.
bool is_of_socket(int error) {
  return error != 0 && error != EAGAIN && error != EINTR && error != EINPROGRESS &&
         error != EALREADY;
}

/// Returns whether the call reports, and so takes away, the error of the socket.
bool reports_error(const Call& call) {
  const bool asks = call.call == "getsockopt" && call.arguments.starts_with("SO_ERROR");
  return (asks || moves_octets(call)) && is_of_socket(call.error);
}

/// In SYN-SENT, shutdown(2) ends the attempt: inet_shutdown(). Reads return 0 after it.
bool shuts_down(const Call& call) { return call.call == "shutdown"; }

}  // namespace

void ConnectionEvidence::note(const Call& call, unsigned readiness) {
  if (call.call == "connect") {
    note_connect(call);
    return;
  }
  if (readiness != 0) note_readiness(call, readiness);
  is_proved_ = is_proved_ || proves(call);
  if (reports_error(call) || shuts_down(call)) has_failed_ = true;
}

void ConnectionEvidence::note_connect(const Call& call) {
  if (call.arguments.starts_with("AF_UNSPEC")) {  // ends the connection: tcp_disconnect()
    *this = {};
    has_failed_ = true;
    return;
  }
  if (call.error == EALREADY) return;
  if (call.result == 0 || call.error == EISCONN) {
    is_proved_ = true;
    return;
  }
  const bool is_under_way = call.error == EINPROGRESS || call.error == EINTR;
  *this = {};
  is_attempted_ = true;
  has_failed_ = !is_under_way;
}

/// tcp_poll(): a socket that connects has room once it is connected, and one that is closed has
/// room and POLLHUP. select(2) cannot tell these apart.
void ConnectionEvidence::note_readiness(const Call& call, unsigned readiness) {
  if ((readiness & POLLERR) != 0) has_failed_ = true;
  if ((readiness & POLLOUT) == 0) return;
  has_found_room_ = is_attempted_;
  const bool is_exact = call.call.find("select") == std::string::npos;
  if (is_exact && (readiness & (POLLERR | POLLHUP)) == 0) is_proved_ = true;
}

bool ConnectionEvidence::proves(const Call& call) const {
  if (call.call == "getsockopt")
    return call.arguments.starts_with("SO_ERROR") && call.result == 0 && call.error == 0 &&
           has_found_room_ && !has_failed_;
  if (!moves_octets(call) && !receives_data(call.call)) return false;
  if (octets_of(call) > 0) return true;
  // The answer to a SYN is reported as ECONNREFUSED: tcp_reset(). tcp_disconnect() sets this, too.
  if (call.result == -1 && call.error == ECONNRESET) return !has_failed_;
  // The end of the stream. A refused attempt shuts the socket down, too: tcp_done(). A read of no
  // octets returns 0 at any time.
  return call.result == 0 && receives_data(call.call) && !has_failed_ &&
         !call.arguments.starts_with("0 bytes");
}

}  // namespace tcplab::capture
