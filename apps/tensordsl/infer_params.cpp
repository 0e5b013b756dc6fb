#include "apps/tensordsl/infer_params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ir/expr_node.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

/// The one Param of `extent` that has no value yet.
std::optional<std::string> only_unknown(const Expr& extent, const ParamValues& params) {
  std::set<std::string> unknown;
  ir::visit(extent, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var && !params.contains(e->name)) unknown.insert(e->name);
    return true;
  });
  return unknown.size() == 1 ? std::optional(*unknown.begin()) : std::nullopt;
}

/// The value with which `extent` is `wanted`, if it is what it is of a line, or the number itself.
std::optional<std::int64_t> solve(const Expr& extent, const std::string& name, std::int64_t wanted,
                                  ParamValues params) {
  const auto at = [&](std::int64_t value) {
    params[name] = value;
    return evaluate(extent, params);
  };
  try {
    const std::int64_t base = at(0), slope = at(1) - base;
    for (const std::int64_t value : {slope == 0 ? wanted : (wanted - base) / slope, wanted})
      if (at(value) == wanted) return value;
  } catch (const Error&) {
    // What cannot be computed says nothing.
  }
  return std::nullopt;
}

/// Of an input with one Param that is not known.
[[noreturn]] void refuse_shape(const SymbolicInput& input, const Buffer& array) {
  std::vector<std::string> extents;
  for (const Expr& extent : input.shape) extents.push_back(to_string(extent));
  throw Error(fmt::format("--inputs: \"{}\" is [{}] in the file, but the model takes [{}]", input.name,
                          fmt::join(array.shape(), ", "), fmt::join(extents, ", ")));
}

}  // namespace

void infer_params(const std::vector<SymbolicInput>& inputs, const Arrays& given, ParamValues& params) {
  for (bool found = true; found;) {
    found = false;
    for (const SymbolicInput& input : inputs) {
      const auto array = given.find(input.name);
      if (array == given.end() || array->second.shape().size() != input.shape.size()) continue;
      for (std::size_t d = 0; d < input.shape.size(); ++d) {
        const auto name = only_unknown(input.shape[d], params);
        const auto value =
            name ? solve(input.shape[d], *name, array->second.shape()[d], params) : std::nullopt;
        if (value) params[*name] = *value;
        found = found || value;
      }
    }
  }
  for (const SymbolicInput& input : inputs) {
    const auto array = given.find(input.name);
    if (array == given.end()) continue;
    const auto has_unknown = [&](const Expr& extent) { return only_unknown(extent, params).has_value(); };
    if (std::ranges::any_of(input.shape, has_unknown)) refuse_shape(input, array->second);
  }
}

}  // namespace tensordsl::cli
