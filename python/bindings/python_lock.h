// Python's lock, which other threads want while kernels are built and run.
#pragma once

#include "python/bindings/bindings.h"

namespace tensordsl::python {

/// Whether Python is ending: then no other thread gets its lock again.
bool is_ending();

/// Without Python's lock while it lives. Where Python ends meanwhile, a thread that was left behind stays here
/// until the process has ended: to unwind it would end the process with an error.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  bool was_ending_;  // in the thread that ends Python, as modules go
  PyThreadState* state_;
};

/// Whether Ctrl-C was pressed, for work that asks now and then: Python's error is set, and throw_if_interrupted()
/// throws it. Needs no lock.
bool was_interrupted();
void throw_if_interrupted();

}  // namespace tensordsl::python
