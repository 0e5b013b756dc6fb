// dot_product of the IR in OpenCL C: a function for each pair of types, by what the compiler has.
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
  /// `has_dp4a`: for a device of which it is known that inline PTX has the instruction; else by what the
  /// compiler says that it has.
  explicit DotFunctions(bool has_dp4a) : has_dp4a_(has_dp4a) {}

  /// Returns the name of the function for factors of these elements, i8 or u8.
  std::string name_of(Type a, Type b);

  /// The functions that have been named. What none of the extensions has is four products.
  std::vector<std::string> helpers() const;

 private:
  bool has_dp4a_;
  std::set<std::pair<bool, bool>> signs_;  // whether a and b are signed
};

/// True if kernels may call a function of this name.
bool is_dot_function(const std::string& name);

}  // namespace tensordsl::opencl
