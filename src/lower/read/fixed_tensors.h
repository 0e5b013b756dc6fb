// Tensors whose extents are given, not inferred from their reads: Inputs and Funcs with bound().
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lower/analyze/launch_assumptions.h"
#include "lower/place/infer_bounds.h"
#include "lower/stages.h"

namespace tensordsl::lower {

class FixedTensors {
 public:
  /// Includes an output if another Func reads it.
  FixedTensors(const std::vector<Producer>& producers, const std::vector<ir::FunctionPtr>& functions);

  const std::set<std::string>& names() const { return names_; }
  bool contains(const std::string& tensor) const { return names_.contains(tensor); }
  const std::vector<Expr>& extents(const std::string& tensor) const { return extents_.at(tensor); }
  /// Returns every read of one of them.
  std::vector<ReadRegion> regions_of(const RootNest& nest) const;
  /// Returns every read of one of them that is not proven to be inside under the assumptions.
  std::vector<ReadRegion> regions_in_doubt(const RootNest& nest, const LaunchAssumptions& assumptions) const;
  /// Returns the dimensions in which the region is not proven to be inside its tensor.
  std::vector<std::size_t> dimensions_in_doubt(const ReadRegion& region,
                                               const LaunchAssumptions& assumptions) const;

 private:
  std::map<std::string, std::vector<Expr>> extents_;
  std::set<std::string> names_;
};

}  // namespace tensordsl::lower
