// A suspension is what a script waits for: a span of time, an event, the absence of an event, a
// condition, or the first of several suspensions. It sees each event as it comes, and has a
// deadline. Waiter asks it for a decision.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/cursors.hh"
#include "app/script/pattern.hh"

namespace tcplab::app {

enum class Decision : std::uint8_t { open, met, failed };

/// From where a suspension may look at events that have happened already.
struct WaitStart {
  const Cursors& cursors;
  std::uint64_t last;     // the newest event
  bool from_now = false;  // no event up to the newest one counts
};

class Suspension {
public:
  explicit Suspension(base::Instant deadline) : deadline_(deadline) {}
  virtual ~Suspension() = default;

  base::Instant deadline() const { return deadline_; }
  /// Returns the event after which it looks at events: the newest one by default.
  virtual std::uint64_t begin(const WaitStart& start) { return start.last; }
  /// Looks at an event. May be shown the same event again.
  virtual Decision look(const capture::Event& event) = 0;
  /// Decides by the present state, after it has looked at the earlier events or at a new one.
  virtual Decision at_present() { return Decision::open; }
  virtual Decision at_deadline() = 0;
  /// Moves the cursor of its stream. Called when it is met.
  virtual void move(Cursors& cursors) const;

  /// Whether its deadline moves by the time that the run and its programs wait for a processor.
  virtual bool allows_for_busy_machine() const { return false; }

  /// The texts of the verdict. If `expected` is empty, there is no verdict.
  virtual std::string expected() const { return ""; }
  /// The limit, ", within 5 s": shown while the script waits, and when the expectation fails.
  virtual std::string limit() const { return ""; }
  /// What the script waits for: "kang's dnc: read returns 0, within 5 s".
  virtual std::string awaited() const { return expected() + limit(); }
  virtual std::string seen() const { return ""; }
  virtual std::string nearest() const { return ""; }
  /// Returns what it has measured, in seconds: fields that the script's event gets, too.
  virtual std::map<std::string, double> measured() const { return {}; }
  /// Returns how it ended, for a wait without a verdict: "awaited kang's dnc exits · ...".
  virtual std::string account(bool met) const;
  /// The event that decided it, which the script gets; null if none did.
  virtual const capture::Event* decisive() const { return nullptr; }

  std::string stream;  // whose cursor moves to the decisive event; empty for none
  std::string host;    // the subject's, for the verdict
  int line = 0;        // of the script
  // Calls at_present() this often, if no event reports a change; zero for never.
  base::nanoseconds ask_every{};

private:
  base::Instant deadline_;
};

/// Lets time pass.
class TimeWait : public Suspension {
public:
  TimeWait(base::Instant now, base::nanoseconds span) : Suspension(now + span), span_(span) {}
  Decision look(const capture::Event&) override { return Decision::open; }
  Decision at_deadline() override { return Decision::met; }
  /// The whole time: what is left of it depends on when it is asked, and may be negative.
  std::string awaited() const override { return base::describe(span_) + " to pass"; }

private:
  base::nanoseconds span_;
};

/// Is met by such an event before the deadline. Keeps the decisive event and the nearest miss.
class Eventually : public Suspension {
public:
  Eventually(base::Instant deadline, base::nanoseconds within, std::shared_ptr<Pattern> pattern)
      : Suspension(deadline), within_(within), pattern_(std::move(pattern)) {}

  std::uint64_t begin(const WaitStart& start) override;
  Decision look(const capture::Event& event) override;
  Decision at_present() override;
  Decision at_deadline() override;
  bool allows_for_busy_machine() const override { return true; }
  std::string expected() const override { return pattern_->describe(); }
  std::string limit() const override;
  std::string seen() const override;
  std::string nearest() const override;
  const capture::Event* decisive() const override { return event_ ? &*event_ : nullptr; }

  /// Returns true if what the event would lead to holds already. Asked after the earlier events and
  /// at the deadline, if no event was a near miss. May be empty.
  std::function<bool()> holds_already;
  /// Returns why the event can no longer come; empty if it can. May be empty.
  std::function<std::string()> ruled_out;
  /// Returns what is there instead, at the deadline; empty if that says nothing. May be empty.
  std::function<std::string()> instead;

private:
  bool holds();

  base::nanoseconds within_;
  std::shared_ptr<Pattern> pattern_;
  bool asked_ = false;
  std::string seen_;  // if no event decided it
  bool hopeless_ = false;
  std::optional<capture::Event> event_;
  std::optional<capture::Event> near_miss_;
};

/// Is met if the other suspension is not met before the deadline, counting only from now on.
class Never : public Suspension {
public:
  Never(base::Instant deadline, base::nanoseconds span, std::unique_ptr<Suspension> unwanted)
      : Suspension(deadline), span_(span), unwanted_(std::move(unwanted)) {
    ask_every = unwanted_->ask_every;
  }

  std::uint64_t begin(const WaitStart& start) override;
  Decision look(const capture::Event& event) override;
  Decision at_present() override;
  Decision at_deadline() override;
  void move(Cursors&) const override {}
  std::string expected() const override;
  std::string seen() const override;
  const capture::Event* decisive() const override { return unwanted_->decisive(); }

private:
  Decision reverse(Decision decision);

  base::nanoseconds span_;
  std::unique_ptr<Suspension> unwanted_;
  bool happened_ = false;
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
  Decision look(const capture::Event&) override { return Decision::open; }
  Decision at_present() override { return ask(); }
  Decision at_deadline() override;
  bool allows_for_busy_machine() const override { return within_.count() > 0; }
  std::string expected() const override { return expected_; }
  std::string limit() const override;
  std::string seen() const override { return seen_; }

private:
  Decision ask();

  base::nanoseconds within_;
  std::string expected_;
  std::function<Status()> ask_;
  std::string seen_;
  bool hopeless_ = false;
};

/// Is met by the first of several that is met: by the earliest event. Fails when all have failed.
class FirstOf : public Suspension {
public:
  FirstOf(base::Instant deadline, std::vector<std::unique_ptr<Suspension>> choices);

  std::uint64_t begin(const WaitStart& start) override;
  Decision look(const capture::Event& event) override;
  Decision at_present() override;
  Decision at_deadline() override;
  void move(Cursors& cursors) const override;
  std::string expected() const override;
  std::string account(bool met) const override;
  const capture::Event* decisive() const override;
  std::map<std::string, double> measured() const override {
    return winner_ ? choices_[*winner_].wait->measured() : std::map<std::string, double>{};
  }

  /// Returns the index of the choice that was met; empty if none was.
  std::optional<std::size_t> winner() const { return winner_; }

private:
  struct Choice {
    std::unique_ptr<Suspension> wait;
    std::uint64_t after = 0;
    bool failed = false;
  };
  template <typename Ask>
  Decision ask_each(const Ask& ask);

  std::vector<Choice> choices_;
  std::optional<std::size_t> winner_;
};

}  // namespace tcplab::app
