// The tensors whose extents do not follow from how they are read: Inputs and Funcs with bound().
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
  /// An output is one of them if another Func reads it.
  FixedTensors(const std::vector<Producer>& producers, const std::vector<ir::FunctionPtr>& functions);

  const std::set<std::string>& names() const { return names_; }
  bool contains(const std::string& tensor) const { return names_.contains(tensor); }
  const std::vector<Expr>& extents(const std::string& tensor) const { return extents_.at(tensor); }
  /// Every read of one of them.
  std::vector<ReadRegion> regions_of(const RootNest& nest) const;
  /// Every read of one of them that is not known to be inside where the assumptions hold.
  std::vector<ReadRegion> regions_in_doubt(const RootNest& nest, const LaunchAssumptions& assumptions) const;
  /// Where the region is not known to be inside its tensor.
  std::vector<std::size_t> dimensions_in_doubt(const ReadRegion& region,
                                               const LaunchAssumptions& assumptions) const;

 private:
  std::map<std::string, std::vector<Expr>> extents_;
  std::set<std::string> names_;
};

}  // namespace tensordsl::lower
