// dot_product of the IR in OpenCL C: a function for each pair of types, chosen by the compiler's extensions.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/type.h"

namespace tensordsl::opencl {

/// Names the functions that kernels call, and prints them.
class DotFunctions {
 public:
  /// `has_dp4a`: the device is known to have the instruction in inline PTX; else the compiler's macros
  /// decide.
  explicit DotFunctions(bool has_dp4a) : has_dp4a_(has_dp4a) {}

  /// Returns the name of the function for factors of these elements, i8 or u8.
  std::string name_of(Type a, Type b);

  /// Returns the functions that have been named. Without an extension a function computes four products.
  std::vector<std::string> helpers() const;

 private:
  bool has_dp4a_;
  std::set<std::pair<bool, bool>> signs_;  // signedness of a and b
};

/// True if kernels may call a function of this name.
bool is_dot_function(const std::string& name);

}  // namespace tensordsl::opencl
