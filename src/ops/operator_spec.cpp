#include "ops/operator_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ops/tables/tables.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

constexpr std::array kTables{
    tables::attention,  tables::contributed, tables::elementwise,   tables::indexing,     tables::logic,
    tables::matrices,   tables::movement,    tables::normalization, tables::quantization, tables::recurrent,
    tables::reductions, tables::resampling,  tables::signals,       tables::sizes,        tables::windows};

/// `is_present` has an element for each input.
void check_inputs(const OperatorSpec& spec, const std::vector<bool>& is_present) {
  const std::size_t count = is_present.size();
  if (count < spec.inputs.least || count > spec.inputs.most) {
    const std::string allowed = spec.inputs.least == spec.inputs.most ? fmt::format("{}", spec.inputs.least)
                                : spec.inputs.most == tables::kAny
                                    ? fmt::format("{} or more", spec.inputs.least)
                                    : fmt::format("{} to {}", spec.inputs.least, spec.inputs.most);
    throw ModelError(fmt::format("{} inputs are given; it takes {}", count, allowed));
  }
  const std::size_t required = spec.inputs.most == tables::kAny ? count : spec.inputs.least;
  for (std::size_t i = 0; i < required; ++i) {
    const bool is_optional = i < 32 && (spec.inputs.optional >> i & 1U) != 0;
    if (!is_present[i] && !is_optional) throw ModelError(fmt::format("input {} is absent", i));
  }
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

}  // namespace

std::string operator_key(std::string_view domain, std::string_view op) {
  if (domain.empty() || domain == "ai.onnx") return std::string(op);
  return fmt::format("{}.{}", domain, op);
}

bool is_contributed(std::string_view key) { return key.find('.') != std::string_view::npos; }

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
  const auto step = std::ranges::find(tables::steps(), name, &OperatorSpec::name);
  return step == tables::steps().end() ? nullptr : &*step;
}

void check_node(const OperatorSpec& spec, const Node& node) {
  std::vector<bool> is_present;
  for (const std::string& input : node.inputs) is_present.push_back(!input.empty());
  check_inputs(spec, is_present);
  check_attributes(spec, node.attributes);
}

InferredNode infer(const OperatorSpec& spec, const OperatorCall& call) {
  if (!spec.infer) throw InternalError(fmt::format("{} has no shape rule", spec.name));
  std::vector<bool> is_present;
  for (const TensorInfo* input : call.inputs) is_present.push_back(input != nullptr);
  check_inputs(spec, is_present);
  check_attributes(spec, call.attributes);
  InferredNode result = spec.infer(call);
  for (const auto& [type, shape] : result.outputs) {
    if (std::ranges::any_of(shape, [](const Size& extent) { return is_less(extent, 0) == true; }))
      throw ShapeError(fmt::format("the output would be {}; an extent is negative", to_string(shape)));
    check_tensor(type, shape);
  }
  return result;
}

}  // namespace tensordsl::ops
