// Events by which the interpreter and the simulator report elements that are read and written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tensordsl {

/// An element that was read or written, of a Func with trace_loads() or trace_stores().
struct TraceEvent {
  /// Kind of the access.
  enum class Kind { Load, Store };
  Kind kind = Kind::Load;           ///< read or written
  std::string tensor;               ///< "f", or "f.1" for a component of a tuple
  std::vector<std::int64_t> index;  ///< one index per dimension; from the simulator one, the position in
                                    ///< memory
  std::string value;                ///< value, in digits that read back as it
  std::string kernel;               ///< kernel that makes the access; empty from the interpreter

  /// Returns a text such as "load f(3, 4) = 1.5" or "kernel g: store f[12] = 1.5".
  std::string to_string() const;
};

/// Callback for each element that is read of a Func with trace_loads(), or written of one with
/// trace_stores().
using Trace = std::function<void(const TraceEvent&)>;

}  // namespace tensordsl
