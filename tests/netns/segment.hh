// Three fake NICs on a wire.
#pragma once

#include "tests/netns/fake_ports.hh"

namespace tcplab::tests {

inline const MacAddress kKang = MacAddress::local(1), kKodos = MacAddress::local(2),
                        kHomer = MacAddress::local(3), kNobody = MacAddress::local(9);

/// Three hosts on a wire: ports 1, 2 and 3.
struct Segment {
  boost::asio::io_context loop;
  RecordingObserver observer;
  FakePort kang, kodos, homer;
  netns::Wire wire{loop, observer};
  PortId kang_id = wire.attach(kang, kKang);
  PortId kodos_id = wire.attach(kodos, kKodos);
  PortId homer_id = wire.attach(homer, kHomer);
};

}  // namespace tcplab::tests
