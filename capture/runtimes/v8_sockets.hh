// Finds which JavaScript object waits for a TCP socket while Node is in its event loop:
//
//   uv_loop_t        its handles
//   uv_tcp_t         the descriptor, and what it waits for
//   node::TCPWrap    a C++ object
//   TCP              its JavaScript object, with [owner_symbol]
//   Socket           net.Socket, TLSSocket or Server; with _httpMessage
//   ClientRequest    the request of http.get()
#pragma once

#include <vector>

#include "capture/runtimes/runtime.hh"
#include "capture/runtimes/v8_heap.hh"

namespace tcplab::capture {

/// Returns a task for each TCP socket that the loop waits for: "Socket", or
/// "ClientRequest GET http://example.org/orders" without the query. `loop`: the address of a
/// uv_loop_t of libuv 1. A socket whose objects are not as expected is left out.
std::vector<RuntimeTask> v8_sockets(const V8Heap& heap, Address loop);

}  // namespace tcplab::capture
