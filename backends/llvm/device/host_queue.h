// Queue that runs the work started on a Device in order.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "backends/llvm/device/worker_threads.h"

namespace tensordsl::host {

class HostQueue {
 public:
  HostQueue(int threads, std::size_t stack_bytes) : thread_count_(threads), threads_(threads, stack_bytes) {}

  int thread_count() const { return thread_count_; }
  void start(std::shared_ptr<Job> job) {
    // A job of nothing is done before those that were started before it.
    if (job->is_done()) return;
    const std::lock_guard lock(mutex_);
    threads_.start(job);
    last_ = std::move(job);
  }
  /// Waits for all work that was started.
  void wait() {
    std::shared_ptr<Job> last;
    {
      const std::lock_guard lock(mutex_);
      last = last_;
    }
    if (last) last->wait();
  }

 private:
  const int thread_count_;
  std::mutex mutex_;
  std::shared_ptr<Job> last_;
  WorkerThreads threads_;
};

}  // namespace tensordsl::host
