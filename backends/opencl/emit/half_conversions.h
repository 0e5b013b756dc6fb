// f16 in kernels that do no arithmetic on it: 16 bits in memory, the float of the same value in a register.
//
//   load          half_to_float8(vload8(0, in + i))
//   store         store_half8(v, out + i);
//   cast to f16   round_half8(v)
//
// OpenCL C 1.2 has no variable of type half, so memory is declared as ushort. Where the compiler defines
// cl_khr_fp16 the conversions are the language's, of values in registers:
//
//   convert_float4(as_half4(h))
//
// Elsewhere they are vload_half and vstore_half, from and to bits in private memory. CPUs and NVIDIA keep
// these in registers; Mesa's compiler for Adreno does not, and has the extension. Both round to nearest even
// and keep subnormals, and are one instruction where the device has it. Arithmetic on the bits gives the same
// values, but takes 4 to 7 times as long on an H100 and on PoCL. Sixteen halves are two times eight, unless
// the compiler says that it has an instruction for them.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl::opencl {

/// Prints the conversions, and the functions that they call.
class HalfConversions {
 public:
  /// Prints the floats of a vector of bits.
  std::string load(int lanes, const std::string& bits);
  std::string load_element(const std::string& array, const std::string& index);
  /// Prints the bits of a vector of floats.
  std::string to_half(const std::string& value, int lanes);
  /// Prints statements that store `value`, rounded to nearest even.
  std::string store(const std::string& value, const std::string& pointer, int lanes, bool is_local);
  std::string store_element(const std::string& value, const std::string& array, const std::string& index);
  /// Prints `value` rounded to the nearest half, as a float.
  std::string round(const std::string& value, int lanes);

  /// Returns the functions that the text so far needs.
  std::vector<std::string> helpers() const;

 private:
  std::string call(const std::string& function, int lanes, const std::string& operands);

  std::set<std::pair<std::string, int>> calls_;  // calls of functions, with a number of lanes
};

/// Returns the f32 that an f16 is rounded from, for store() and store_element().
Expr unrounded(const Expr& half);

/// True if kernels with f16 call a function of this name.
bool is_half_conversion(const std::string& name);

}  // namespace tensordsl::opencl
