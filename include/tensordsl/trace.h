// What the interpreter and the simulator tell of the elements that are read and written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tensordsl {

/// An element that was read or written, of a Func with trace_loads() or trace_stores().
struct TraceEvent {
  /// What happened to the element: it was read, or written.
  enum class Kind { Load, Store };
  Kind kind = Kind::Load;           ///< read or written
  std::string tensor;               ///< "f", or "f.1" of a tuple's component
  std::vector<std::int64_t> index;  ///< one per dimension; of the simulator one, the place in memory
  std::string value;                ///< in digits that read back as it
  std::string kernel;               ///< that does it; empty of the interpreter

  /// "load f(3, 4) = 1.5", "kernel g: store f[12] = 1.5"
  std::string to_string() const;
};

/// Called with each such element.
using Trace = std::function<void(const TraceEvent&)>;

}  // namespace tensordsl
