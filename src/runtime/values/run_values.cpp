#include "runtime/values/run_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/values/bounds_of_size.h"
#include "runtime/values/check_requirements.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

RunValues::RunValues(const Program& program, ParamValues given)
    : program_(program), known_(std::move(given)) {
  std::size_t counts = 0;
  const auto add_counts_until = [&](std::size_t end) {
    for (; counts < std::min(end, program.counts.size()); ++counts) {
      const Program::Count& count = program.counts[counts];
      const std::int64_t bound = most(count.bound);
      require_extent(count.param, 0, bound);
      known_.erase(count.param);
      most_.emplace(count.param, bound);
    }
  };
  for (const Program::Loop& loop : program.loops) {
    add_counts_until(loop.begin.counts);
    const std::int64_t steps = std::max(most(loop.steps), std::int64_t{0});
    for (const std::string& param : {loop.step, loop.taken}) {
      if (param.empty()) continue;
      known_.erase(param);
      most_.emplace(param, steps);
    }
  }
  add_counts_until(program.counts.size());
}

void RunValues::require_value(const std::string& param) const {
  if (known_.contains(param)) return;
  if (is_count(param)) {
    throw Error(fmt::format(
        "run: the value of \"{}\" depends on data and is not known before a run; run first", param));
  }
  throw Error(fmt::format("no value for the Param \"{}\"; pass one with this name", param));
}

bool RunValues::is_known(const SizeExpr& size) const {
  return std::ranges::all_of(
      names_in(size), [&](const std::string& name) { return !is_count(name) || known_.contains(name); });
}

bool RunValues::is_known(std::span<const SizeExpr> sizes) const {
  return std::ranges::all_of(sizes, [&](const SizeExpr& size) { return is_known(size); });
}

bool RunValues::has_count(const SizeExpr& size) const {
  return !most_.empty() &&
         std::ranges::any_of(names_in(size), [&](const std::string& name) { return is_count(name); });
}

std::int64_t RunValues::value(const SizeExpr& size) const {
  for (const std::string& name : names_in(size)) require_value(name);
  return evaluate(size, known_);
}

std::int64_t RunValues::most(const SizeExpr& size) const {
  for (const std::string& name : names_in(size)) {
    if (!is_count(name)) require_value(name);
  }
  if (!has_count(size)) return evaluate(size, known_);
  return bounds_of(size,
                   [&](const std::string& name) {
                     const auto count = most_.find(name);
                     return count != most_.end() ? ir::Interval{0, count->second}
                                                 : ir::Interval::point(known_.at(name).integer());
                   })
      .high;
}

RunShape RunValues::shape(const std::string& name, const std::vector<SizeExpr>& extents) const {
  RunShape shape;
  for (const SizeExpr& extent : extents) {
    shape.push_back(value(extent));
    const std::string as = extent.constant() ? "" : to_string(extent);
    require_extent(name, static_cast<int>(shape.size()) - 1, shape.back(), as);
  }
  return shape;
}

void RunValues::forget_counts() {
  for (const auto& [param, most] : most_) known_.erase(param);
}

void RunValues::set(const std::string& param, const ParamValue& value) {
  known_.insert_or_assign(param, value);
}

void RunValues::set(const Program::Count& count, std::int64_t value) {
  const std::int64_t bound = RunValues::value(count.bound);
  if (value < 0 || value > bound) {
    throw Error(
        fmt::format("run: \"{}\" was computed as {}, but the program limits it to 0 to {}; its file is "
                    "damaged or a kernel is wrong (run tensordsl diff on its model)",
                    count.param, value, bound));
  }
  known_.insert_or_assign(count.param, value);
}

}  // namespace tensordsl::runtime
