// What a script waits for. It looks at events as they come and has a deadline; when it is
// decided, the experiment goes on or ends. Small classes: time to pass, an event to come, an
// event not to come, a condition to hold.
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
  /// After the events that have been: is it decided by how things are?
  virtual Decision at_start() { return Decision::open; }
  virtual Decision look(const capture::Event& event) = 0;
  virtual Decision at_deadline() = 0;

  /// For people, when it is decided. An empty `expected` makes no verdict.
  virtual std::string expected() const { return ""; }
  /// By when: ", within 5 s". Of interest while it is awaited, and when it did not come.
  virtual std::string limit() const { return ""; }
  virtual std::string seen() const { return ""; }
  virtual std::string nearest() const { return ""; }
  /// The event that decided it, when one did: the script gets it.
  virtual const capture::Event* decisive() const { return nullptr; }

  std::string stream;             // whose cursor moves to the decisive event; empty for none
  std::string host;               // the subject's, for the verdict
  int line = 0;                   // of the script
  base::nanoseconds ask_every{};  // at_start() again, for what no event tells; zero: only once

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

/// Remembers what decides an expectation about events, and the nearest miss.
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

/// Such an event comes before the deadline.
class Eventually : public EventExpectation {
public:
  Eventually(base::Instant deadline, base::nanoseconds within, std::unique_ptr<Pattern> pattern)
      : EventExpectation(deadline, std::move(pattern)), within_(within) {}
  Decision look(const capture::Event& event) override;
  Decision at_deadline() override { return Decision::failed; }
  std::string expected() const override { return pattern().describe(); }
  std::string limit() const override;

private:
  base::nanoseconds within_;
};

/// No such event comes before the deadline.
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

/// A condition on how things are comes to hold. It is asked after every event.
class Condition : public Suspension {
public:
  struct Status {
    bool holds;
    std::string seen;
    bool hopeless = false;  // it cannot come to hold any more
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
  std::string expected() const override { return expected_; }
  std::string limit() const override;
  std::string seen() const override { return seen_; }

  /// For a condition that holds or does not hold now.
  Decision ask();

private:
  base::nanoseconds within_;
  std::string expected_;
  std::function<Status()> ask_;
  std::string seen_;
  bool hopeless_ = false;
};

}  // namespace tcplab::engine
