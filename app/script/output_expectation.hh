// Waits for a text in what a program writes. Standard output and standard error are a stream of
// bytes each, so it does not matter how the program divided the text into writes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "app/script/suspension.hh"

namespace tcplab::app {

/// The program, and the text that it is to write on one of its streams.
struct OutputWanted {
  std::string host;
  std::string program;
  std::string text;
  std::function<std::string()> ruled_out;  // as in Eventually
};

/// Returns the stream of cursors, "stdout kang/dnc".
std::string output_stream(const std::string& name, const std::string& host,
                          const std::string& program);

class OutputExpectation : public Suspension {
public:
  OutputExpectation(base::Instant deadline, base::nanoseconds within, OutputWanted wanted)
      : Suspension(deadline), within_(within), wanted_(std::move(wanted)) {}

  /// Each stream starts at its own cursor, which may be within the text of an event. With "from now
  /// on", the last byte of the text must come later than now.
  std::uint64_t begin(const WaitStart& start) override;
  Decision look(const capture::Event& event) override;
  Decision at_present() override;
  Decision at_deadline() override { return Decision::failed; }
  /// Consumes the output of that stream up to the end of the text. The other stream's cursor moves
  /// only over events without its output, so that they are not searched again.
  void move(Cursors& cursors) const override;
  std::string expected() const override;
  std::string limit() const override;
  std::string seen() const override;
  std::string nearest() const override;
  const capture::Event* decisive() const override { return event_ ? &*event_ : nullptr; }

private:
  struct Output {
    std::string name;
    std::uint64_t event = 0;  // its cursor: this event, and `bytes` of it
    std::size_t bytes = 0;
    std::string tail{};      // what may be the beginning of the text
    bool is_unread = false;  // it has bytes after the cursor
  };
  Decision read(Output& output, const capture::Event& event, std::string_view text);

  base::nanoseconds within_;
  OutputWanted wanted_;
  std::array<Output, 2> outputs_{{{.name = "stdout"}, {.name = "stderr"}}};
  std::uint64_t counts_after_ = 0;  // the text must end in an event after this one
  std::uint64_t looked_at_ = 0;
  std::optional<capture::Event> event_;
  std::string cursor_;     // that moves to `event_`
  std::size_t bytes_ = 0;  // of the event, consumed
  std::string ended_;      // why the text can no longer come
  std::optional<capture::Event> last_written_;
};

}  // namespace tcplab::app
