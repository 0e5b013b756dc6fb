#include "backends/llvm/device/worker_threads.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <utility>

#include "tensordsl/error.h"

namespace tensordsl::host {

Job::Job(std::vector<Step> steps) : steps_(std::move(steps)), progress_(steps_.size()) {
  // A step that reports its end has one more piece to wait for: the report.
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].pieces > 0) progress_[i].left = steps_[i].pieces + (steps_[i].on_edge ? 1 : 0);
  }
  if (std::ranges::all_of(steps_, [](const Step& step) { return step.pieces == 0; })) done_ = 1;
}

void Job::wait_for(Progress& step) const {
  // Steps are short: to sleep takes longer than most of them.
  constexpr int kRounds = 4000;
  for (int round = 0; round < kRounds; ++round) {
    if (step.left.load(std::memory_order_acquire) == 0) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  for (std::int64_t left = step.left.load(std::memory_order_acquire); left != 0;
       left = step.left.load(std::memory_order_acquire)) {
    step.left.wait(left, std::memory_order_acquire);
  }
}

void Job::work() {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    Progress& progress = progress_[i];
    if (step.pieces == 0) continue;
    while (true) {
      const std::int64_t first = progress.next.fetch_add(step.at_once, std::memory_order_relaxed);
      if (first >= step.pieces) break;
      const std::int64_t last = std::min(first + step.at_once, step.pieces);
      if (first == 0 && step.on_edge) step.on_edge(false);
      step.run(first, last);
      const std::int64_t done = last - first, left = step.on_edge ? 1 : 0;
      if (progress.left.fetch_sub(done, std::memory_order_acq_rel) - done != left) continue;
      if (step.on_edge) {
        step.on_edge(true);
        progress.left.store(0, std::memory_order_release);
      }
      progress.left.notify_all();
    }
    wait_for(progress);
  }
  if (done_.exchange(1, std::memory_order_acq_rel) == 0) done_.notify_all();
}

WorkerThreads::WorkerThreads(int count, std::size_t stack_bytes)
    : reached_(static_cast<std::size_t>(count), 0) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  int error = 0;
  const std::lock_guard lock(waited_->mutex);
  for (int i = 0; i < count && error == 0; ++i) {
    pthread_t thread{};
    error = pthread_create(&thread, &attributes, run, this);
    if (error == 0) threads_.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  if (threads_.empty())
    throw DeviceError(
        fmt::format("this machine's processor: cannot start a thread: {}", std::strerror(error)));
  reached_.resize(threads_.size());
}

WorkerThreads::~WorkerThreads() {
  if (process_ != getpid()) {
    // A forked process has only the thread that forked; destroying the condition variable would wait for the
    // others.
    static_cast<void>(waited_.release());
    return;
  }
  {
    const std::lock_guard lock(waited_->mutex);
    is_ending_ = true;
  }
  waited_->changed.notify_all();
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

void WorkerThreads::start(std::shared_ptr<Job> job) {
  if (process_ != getpid()) {
    throw DeviceError(
        "this machine's processor: the Device was opened before this process was forked, and has no threads "
        "here; open one after the fork");
  }
  {
    const std::lock_guard lock(waited_->mutex);
    jobs_.push_back(std::move(job));
  }
  waited_->changed.notify_all();
}

void* WorkerThreads::run(void* self) {
  // Floating-point settings of the thread that opened the Device are not inherited: traps, or denormals taken
  // for 0.
  std::fesetenv(FE_DFL_ENV);
  // Signals that are sent to the process are for the program's threads.
  sigset_t sent;
  sigfillset(&sent);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&sent, own);
  pthread_sigmask(SIG_BLOCK, &sent, nullptr);
  static_cast<WorkerThreads*>(self)->work();
  return nullptr;
}

void WorkerThreads::work() {
  std::unique_lock lock(waited_->mutex);
  const auto self = static_cast<std::size_t>(
      std::ranges::find_if(threads_,
                           [](pthread_t thread) { return pthread_equal(thread, pthread_self()) != 0; }) -
      threads_.begin());
  while (true) {
    std::uint64_t& next = reached_[self];
    waited_->changed.wait(lock, [&] { return is_ending_ || next < first_ + jobs_.size(); });
    if (next == first_ + jobs_.size()) return;
    const std::shared_ptr<Job> job = jobs_[next - first_];
    lock.unlock();
    job->work();
    lock.lock();
    ++next;
    while (!jobs_.empty() && *std::ranges::min_element(reached_) > first_) {
      jobs_.pop_front();
      ++first_;
    }
  }
}

}  // namespace tensordsl::host
