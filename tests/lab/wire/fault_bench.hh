// A wire (the link "lan") between kang and kodos, for tests of faults. It is watched as in a run,
// but the NICs are fake and have no kernels behind them. A test can advance the clock.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "lab/frames/wire_watch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

namespace tcplab::tests {

/// The kernel's clock, which advance() moves forward. Real time passes too, and a test may be slow.
/// So tests advance by minutes and compare in minutes.
class HandClock : public lab::Clock {
public:
  base::Instant now() const override { return base::now() + ahead_; }
  std::unique_ptr<lab::Alarm> make_alarm() override;
  void run() override {}  // it has no loop
  /// Rings the alarms that become due, in order.
  void advance(base::nanoseconds span);

private:
  class HandAlarm;
  base::nanoseconds ahead_{};
  std::set<HandAlarm*> alarms_;
};

class QueuePort : public netns::Port {
public:
  QueuePort();
  int descriptor() const override { return never_readable_.get(); }
  std::optional<netns::Received> read(std::span<std::uint8_t> buffer) override;
  bool write(netns::Bytes frame, const netns::Offload& offload) override;

  std::deque<Bytes> sent;
  std::vector<Bytes> received;
  netns::Offload sends_with;                    // of each frame that is read
  std::vector<netns::Offload> received_with{};  // of each frame in `received`

private:
  base::FileDescriptor never_readable_;
};

/// Returns a data segment from kang to kodos with `tag` as IP identification and sequence number.
Bytes tagged(std::uint8_t tag, std::size_t payload = 4);

class FaultBench {
public:
  FaultBench();

  template <typename Kind, typename... Arguments>
  std::shared_ptr<lab::Fault> add(lab::FaultScope scope, Arguments... arguments) {
    return watch.faults().add(std::make_shared<Kind>(std::move(scope), arguments...));
  }
  /// Sends these frames from kang.
  void send(const std::vector<Bytes>& frames);
  /// Sends segments with these tags from kang.
  void send_tagged(std::initializer_list<std::uint8_t> tags);
  void unplug_kang();

  /// Returns the tags of the frames that kodos received, in order: "1 2 2".
  std::string arrived() const;
  /// Returns the timeline's packets in order, as "1 lost: lose kang > kodos".
  std::vector<std::string> fates();
  std::vector<capture::Packet> packets();

private:
  TemporaryFolder folder_;

public:
  boost::asio::io_context loop;
  HandClock clock;
  lab::Timeline timeline{folder_.path() / "events.jsonl"};
  lab::CaptureFile capture{(folder_.path() / "capture.pcapng").string(), {}};
  lab::WireWatch watch{timeline, capture, clock};
  netns::Wire wire{loop, watch};
  QueuePort kang_port, kodos_port;
  lab::LabHost kang, kodos;
  netns::PortId kang_plug = wire.attach(kang_port, kang.config().nics.front().mac);
  netns::PortId kodos_plug = wire.attach(kodos_port, kodos.config().nics.front().mac);
};

/// Returns the scope of a fault; by default, every frame from kang to kodos.
lab::FaultScope scope(const lab::SelectionOptions& selection = {}, const std::string& filter = "",
                      const std::string& name = "");

}  // namespace tcplab::tests
