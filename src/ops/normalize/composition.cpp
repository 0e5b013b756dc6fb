#include "ops/normalize/composition.h"

#include <fmt/format.h>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

Attributes attributes_of(std::initializer_list<std::pair<const char*, Attributes::Value>> values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  return attributes;
}

std::string Composition::add(const std::string& step, const std::string& op, std::vector<std::string> inputs,
                             Attributes attributes) {
  return add_outputs(step, op, std::move(inputs), std::move(attributes), 1)[0];
}

std::vector<std::string> Composition::add_outputs(const std::string& step, const std::string& op,
                                                  std::vector<std::string> inputs, Attributes attributes,
                                                  std::size_t count) {
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string base = fmt::format("{}.{}", of_.outputs[0], step);
    outputs.push_back(context_.fresh_tensor(i == 0 ? base : fmt::format("{}.{}", base, i)));
  }
  nodes_.push_back(
      {fmt::format("{}.{}", of_.name, step), op, std::move(inputs), outputs, std::move(attributes)});
  return outputs;
}

std::string Composition::constant(const std::string& step, Buffer value) {
  std::string name = context_.fresh_tensor(fmt::format("{}.{}", of_.outputs[0], step));
  context_.add_constant(name, std::move(value));
  return name;
}

void Composition::give(std::size_t i, const std::string& tensor) {
  if (i >= of_.outputs.size() || of_.outputs[i].empty()) return;
  nodes_.push_back({of_.name, "Identity", {tensor}, {of_.outputs[i]}, {}});
}

std::string Composition::reshape(const std::string& step, const std::string& tensor, const Shape& shape) {
  return add(step, "Reshape", {tensor},
             attributes_of({{"shape", Sizes(shape)}, {"allowzero", std::int64_t{1}}}));
}

std::string Composition::transpose(const std::string& step, const std::string& tensor, const Ints& perm) {
  return add(step, "Transpose", {tensor}, attributes_of({{"perm", perm}}));
}

std::string Composition::part(const std::string& step, const std::string& tensor, std::size_t rank,
                              std::size_t axis, const Size& begin, const Size& left) {
  if (begin == Size(0) && left == Size(0)) return tensor;
  Sizes pads(2 * rank, 0);
  pads[axis] = Size(0) - begin;
  pads[axis + rank] = Size(0) - left;
  return add(step, "Pad", {tensor}, attributes_of({{"pads", pads}}));
}

std::string Composition::slice(const std::string& step, const std::string& tensor, std::int64_t axis,
                               const Size& begin, const Size& end) {
  return add(step, "Slice", {tensor},
             attributes_of({{"starts", Sizes{begin}},
                            {"ends", Sizes{end}},
                            {"axes", Ints{axis}},
                            {"placed", std::int64_t{1}}}));
}

std::string Composition::concat(const std::string& step, std::vector<std::string> tensors,
                                std::int64_t axis) {
  if (tensors.size() == 1) return tensors[0];
  Node whole{fmt::format("{}.{}", of_.name, step),
             "Concat",
             std::move(tensors),
             {context_.fresh_tensor(fmt::format("{}.{}", of_.outputs[0], step))},
             attributes_of({{"axis", axis}})};
  std::string name = whole.outputs[0];
  for (Node& node : concat_in_levels(context_, std::move(whole))) nodes_.push_back(std::move(node));
  return name;
}

}  // namespace tensordsl::ops::normalize
