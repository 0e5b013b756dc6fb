// A process that does a part of the work and reports its results.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tensordsl::conformance {

/// Sends one message.
using Tell = std::function<void(const nlohmann::json&)>;

class Process {
 public:
  /// Runs `work` in a copy of this process, which ends with it. Needs: no other threads.
  explicit Process(const std::function<void(const Tell&)>& work);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Ends it if it has not ended.
  ~Process();

  /// Readable when there is something to receive.
  int descriptor() const { return from_; }
  /// Takes the messages that have arrived, and waits if there are none. Returns false after the last.
  bool receive();
  /// Returns the next received message.
  std::optional<nlohmann::json> next();

  /// Waits for its end, and says how it ended.
  std::string wait();
  void end();

 private:
  pid_t process_ = 0;  // 0 after its end
  int from_ = -1;
  std::string unread_;
};

}  // namespace tensordsl::conformance
