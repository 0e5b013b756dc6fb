#include "python/bindings/python_lock.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace tensordsl::python {
namespace {

/// State of the process's end, one for the process as Python is.
struct Ending {
  std::atomic<bool> has_begun = false;
  std::atomic<int> working = 0;  // threads that work without Python's lock
  std::thread::id main;          // the thread that ends Python
};

Ending& ending() {
  static Ending of_process;
  return of_process;
}

bool is_left_behind() { return ending().has_begun && std::this_thread::get_id() != ending().main; }

[[noreturn]] void stay() {
  --ending().working;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

bool is_ending() { return ending().has_begun; }

void begin_ending() {
  ending().main = std::this_thread::get_id();
  ending().has_begun = true;
  const Unlocked unlocked;
  while (ending().working > 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void forget_other_threads() { ending().working = 0; }

// A thread with Python's lock is counted from before it releases the lock until it holds it again: the thread
// that ends Python sees either that it works, or that it will stay.
Unlocked::Unlocked() {
  ++ending().working;
  state_ = PyEval_SaveThread();
  if (is_left_behind()) stay();
}

Unlocked::~Unlocked() {
  if (is_left_behind()) stay();
  PyEval_RestoreThread(state_);
  --ending().working;
}

bool was_interrupted() {
  if (is_left_behind()) return true;
  const nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

void throw_if_interrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}

}  // namespace tensordsl::python
