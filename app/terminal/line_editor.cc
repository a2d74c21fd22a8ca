#include "app/terminal/line_editor.hh"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstdio>

#include "app/terminal/readiness.hh"
#include "base/error.hh"
#include "base/utf8.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

constexpr int kHistorySize = 1000;
constexpr auto kKeyTakes = 50ms;  // the longest time between the first and last byte of a key
constexpr char kEscape = 0x1b;
constexpr char kControlD = 0x04;
constexpr char kControlBracket = 0x1d;

bool ends_sequence(char c) { return c >= '@' && c <= '~'; }  // ECMA-48 section 5.4

void set_attributes(const termios& wanted) { ::tcsetattr(STDIN_FILENO, TCSADRAIN, &wanted); }

}  // namespace

std::size_t key_length(std::string_view input) {
  if (input.empty()) return 0;
  if (input[0] != kEscape) {
    const std::size_t length = base::utf8_length(input[0]);
    return length <= input.size() ? length : 0;
  }
  if (input.size() < 2) return 0;
  if (input[1] == 'O') return input.size() < 3 ? 0 : 3;
  if (input[1] != '[') return 1 + key_length(input.substr(1));
  for (std::size_t i = 2; i < input.size(); ++i)
    if (ends_sequence(input[i])) return i + 1;
  return 0;
}

LineEditor::LineEditor(boost::asio::io_context& loop, const reports::Style& style)
    : style_(style),
      input_(loop),
      lone_escape_(loop),
      line_(nullptr, el_end),
      history_(history_init(), history_end) {
  base::check("read the terminal's settings", ::tcgetattr(STDIN_FILENO, &original_));
  if (style.unicode) std::setlocale(LC_CTYPE, "");  // libedit counts columns by it
  line_.reset(el_init("tcplab", stdin, stdout, stderr));
  if (!line_ || !history_) throw base::LabError("cannot edit lines on this terminal");
  bind();
  input_.assign(readiness_of(STDIN_FILENO).release());
  quieten();
  wait();
}

LineEditor::~LineEditor() {
  erase();
  line_.reset();
  restore();
}

LineEditor& LineEditor::of(EditLine* line) {
  void* self = nullptr;
  el_get(line, EL_CLIENTDATA, &self);
  return *static_cast<LineEditor*>(self);
}

void LineEditor::bind() {
  HistEvent event{};
  history(history_.get(), &event, H_SETSIZE, kHistorySize);
  EditLine* line = line_.get();
  el_set(line, EL_CLIENTDATA, this);
  el_set(line, EL_SIGNAL, 0);
  el_set(line, EL_EDITOR, "emacs");
  el_set(line, EL_HIST, history, history_.get());
  el_set(line, EL_PROMPT_ESC, &LineEditor::prompt, '\1');
  el_set(line, EL_GETCFN, &LineEditor::next_character);
  using Binding = std::array<const char*, 2>;
  for (const auto& [key, command] :
       {Binding{"^D", "ed-delete-next-char"}, Binding{"^R", "em-inc-search-prev"},
        Binding{"\\e[A", "ed-prev-history"}, Binding{"\\e[B", "ed-next-history"},
        Binding{"\\e[C", "ed-next-char"}, Binding{"\\e[D", "ed-prev-char"},
        Binding{"\\e[H", "ed-move-to-beg"}, Binding{"\\e[F", "ed-move-to-end"},
        Binding{"\\e[3~", "ed-delete-next-char"}, Binding{"\\e[1;5C", "em-next-word"},
        Binding{"\\e[1;5D", "ed-prev-word"}})
    el_set(line, EL_BIND, key, command, nullptr);
}

char* LineEditor::prompt(EditLine* line) { return of(line).prompt_.data(); }

/// Returns the next character. Keys are complete here, so only libedit's dialogues (Ctrl-R) block.
int LineEditor::next_character(EditLine* line, wchar_t* character) {
  std::string& keys = of(line).keys_;
  while (keys.empty() || base::utf8_length(keys[0]) > keys.size()) {
    char byte = 0;
    const ssize_t size = ::read(STDIN_FILENO, &byte, 1);
    if (size == -1 && errno == EINTR) continue;
    if (size <= 0) return 0;
    keys += byte;
  }
  const std::size_t length = base::utf8_length(keys[0]);
  const int taken = std::mbtowc(character, keys.data(), length);
  if (taken < 0) *character = L'?';
  keys.erase(0, length);
  return 1;
}

void LineEditor::wait() {
  input_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [this](const boost::system::error_code& error) {
                      if (!error) readable();
                    });
}

void LineEditor::readable() {
  std::array<char, 1024> buffer;
  const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (size == 0 || (size == -1 && errno != EINTR && errno != EAGAIN)) return on_end();  // hung up
  if (size > 0) keys_.append(buffer.data(), static_cast<std::size_t>(size));
  take_keys();
  wait();
}

