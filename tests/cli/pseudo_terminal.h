// A command on a terminal, with the text that it writes there.
#pragma once

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tensordsl::testing {

class PseudoTerminal {
 public:
  /// Starts `command`, whose first word is the program, on a terminal with `columns` columns.
  PseudoTerminal(const std::vector<std::string>& command, int columns) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 24;
    process_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ != 0) return;
    unsetenv("COLUMNS");
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal() {
    if (!ended_) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(terminal_);
  }

  /// Returns its output so far, once it has written `text` or ended.
  const std::string& read_until(const std::string& text) {
    char part[4096];
    while (text.empty() || output_.find(text) == std::string::npos) {
      const ssize_t count = read(terminal_, part, sizeof part);
      if (count <= 0) break;
      output_.append(part, static_cast<std::size_t>(count));
    }
    return output_;
  }

  /// Interrupts it like Ctrl-C.
  void interrupt() { [[maybe_unused]] const ssize_t written = write(terminal_, "\x03", 1); }

  /// Returns its exit code when it has ended; `output` gets all that it wrote.
  int wait(std::string& output) {
    output = read_until("");
    int status = 0;
    waitpid(process_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t process_ = -1;
  bool ended_ = false;
  std::string output_;
};

/// The longest line that a terminal shows, where a carriage return begins a line anew and escape sequences
/// have no width.
inline std::size_t longest_line(const std::string& output) {
  std::size_t longest = 0, length = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] == '\n' || output[i] == '\r') {
      length = 0;
    } else if (output[i] == '\033') {
      i = output.find_first_of("Km", i);
    } else {
      longest = std::max(longest, ++length);
    }
  }
  return longest;
}

}  // namespace tensordsl::testing
