#include "lab/programs/delayed_acts.hh"

#include <optional>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

/// Keeps what each alarm would do. Like a timer of the loop, an alarm that is due still rings when
/// it is cancelled.
class DueClock : public lab::Clock {
public:
  base::Instant now() const override { return {}; }
  std::unique_ptr<lab::Alarm> make_alarm() override { return std::make_unique<DueAlarm>(*this); }
  void run() override {}

  std::vector<std::function<void()>> due;

private:
  class DueAlarm : public lab::Alarm {
  public:
    explicit DueAlarm(DueClock& clock) : clock_(clock) {}
    void set(base::Instant, std::function<void()> ring) override {
      clock_.due.push_back(std::move(ring));
    }
    void cancel() override {}

  private:
    DueClock& clock_;
  };
};

}  // namespace

TEST_CASE("an alarm that rings after its acts were hurried does nothing") {
  DueClock clock;
  lab::Perturbation none(std::nullopt, "run");
  lab::DelayedActs acts(clock, none, "signal", 1);
  std::vector<int> done;
  acts.act_after(1ms, [&done] { done.push_back(1); });
  acts.hurry();
  CHECK(done == std::vector{1});
  REQUIRE(clock.due.size() == 1);
  clock.due[0]();
  CHECK(done == std::vector{1});

  acts.act_after(1ms, [&done] { done.push_back(2); });
  REQUIRE(clock.due.size() == 2);
  clock.due[0]();
  CHECK(done == std::vector{1});
  clock.due[1]();
  CHECK(done == std::vector{1, 2});
}
