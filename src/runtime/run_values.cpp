#include "runtime/run_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index_limit.h"
#include "ir/expr_node.h"
#include "ir/parse.h"
#include "ir/simplify.h"
#include "runtime/check_requirements.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl {

namespace {

template <typename F>
void for_each_name(const Expr& size, F f) {
  ir::visit(size, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var) f(e->name);
    return true;
  });
}

}  // namespace

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
    throw Error(
        fmt::format("run: how much \"{}\" is depends on data, and is known after a run; run first", param));
  }
  throw Error(fmt::format("realize: no value for the Param \"{}\"; pass one under that name", param));
}

bool RunValues::is_known(const Expr& size) const {
  bool result = true;
  for_each_name(
      size, [&](const std::string& name) { result = result && (!is_count(name) || known_.contains(name)); });
  return result;
}

bool RunValues::is_known(const std::vector<Expr>& sizes) const {
  return std::ranges::all_of(sizes, [&](const Expr& size) { return is_known(size); });
}

bool RunValues::has_count(std::string_view size) const {
  bool result = false;
  if (!most_.empty())
    for_each_name(parsed(size), [&](const std::string& name) { result = result || is_count(name); });
  return result;
}

std::int64_t RunValues::value(const Expr& size) const {
  for_each_name(size, [&](const std::string& name) { require_value(name); });
  return evaluate(size, known_);
}

std::int64_t RunValues::value(std::string_view size) const { return value(parsed(size)); }

/// The same sizes are asked for in each run in which a Param is another.
const Expr& RunValues::parsed(std::string_view size) const {
  const auto known = parsed_.find(size);
  return known != parsed_.end() ? known->second : parsed_.emplace(size, ir::parse_expr(size)).first->second;
}

std::int64_t RunValues::most(const Expr& size) const {
  ir::Bounds bounds;
  for_each_name(size, [&](const std::string& name) {
    if (const auto count = most_.find(name); count != most_.end()) {
      bounds.insert_or_assign(name, ir::Interval{0, count->second});
    } else {
      require_value(name);
    }
  });
  if (bounds.empty()) return evaluate(size, known_);
  for_each_name(size, [&](const std::string& name) {
    if (!is_count(name)) bounds.insert_or_assign(name, ir::Interval::point(known_.at(name).integer()));
  });
  return ir::bounds_of(size, bounds).high;
}

std::int64_t RunValues::most(std::string_view size) const { return most(parsed(size)); }

RunShape RunValues::shape(const std::string& name, const std::vector<Expr>& extents) const {
  RunShape shape;
  for (const Expr& extent : extents) {
    shape.push_back(value(extent));
    const std::string as = ir::as_int(extent) ? "" : to_string(extent);
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
    throw Error(fmt::format(
        "run: \"{}\" was computed to be {}, and the program says that it is from 0 to {}: its file is "
        "damaged, or a kernel wrong; tensordsl diff on its model tells which",
        count.param, value, bound));
  }
  known_.insert_or_assign(count.param, value);
}

}  // namespace tensordsl