void LineEditor::take_keys() {
  while (editing_ && key_length(keys_) > 0) take_key();
  if (!editing_ || keys_.empty()) return;
  lone_escape_.expires_after(kKeyTakes);  // if nothing follows, drop the incomplete key
  lone_escape_.async_wait([this](const boost::system::error_code& error) {
    if (!error && key_length(keys_) == 0) keys_.clear();
  });
}

void LineEditor::take_key() {
  if (take_own_key()) return;
  int count = 0;
  const char* text = el_gets(line_.get(), &count);
  if (text != nullptr && count > 0 && (text[count - 1] == '\n' || text[count - 1] == '\r'))
    finish_line(std::string(text, static_cast<std::size_t>(count) - 1));
}

/// Handles the keys that libedit must not see. (libedit never frees functions added to it.)
bool LineEditor::take_own_key() {
  const char key = keys_[0];
  const LineInfo* info = el_line(line_.get());
  const bool ends = key == kControlD && info->lastchar == info->buffer;
  if (key != '\t' && key != kControlBracket && !ends) return false;
  keys_.erase(0, 1);
  if (ends) {
    on_end();
  } else if (key == '\t') {
    on_tab(before_cursor());
  } else {
    on_detach();
  }
  return true;
}

void LineEditor::finish_line(const std::string& line) {
  editing_ = false;
  status_.clear();
  el_set(line_.get(), EL_UNBUFFERED, 0);
  quieten();
  on_line(line);
}

void LineEditor::remember(const std::string& line) {
  HistEvent event{};
  history(history_.get(), &event, H_ENTER, line.c_str());
}

void LineEditor::edit(const std::string& prompt) {
  erase();
  prompt_ = style_.colour ? "\1\x1b[1m\1" + prompt + "\1\x1b[0m\1" : prompt;
  prompt_columns_ = reports::columns(prompt);
  status_.clear();
  restore();
  editing_ = true;
  el_set(line_.get(), EL_UNBUFFERED, 1);
  take_keys();
}

void LineEditor::pause(const std::string& status) {
  erase();
  if (editing_) el_set(line_.get(), EL_UNBUFFERED, 0);
  editing_ = false;
  quieten();
  status_ = reports::fit(status, style_.width - 1, style_);
  write(style_.colour ? "\x1b[2m" + status_ + "\x1b[0m" : status_);
}

std::string LineEditor::before_cursor() const {
  const LineInfo* info = el_line(line_.get());
  return {info->buffer, info->cursor};
}

void LineEditor::insert(const std::string& text) {
  erase();  // EL_REFRESH redraws the whole line from the cursor's position
  el_insertstr(line_.get(), text.c_str());
  el_set(line_.get(), EL_REFRESH);
}

void LineEditor::cancel() {
  if (!editing_) return;
  write("^C\n");
  el_set(line_.get(), EL_UNBUFFERED, 0);
  el_set(line_.get(), EL_UNBUFFERED, 1);
}

void LineEditor::print(const std::string& text) {
  if (text.empty()) return;
  erase();
  write(text);
  if (editing_)
    el_set(line_.get(), EL_REFRESH);
  else if (!status_.empty())
    write(style_.colour ? "\x1b[2m" + status_ + "\x1b[0m" : status_);
}

void LineEditor::set_width(int width) {
  erase();
  style_.width = width;
  if (!editing_) return;
  el_resize(line_.get());
  el_set(line_.get(), EL_REFRESH);
}

void LineEditor::let_go() {
  const LineInfo* info = el_line(line_.get());
  kept_ = editing_ ? std::string(info->buffer, info->lastchar) : "";
  if (editing_) el_set(line_.get(), EL_UNBUFFERED, 0);
  restore();
}

void LineEditor::take_back() {
  if (!editing_) return quieten();
  el_set(line_.get(), EL_UNBUFFERED, 1);  // starts an empty line
  insert(kept_);
}

/// Erases the line from its first row to the end of the screen (ECMA-48: CUU, ED).
void LineEditor::erase() const {
  int row = 0;
  if (editing_) {
    row = (prompt_columns_ + reports::columns(before_cursor())) / style_.width;
  } else if (status_.empty()) {
    return;
  }
  write("\r" + (row > 0 ? "\x1b[" + std::to_string(row) + "A" : "") + "\x1b[J");
}

/// Turns off echo while there is no line.
void LineEditor::quieten() const {
  termios quiet = original_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
  set_attributes(quiet);
}

void LineEditor::restore() const { set_attributes(original_); }

void LineEditor::write(const std::string& text) const {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace tcplab::app
