// Python's lock, which other threads want while kernels are built and run.
#pragma once

#include "python/bindings/bindings.h"

namespace tensordsl::python {

/// Without Python's lock while it lives. Where Python ends meanwhile, other threads than the one that ends it
/// stay here until the process has ended: to unwind them would end it with an error.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

/// Python calls it before it ends, from the thread that ends it. Waits until no other thread uses a device:
/// drivers do not survive that as the process ends.
void begin_ending();
bool is_ending();
/// In the child of a fork, where they are not.
void forget_other_threads();

/// True if Ctrl-C was pressed, for work that polls: Python's error is set, and throw_if_interrupted() throws
/// it. Needs no lock.
bool was_interrupted();
void throw_if_interrupted();

}  // namespace tensordsl::python
