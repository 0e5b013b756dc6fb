#include "runtime/values/evaluate.h"

#include <fmt/format.h>
#include <algorithm>

#include "ir/nodes/size_conversion.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

std::int64_t evaluate(const SizeExpr& size, const ParamValues& values) {
  return size.evaluate([&](const std::string& name) {
    const auto found = values.find(name);
    if (found == values.end()) throw Error(fmt::format("\"{}\": {} has no value", to_string(size), name));
    if (found->second.is_integer()) return found->second.integer();
    throw Error(fmt::format("\"{}\": the Param \"{}\" must be an integer here, found {}", to_string(size),
                            name, found->second.to_string()));
  });
}

std::int64_t evaluate(const Expr& expression, const ParamValues& values) {
  return evaluate(ir::to_size(expression), values);
}

bool has_values(const SizeExpr& size, const ParamValues& values) {
  return std::ranges::all_of(names_in(size), [&](const std::string& name) { return values.contains(name); });
}

}  // namespace tensordsl::runtime
