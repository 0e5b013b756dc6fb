#include "onnx/shapes/fix_by_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/index_limit.h"
#include "base/text/printable.h"
#include "ir/nodes/size_conversion.h"
#include "onnx/file/read_tensor.h"
#include "ops/normalize/computed_operand.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/conversion.h"
#include "tensordsl/infer_params.h"

namespace tensordsl::onnx {
namespace {

using ops::ComputedOperand;

void note(FixedImport& fixed, const std::string& what, const std::string& value) {
  fixed.text += fmt::format("{}{} = {}", fixed.text.empty() ? "" : ", ", what, value);
}

std::string value_text(const Buffer& value) {
  return value.elements() == 1 ? fmt::format("{}", value.get(0)) : "as given";
}

/// Checks the type of a value for an input: an input that becomes a constant takes the types that it would
/// take at each run. Throws ModelError otherwise.
void require_type(const ::onnx::GraphProto& graph, const std::string& name, const Buffer& given) {
  const auto input = std::ranges::find(graph.input(), name, [](const auto& value) { return value.name(); });
  if (input == graph.input().end()) return;
  const Type type = read_type(input->type().tensor_type().elem_type(), fmt::format("input '{}'", name));
  if (converts_exactly(given.type(), type)) return;
  throw ModelError(fmt::format("the input '{}' is {}; the value given for it is {}{}{}", printable(name),
                               to_string(type), to_string(given.type()),
                               ops::to_string(ops::Ints(given.shape())), conversion_remedy(type)));
}

void fix_constants(FixedImport& fixed, const ::onnx::GraphProto& graph, const ComputedOperand& error) {
  for (const std::string& name : error.inputs()) {
    const auto given = fixed.options.inputs.find(name);
    if (given == fixed.options.inputs.end() || fixed.options.constants.contains(name)) continue;
    if (!fixed.options.untyped_inputs.contains(name)) require_type(graph, name, given->second);
    fixed.options.constants.insert(*given);
    note(fixed, name, value_text(given->second));
  }
}

/// Gives sizes to the open dimensions of an input. One that another input has too is called as in the file.
void fix_dimensions(FixedImport& fixed, const ::onnx::ValueInfoProto& input, const ops::Ints& given,
                    std::set<std::string>& met) {
  const auto& shape = input.type().tensor_type().shape();
  if (shape.dim_size() != static_cast<int>(given.size())) return;
  for (int d = 0; d < shape.dim_size(); ++d) {
    const auto& dim = shape.dim(d);
    if (dim.has_dim_value() && dim.dim_value() >= 0) continue;
    const std::string own_name = fmt::format("{}[{}]", input.name(), d);
    if (fixed.options.dims.contains(own_name)) continue;
    const bool is_named = dim.dim_param().find_first_not_of("? ") != std::string::npos;
    const std::string& name = is_named ? dim.dim_param() : own_name;
    if (!met.insert(name).second) continue;
    const std::int64_t size = given[static_cast<std::size_t>(d)];
    if (fixed.options.dims.emplace(name, size).second) note(fixed, name, fmt::format("{}", size));
  }
}

void fix_dimensions(FixedImport& fixed, const ::onnx::GraphProto& graph) {
  std::set<std::string> met;
  for (const auto& input : graph.input()) {
    const auto given = fixed.options.inputs.find(input.name());
    if (given != fixed.options.inputs.end()) fix_dimensions(fixed, input, given->second.shape(), met);
  }
}

/// True if the operand is computed from an input that cannot become a constant.
bool is_of_data(const ComputedOperand& operand) { return operand.sources().size() > operand.inputs().size(); }

/// True of a whole number that an extent may be, which runs can check.
bool is_size(const Buffer& value) {
  const bool is_number = value.elements() == 1 && (value.type() == Int(64) || value.type() == Int(32));
  return is_number && value.get_int(0) >= 0 && value.get_int(0) <= kMaxElements;
}

/// The operand has the value that it has with these inputs, where all that it is computed from are given.
void fix_value(FixedImport& fixed, const ::onnx::GraphProto& graph, const ComputedOperand& operand,
               const ValueOf& value_of) {
  const std::map<std::string, Buffer>& inputs = fixed.options.inputs;
  const bool is_given = std::ranges::all_of(
      operand.sources(), [&](const std::string& source) { return inputs.contains(source); });
  if (!is_given || fixed.options.values.contains(operand.tensor())) return;
  FixedImport all{fixed.options, {}};
  fix_dimensions(all, graph);
  for (const std::string& source : operand.sources()) {
    require_type(graph, source, inputs.at(source));
    all.options.constants.insert(*inputs.find(source));
  }
  const std::optional<Buffer> value = value_of(operand.tensor(), all.options);
  if (!value || !is_size(*value)) return;
  note(fixed, operand.tensor(), value_text(*value));
  fixed.options.values.emplace(operand.tensor(), *value);
  fixed.options.value_sources.insert(operand.sources().begin(), operand.sources().end());
}

}  // namespace

std::optional<std::string> find_misfit(const ::onnx::GraphProto& file, const Graph& graph,
                                       const std::map<std::string, Buffer>& inputs) {
  std::vector<GivenShape> shapes;
  for (const auto& input : file.input()) {
    const auto given = inputs.find(input.name());
    const auto known = graph.tensors.find(input.name());
    if (given == inputs.end() || known == graph.tensors.end()) continue;
    const ops::Shape& extents = known->second.shape;
    const auto& declared = input.type().tensor_type().shape();
    if (extents.size() != given->second.shape().size() ||
        declared.dim_size() != static_cast<int>(extents.size()))
      continue;
    GivenShape& shape = shapes.emplace_back(GivenShape{input.name(), {}, {}});
    for (int d = 0; d < declared.dim_size(); ++d) {
      if (declared.dim(d).has_dim_value() && declared.dim(d).dim_value() >= 0) continue;
      shape.extents.push_back(ir::to_size(extents[static_cast<std::size_t>(d)].expr()));
      shape.shape.push_back(given->second.shape()[static_cast<std::size_t>(d)]);
    }
  }
  ParamValues params;
  const auto misfit = [&](const std::string& name) {
    return fmt::format("the input '{}' is [{}], but the model was loaded for {}", name,
                       fmt::join(inputs.at(name).shape(), ","), to_string(graph.info(name).shape));
  };
  if (const GivenShape* unfit = infer_params(shapes, params)) return misfit(unfit->input);
  for (const GivenShape& shape : shapes) {
    for (std::size_t d = 0; d < shape.extents.size(); ++d) {
      if (runtime::has_values(shape.extents[d], params) &&
          runtime::evaluate(shape.extents[d], params) != shape.shape[d])
        return misfit(shape.input);
    }
  }
  return std::nullopt;
}

std::optional<FixedImport> fix_by_inputs(const ::onnx::GraphProto& graph, const ImportOptions& options,
                                         const Error& error, const ValueOf& value_of) {
  FixedImport fixed{options, {}};
  if (const auto* computed = dynamic_cast<const ComputedOperand*>(&error)) {
    if (is_of_data(*computed)) fix_value(fixed, graph, *computed, value_of);
    if (fixed.text.empty()) fix_constants(fixed, graph, *computed);
  }
  if (fixed.text.empty()) fix_dimensions(fixed, graph);
  return fixed.text.empty() ? std::nullopt : std::optional(std::move(fixed));
}

}  // namespace tensordsl::onnx
