#include "tensordsl/infer_params.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// The one Param of `extent` that has no value yet.
std::optional<std::string> only_unknown(const SizeExpr& extent, const ParamValues& params) {
  std::set<std::string> unknown;
  for (const std::string& name : names_in(extent)) {
    if (!params.contains(name)) unknown.insert(name);
  }
  return unknown.size() == 1 ? std::optional(*unknown.begin()) : std::nullopt;
}

/// An extent as a function of one Param.
class ExtentOf {
 public:
  ExtentOf(const SizeExpr& extent, const std::string& param, const ParamValues& params)
      : extent_(extent), param_(param), params_(params) {}

  /// Returns the value with which the extent is `wanted`: as on a line, the number itself, or the smallest of
  /// an extent that does not fall.
  std::optional<std::int64_t> solve(std::int64_t wanted) {
    try {
      const std::int64_t base = at(0), slope = at(1) - base;
      for (const std::int64_t value : {slope == 0 ? wanted : (wanted - base) / slope, wanted})
        if (at(value) == wanted) return value;
      const auto smallest = smallest_of(wanted);
      return smallest && at(*smallest) == wanted ? smallest : std::nullopt;
    } catch (const Error&) {
      return std::nullopt;  // an extent that cannot be computed determines nothing
    }
  }

 private:
  std::int64_t at(std::int64_t value) {
    params_[param_] = value;
    return runtime::evaluate(extent_, params_);
  }

  /// Returns the smallest value with which the extent is `wanted` or more, if it does not fall.
  std::optional<std::int64_t> smallest_of(std::int64_t wanted) {
    std::int64_t below = 0, high = 1;
    for (; at(high) < wanted; high *= 2) {
      if (high > std::numeric_limits<std::int32_t>::max() / 2) return std::nullopt;
      below = high;
    }
    while (below < high) {
      const std::int64_t middle = below + (high - below) / 2;
      if (at(middle) < wanted) {
        below = middle + 1;
      } else {
        high = middle;
      }
    }
    return high;
  }

  const SizeExpr& extent_;
  const std::string& param_;
  ParamValues params_;
};

}  // namespace

const GivenShape* infer_params(std::span<const GivenShape> inputs, ParamValues& params) {
  for (bool found = true; found;) {
    found = false;
    for (const GivenShape& input : inputs) {
      if (input.shape.size() != input.extents.size()) continue;
      for (std::size_t d = 0; d < input.extents.size(); ++d) {
        const auto name = only_unknown(input.extents[d], params);
        const auto value =
            name ? ExtentOf(input.extents[d], *name, params).solve(input.shape[d]) : std::nullopt;
        if (value) params[*name] = *value;
        found = found || value;
      }
    }
  }
  for (const GivenShape& input : inputs) {
    const auto has_unknown = [&](const SizeExpr& extent) { return only_unknown(extent, params).has_value(); };
    if (std::ranges::any_of(input.extents, has_unknown)) return &input;
  }
  return nullptr;
}

}  // namespace tensordsl
