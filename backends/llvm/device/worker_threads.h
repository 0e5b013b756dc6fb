// Threads that run jobs in order, all of them at one job.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tensordsl::host {

/// Steps that follow one another: each is done in pieces, which threads take as they come, and the next
/// begins when all pieces are done.
class Job {
 public:
  struct Step {
    std::int64_t pieces = 0;
    std::int64_t at_once = 1;                             // pieces that a thread takes
    std::function<void(std::int64_t, std::int64_t)> run;  // pieces [first, last)
    std::function<void(bool is_end)> on_edge =
        nullptr;  // called before the first piece and after the last one
  };

  explicit Job(std::vector<Step> steps);

  /// Main function of each thread.
  void work();
  bool is_done() const { return done_.load(std::memory_order_acquire) != 0; }
  void wait() const { done_.wait(0, std::memory_order_acquire); }

 private:
  struct Progress {
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> left{0};
  };
  void wait_for(Progress& step) const;

  std::vector<Step> steps_;
  std::vector<Progress> progress_;
  std::atomic<int> done_{0};
};

class WorkerThreads {
 public:
  /// Starts `count` threads with stacks of `stack_bytes`. Throws DeviceError if the system cannot provide
  /// them.
  WorkerThreads(int count, std::size_t stack_bytes);
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  /// Ends the threads after all jobs.
  ~WorkerThreads();

  /// Starts a job after those that were started before. Throws DeviceError in a process forked after the
  /// constructor.
  void start(std::shared_ptr<Job> job);

 private:
  static void* run(void* self);
  void work();

  /// Mutex and condition for which threads wait.
  struct Waited {
    std::mutex mutex;
    std::condition_variable changed;
  };
  std::unique_ptr<Waited> waited_ = std::make_unique<Waited>();
  std::deque<std::shared_ptr<Job>>
      jobs_;  // jobs that some thread has not left yet; the first one's number is first_
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> reached_;  // number of each thread's next job
  bool is_ending_ = false;
  const pid_t process_ = getpid();
  std::vector<pthread_t> threads_;
};

}  // namespace tensordsl::host
