#include "ops/normalize/contributed/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ops/element_types.h"

namespace tensordsl::ops::normalize::contributed {

bool Rewrite::flag(const char* name) const {
  const std::int64_t value = integer(name, 0);
  if (value != 0 && value != 1)
    refuse(node_, fmt::format("attribute {} = {} is not supported; supported: 0, 1", name, value));
  return value == 1;
}

Attributes Rewrite::attributes(std::initializer_list<const char*> names) const {
  Attributes some;
  for (const char* name : names) {
    if (node_.attributes.has(name)) some.set(name, node_.attributes.values().find(name)->second);
  }
  return some;
}

std::string Rewrite::scalar(const std::string& step, Type type, double value) {
  Buffer number(type, {});
  number.set(0, value);
  return constant(step, std::move(number));
}

std::string Rewrite::scalar(const std::string& step, std::size_t i) {
  if (element_count(shape(i)) != Size(1))
    refuse(node_, fmt::format("input {} is {}; it must be one number", i, to_string(info(i))));
  return shape(i).empty() ? input(i) : reshape(step, input(i), {});
}

std::string Rewrite::cast(const std::string& step, const std::string& tensor, Type type) {
  return add(step, "Cast", {tensor}, attributes_of({{"to", element_type_number(type)}}));
}

std::string Rewrite::channels_last(const std::string& step, const std::string& tensor, std::size_t rank) {
  Ints perm{0};
  for (std::size_t d = 2; d < rank; ++d) perm.push_back(static_cast<std::int64_t>(d));
  perm.push_back(1);
  return transpose(step, tensor, perm);
}

std::string Rewrite::channels_first(const std::string& step, const std::string& tensor, std::size_t rank) {
  Ints perm{0, static_cast<std::int64_t>(rank) - 1};
  for (std::size_t d = 1; d + 1 < rank; ++d) perm.push_back(static_cast<std::int64_t>(d));
  return transpose(step, tensor, perm);
}

std::string Rewrite::sum(const std::string& step, const std::vector<std::string>& tensors) {
  std::string total;
  for (const std::string& tensor : tensors) {
    if (tensor.empty()) continue;
    total = total.empty() ? tensor : add(step, "Add", {total, tensor});
  }
  return total;
}

std::string Rewrite::dequantize(const std::string& step, const std::string& x, const std::string& scale,
                                const std::string& zero) {
  std::vector<std::string> inputs{x, scale};
  if (!zero.empty()) inputs.push_back(zero);
  return add(step, "DequantizeLinear", inputs);
}

std::string Rewrite::quantize(const std::string& step, const std::string& x, const std::string& scale,
                              const std::string& zero, Type type) {
  std::vector<std::string> inputs{x, scale};
  if (!zero.empty()) inputs.push_back(zero);
  return add(step, "QuantizeLinear", inputs, attributes_of({{"output_dtype", element_type_number(type)}}));
}

std::string Rewrite::activation(const std::string& tensor, const std::string& name, Attributes attributes) {
  constexpr std::array kActivations{"Clip",     "Elu",  "HardSigmoid",    "LeakyRelu",
                                    "Relu",     "Selu", "Sigmoid",        "Softplus",
                                    "Softsign", "Tanh", "ThresholdedRelu"};
  if (std::ranges::find(kActivations, name) == kActivations.end()) {
    std::string known;
    for (const char* each : kActivations) known += fmt::format("{}{}", known.empty() ? "" : ", ", each);
    refuse(node_, fmt::format("attribute activation = \"{}\" is not supported; supported: {}", name, known));
  }
  return add("activation", name, {tensor}, std::move(attributes));
}

void require_type(const Rewrite& made, std::size_t i, std::initializer_list<Type> types) {
  if (std::ranges::find(types, made.info(i).type) != types.end()) return;
  std::string known;
  for (const Type type : types) known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(type));
  refuse(made.node(), fmt::format("input {} is {}; supported: {}", i, to_string(made.info(i)), known));
}

}  // namespace tensordsl::ops::normalize::contributed
