// What a script waits for: time to pass, an event to come, an event not to come, a condition to
// hold. A suspension looks at events as they come, and has a deadline. Waiter asks it for a
// decision.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/engine/script/pattern.hh"

namespace tcplab::engine {

enum class Decision : std::uint8_t { open, met, failed };

class Suspension {
public:
  explicit Suspension(base::Instant deadline) : deadline_(deadline) {}
  virtual ~Suspension() = default;

  base::Instant deadline() const { return deadline_; }
  /// Decides by the present state, after it has looked at the earlier events.
  virtual Decision at_start() { return Decision::open; }
  virtual Decision look(const capture::Event& event) = 0;
  virtual Decision at_deadline() = 0;

  /// Whether its deadline moves by the time that the run and its programs wait for a processor.
  virtual bool allows_for_busy_machine() const { return false; }

  /// The texts of the verdict. If `expected` is empty, there is no verdict.
  virtual std::string expected() const { return ""; }
  /// The limit, ", within 5 s": shown while the script waits, and when the expectation fails.
  virtual std::string limit() const { return ""; }
  virtual std::string seen() const { return ""; }
  virtual std::string nearest() const { return ""; }
  /// The event that decided it, which the script gets; null if none did.
  virtual const capture::Event* decisive() const { return nullptr; }

  std::string stream;  // whose cursor moves to the decisive event; empty for none
  std::string host;    // the subject's, for the verdict
  int line = 0;        // of the script
  base::nanoseconds
      ask_every{};  // calls at_start() this often, if no event reports a change; zero for once

private:
  base::Instant deadline_;
};

/// Lets time pass.
class TimeWait : public Suspension {
public:
  using Suspension::Suspension;
  Decision look(const capture::Event&) override { return Decision::open; }
  Decision at_deadline() override { return Decision::met; }
};

/// Keeps the decisive event and the nearest miss.
class EventExpectation : public Suspension {
public:
  EventExpectation(base::Instant deadline, std::unique_ptr<Pattern> pattern)
      : Suspension(deadline), pattern_(std::move(pattern)) {}

  const capture::Event* decisive() const override { return event_ ? &*event_ : nullptr; }
  std::string seen() const override;
  std::string nearest() const override;

protected:
  bool matches(const capture::Event& event);
  const Pattern& pattern() const { return *pattern_; }

private:
  std::unique_ptr<Pattern> pattern_;
  std::optional<capture::Event> event_;
  std::optional<capture::Event> near_miss_;
};

/// Is met by such an event before the deadline.
class Eventually : public EventExpectation {
public:
  Eventually(base::Instant deadline, base::nanoseconds within, std::unique_ptr<Pattern> pattern)
      : EventExpectation(deadline, std::move(pattern)), within_(within) {}
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override { return Decision::failed; }
  bool allows_for_busy_machine() const override { return true; }
  std::string expected() const override { return pattern().describe(); }
  std::string limit() const override;

private:
  base::nanoseconds within_;
};

/// Is met if no such event comes before the deadline.
class Never : public EventExpectation {
public:
  Never(base::Instant deadline, base::nanoseconds span, std::unique_ptr<Pattern> pattern)
      : EventExpectation(deadline, std::move(pattern)), span_(span) {}
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override { return Decision::met; }
  std::string expected() const override;
  std::string seen() const override;

private:
  base::nanoseconds span_;
};

/// Is met when a condition on the present state holds. Asks after every event.
class Condition : public Suspension {
public:
  struct Status {
    bool holds;
    std::string seen;
    bool hopeless = false;  // it can no longer hold
  };
  Condition(base::Instant deadline, base::nanoseconds within, std::string expected,
            std::function<Status()> ask)
      : Suspension(deadline),
        within_(within),
        expected_(std::move(expected)),
        ask_(std::move(ask)) {}
  Decision at_start() override { return ask(); }
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override;
  bool allows_for_busy_machine() const override { return within_.count() > 0; }
  std::string expected() const override { return expected_; }
  std::string limit() const override;
  std::string seen() const override { return seen_; }

  Decision ask();

private:
  base::nanoseconds within_;
  std::string expected_;
  std::function<Status()> ask_;
  std::string seen_;
  bool hopeless_ = false;
};

}  // namespace tcplab::engine
