#include "ops/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ops/tables/tables.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

constexpr std::array kTables{
    tables::attention,  tables::elementwise,   tables::indexing,     tables::logic,     tables::matrices,
    tables::movement,   tables::normalization, tables::quantization, tables::recurrent, tables::reductions,
    tables::resampling, tables::signals,       tables::sizes,        tables::windows};

void check_inputs(const OperatorSpec& spec, const OperatorCall& call) {
  const std::size_t count = call.inputs.size();
  if (count < spec.inputs.least || count > spec.inputs.most) {
    const std::string allowed = spec.inputs.least == spec.inputs.most ? fmt::format("{}", spec.inputs.least)
                                : spec.inputs.most == tables::kAny
                                    ? fmt::format("{} or more", spec.inputs.least)
                                    : fmt::format("{} to {}", spec.inputs.least, spec.inputs.most);
    throw ModelError(fmt::format("{} inputs are given; it takes {}", count, allowed));
  }
  const std::size_t required = spec.inputs.most == tables::kAny ? count : spec.inputs.least;
  for (std::size_t i = 0; i < required; ++i) {
    if (!call.inputs[i]) throw ModelError(fmt::format("input {} is absent", i));
  }
}

}  // namespace

std::vector<OperatorSpec> operators() {
  std::vector<OperatorSpec> all;
  for (const auto table : kTables) all.insert(all.end(), table().begin(), table().end());
  std::ranges::sort(all, {}, &OperatorSpec::name);
  return all;
}

const OperatorSpec* find_operator(std::string_view name) {
  for (const auto table : kTables) {
    const auto found = std::ranges::lower_bound(table(), name, {}, &OperatorSpec::name);
    if (found != table().end() && found->name == name) return &*found;
  }
  return nullptr;
}

void check_attributes(const OperatorSpec& spec, const Attributes& attributes) {
  for (const auto& [name, value] : attributes.values()) {
    if (std::ranges::find(spec.attributes, name) != spec.attributes.end()) continue;
    std::vector<std::string_view> known(spec.attributes.begin(), std::ranges::find(spec.attributes, ""));
    throw ModelError(fmt::format("attribute {} = {} is not supported; supported attributes: {}", name,
                                 to_string(value),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

InferredNode infer(const OperatorSpec& spec, const OperatorCall& call) {
  if (!spec.infer) throw InternalError(fmt::format("{} has no shape rule", spec.name));
  check_inputs(spec, call);
  check_attributes(spec, call.attributes);
  InferredNode result = spec.infer(call);
  for (const auto& [type, shape] : result.outputs) {
    if (std::ranges::any_of(shape, [](const Size& extent) { return is_less(extent, 0) == true; }))
      throw ShapeError(fmt::format("the output would be {}; an extent is negative", to_string(shape)));
    check_tensor(type, shape);
  }
  return result;
}

}  // namespace tensordsl
