#include "base/run_in_parallel.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace tensordsl {
namespace {

class Jobs {
 public:
  Jobs(int count, const std::function<void(int)>& work) : count_(count), work_(work) {}

  /// Main function of each thread.
  void run() {
    std::unique_lock lock(mutex_);
    while (next_ < count_) {
      const int job = next_++;
      lock.unlock();
      std::exception_ptr error;
      try {
        work_(job);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        errors_.emplace(job, error);
        next_ = count_;
      } else {
        ++done_;
      }
      changed_.notify_one();
    }
  }

  /// Returns when all are done or one has failed.
  void wait(const std::function<void(int, int)>& progress) {
    int reported = 0;
    while (reported < count_) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return done_ > reported || !errors_.empty(); });
        if (!errors_.empty()) return;
        reported = done_;
      }
      if (progress) progress(reported, count_);
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    next_ = count_;
  }

  /// Throws the first error of the threads, if there is one. Needs: they have ended.
  void rethrow_first_error() const {
    if (!errors_.empty()) std::rethrow_exception(errors_.begin()->second);
  }

 private:
  const int count_;
  const std::function<void(int)>& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int next_ = 0;
  int done_ = 0;
  std::map<int, std::exception_ptr> errors_;
};

/// Joins its threads on every way out; no job starts after that has begun.
class Threads {
 public:
  explicit Threads(Jobs& jobs) : jobs_(jobs) {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    jobs_.stop();
    for (std::thread& thread : threads_) thread.join();
  }
  void start() {
    threads_.emplace_back([this] { jobs_.run(); });
  }

 private:
  Jobs& jobs_;
  std::vector<std::thread> threads_;
};

}  // namespace

void run_in_parallel(int count, const std::function<void(int)>& work,
                     const std::function<void(int, int)>& progress, int threads_wanted) {
  Jobs jobs(count, work);
  {
    Threads threads(jobs);
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int workers = std::min(count, threads_wanted > 0 ? threads_wanted : cores);
    for (int i = 0; i < workers; ++i) threads.start();
    jobs.wait(progress);
  }
  jobs.rethrow_first_error();
}

}  // namespace tensordsl
