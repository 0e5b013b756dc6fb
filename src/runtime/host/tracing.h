// Elements that the interpreter and the simulator report, and the callback that they report to.
#pragma once

#include <set>
#include <string>

#include "base/scalar.h"
#include "tensordsl/trace.h"

namespace tensordsl::runtime {

class Tracing {
 public:
  Trace tell;                           // callback; empty: there is no tracing
  std::set<std::string> loads, stores;  // the tensors, a tuple by its own name

  /// True if loads of a buffer are traced that holds the tensor, a component or a part of it: "f", "f.1".
  bool has_load(const std::string& buffer) const { return tell && loads.contains(tensor_of(buffer)); }
  bool has_store(const std::string& buffer) const { return tell && stores.contains(tensor_of(buffer)); }

 private:
  static std::string tensor_of(const std::string& buffer) { return buffer.substr(0, buffer.find('.')); }
};

/// Prints a number in digits that read back as it.
std::string digits_of(Type type, Scalar value);

}  // namespace tensordsl::runtime
