// Counts the compiler's work, as a number that is the same on every machine.
#pragma once

#include <cstdint>

namespace tensordsl::ir {

/// Counts the nodes that this thread builds, visits, rewrites and simplifies while the counter lives. What an
/// inner counter counts is counted by those around it as well.
class WorkCounter {
 public:
  WorkCounter() : outer_(current_) { current_ = this; }
  ~WorkCounter();
  WorkCounter(const WorkCounter&) = delete;
  WorkCounter& operator=(const WorkCounter&) = delete;

  std::int64_t nodes() const { return nodes_; }

  /// Called for each node that a walk visits.
  static void count() {
    if (current_ != nullptr) ++current_->nodes_;
  }

 private:
  static constinit thread_local WorkCounter* current_;  // the innermost one of the thread, if there is one
  WorkCounter* outer_;
  std::int64_t nodes_ = 0;
};

}  // namespace tensordsl::ir
