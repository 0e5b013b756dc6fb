// Python's lock, which other threads want while kernels are built and run.
#pragma once

#include "python/bindings/bindings.h"

namespace tensordsl::python {

/// Releases Python's lock while it lives. If Python ends meanwhile, threads other than the one that ends it
/// stay here until the process has ended: unwinding them would end it with an error.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

/// Called by Python before it ends, from the thread that ends it. Waits until no other thread uses a device:
/// drivers crash if the process ends meanwhile.
void begin_ending();
bool is_ending();
/// Called in the child of a fork, which does not have the other threads.
void forget_other_threads();

/// True if Ctrl-C was pressed, for work that polls: Python's error is set, and throw_if_interrupted() throws
/// it. Needs no lock.
bool was_interrupted();
void throw_if_interrupted();

}  // namespace tensordsl::python
