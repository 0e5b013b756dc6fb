#include "python/bindings/python_lock.h"

#include <chrono>
#include <thread>

namespace tensordsl::python {

bool is_ending() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

Unlocked::Unlocked() : was_ending_(is_ending()), state_(PyEval_SaveThread()) {}

Unlocked::~Unlocked() {
  while (is_ending() && !was_ending_) std::this_thread::sleep_for(std::chrono::hours(1));
  PyEval_RestoreThread(state_);
}

bool was_interrupted() {
  if (is_ending()) return true;
  const nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

void throw_if_interrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}

}  // namespace tensordsl::python
