#include "apps/tensordsl/infer_params.h"

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
}

}  // namespace tensordsl::cli
