// The Params of a Program while it runs: those that were given, and the counts, data-dependent sizes that
// kernels have computed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Extents.
using RunShape = std::vector<std::int64_t>;

class RunValues {
 public:
  /// Makes the values of a run. The Program must outlive it. Throws Error if a count's bound has no value,
  /// ShapeError if it is negative or more than a kernel can index.
  RunValues(const Program& program, ParamValues given);

  /// Returns the given Params, the counts that are known, and the steps of loops that a run is in.
  const ParamValues& known() const { return known_; }
  /// True if no user gives the Param: it is a count, or the number of a loop's step.
  bool is_count(const std::string& param) const { return most_.contains(param); }
  /// True if `size` depends on a count or on the number of a loop's step.
  bool has_count(const SizeExpr& size) const;
  /// True if `size` does not depend on a count that is not known yet.
  bool is_known(const SizeExpr& size) const;
  bool is_known(std::span<const SizeExpr> sizes) const;

  /// Checks that the Param has a value. Throws Error otherwise.
  void require_value(const std::string& param) const;
  /// Returns the value of a size. Throws Error if a Param in it has no value.
  std::int64_t value(const SizeExpr& size) const;
  /// Returns the largest value of a size for any counts. Throws as value.
  std::int64_t most(const SizeExpr& size) const;
  /// Returns the extents of the tensor called `name`. Throws as value, and ShapeError on extents that no
  /// tensor has.
  RunShape shape(const std::string& name, const std::vector<SizeExpr>& extents) const;

  /// Forgets the counts, as before a run: no count is known, and no loop has begun.
  void forget_counts();
  /// Makes the Param unknown: the loop whose steps it numbers has ended.
  void forget(const std::string& param) { known_.erase(param); }
  /// Changes the value of a Param that has one.
  void set(const std::string& param, const ParamValue& value);
  /// Sets a count. Throws Error if a kernel computed an impossible value.
  void set(const Program::Count& count, std::int64_t value);

 private:
  const Program& program_;
  ParamValues known_;
  std::map<std::string, std::int64_t> most_;  // largest value by count and by step of a loop
};

}  // namespace tensordsl::runtime
