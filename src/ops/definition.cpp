#include "ops/definition.h"

#include <algorithm>
#include <array>

#include "ops/definitions/definitions.h"

namespace tensordsl {
namespace {

struct Entry {
  std::string_view op;
  DefineOperator define = nullptr;
  bool elementwise = false;
};

constexpr bool kElementwise = true;

constexpr std::array kDefinitions{
    Entry{"Abs", definitions::abs, kElementwise},
    Entry{"Add", definitions::add, kElementwise},
    Entry{"AveragePool", definitions::average_pool},
    Entry{"BatchNormalization", definitions::batch_normalization, kElementwise},
    Entry{"Ceil", definitions::ceil, kElementwise},
    Entry{"Clip", definitions::clip, kElementwise},
    Entry{"Concat", definitions::concat},
    Entry{"Conv", definitions::conv},
    Entry{"Div", definitions::div, kElementwise},
    Entry{"Dropout", definitions::reshape},
    Entry{"Erf", definitions::erf, kElementwise},
    Entry{"Exp", definitions::exp, kElementwise},
    Entry{"Flatten", definitions::reshape},
    Entry{"Floor", definitions::floor, kElementwise},
    Entry{"Gemm", definitions::gemm},
    Entry{"GlobalAveragePool", definitions::global_average_pool},
    Entry{"GlobalMaxPool", definitions::global_max_pool},
    Entry{"HardSigmoid", definitions::hard_sigmoid, kElementwise},
    Entry{"HardSwish", definitions::hard_swish, kElementwise},
    Entry{"Identity", definitions::reshape},
    Entry{"LeakyRelu", definitions::leaky_relu, kElementwise},
    Entry{"Log", definitions::log, kElementwise},
    Entry{"MatMul", definitions::matmul},
    Entry{"Max", definitions::max, kElementwise},
    Entry{"MaxPool", definitions::max_pool},
    Entry{"Min", definitions::min, kElementwise},
    Entry{"Mul", definitions::mul, kElementwise},
    Entry{"Neg", definitions::neg, kElementwise},
    Entry{"Pad", definitions::pad},
    Entry{"Pow", definitions::pow, kElementwise},
    Entry{"Relu", definitions::relu, kElementwise},
    Entry{"Reshape", definitions::reshape},
    Entry{"Sigmoid", definitions::sigmoid, kElementwise},
    Entry{"Softmax", definitions::softmax},
    Entry{"Sqrt", definitions::sqrt, kElementwise},
    Entry{"Squeeze", definitions::reshape},
    Entry{"Sub", definitions::sub, kElementwise},
    Entry{"Tanh", definitions::tanh, kElementwise},
    Entry{"Transpose", definitions::transpose},
    Entry{"Unsqueeze", definitions::reshape},
};
static_assert(std::ranges::is_sorted(kDefinitions, {}, &Entry::op));

const Entry* find_entry(std::string_view op) {
  const auto found = std::ranges::lower_bound(kDefinitions, op, {}, &Entry::op);
  return found != kDefinitions.end() && found->op == op ? &*found : nullptr;
}

}  // namespace

DefineOperator find_definition(std::string_view op) {
  const Entry* entry = find_entry(op);
  return entry ? entry->define : nullptr;
}

bool is_elementwise(std::string_view op) {
  const Entry* entry = find_entry(op);
  return entry && entry->elementwise;
}

}  // namespace tensordsl
