// What dnc says on stderr besides the record, and how it is asked for its state.
#pragma once

#include <string_view>

namespace tcplab::dnc {

/// "dnc: read: Connection reset by peer", as the article's dnc ends.
void complain(std::string_view call, int error);

/// SIGUSR1 asks a dnc for its state. The handler only sets a flag; that the signal ends a
/// blocking call with EINTR is what gets the question answered.
void catch_state_requests();
/// True once for each time that it was asked.
bool take_state_request();
/// "dnc: state: ..." on stderr.
void print_state(std::string_view state);

}  // namespace tcplab::dnc
