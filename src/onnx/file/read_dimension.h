// The extents of a model's inputs: numbers, names of symbolic dimensions, sums and products of such.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ops/size.h"

namespace tensordsl::onnx {

/// Gives each symbolic dimension its size, or a Param if none is given.
class Dimensions {
 public:
  /// Sizes by the names that the file has.
  explicit Dimensions(const std::map<std::string, std::int64_t>& given) : given_(given) {}

  /// Returns the size of the dimension `own_name`, as "x[2]", which the file calls `text`: "batch", or
  /// "past + sequence" over the names in it. One that is called nothing or "?" is a dimension of its own, as
  /// one for which a size is given by its own name. Throws ModelError.
  ops::Size read(const std::string& own_name, const std::string& text);
  /// Checks that read() has met each name for which a size is given. Throws ModelError otherwise.
  void check_given_are_used() const;

 private:
  ops::Size named(const std::string& name);

  const std::map<std::string, std::int64_t>& given_;
  std::set<std::string> met_;
  std::map<std::string, std::string>
      has_own_size_;                           // names in the file of dimensions with sizes of their own
  std::map<std::string, std::string> params_;  // the Param of each name, which only has letters and digits
};

}  // namespace tensordsl::onnx
