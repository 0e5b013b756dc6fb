#include "onnx/rewrite/fold_zero_points.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace tensordsl::onnx {
namespace {

using ops::OperatorOperands;

/// The inputs of an operator that are the weights and the zero points. `channel_first`: there is a zero point
/// for each of the weights' first dimension, else for each of the last one.
struct Places {
  std::string_view op;
  std::size_t weights, input_zero, weights_zero, sums;
  bool channel_first;
};

constexpr std::array kPlaces{
    Places{"ConvInteger", 1, 2, 3, 4, true}, Places{"MatMulInteger", 1, 2, 3, 4, false},
    Places{"QLinearConv", 3, 2, 5, 9, true}, Places{"QLinearMatMul", 3, 2, 5, 8, false}};

bool is_zero(const Buffer& value) {
  for (std::int64_t i = 0; i < value.elements(); ++i) {
    if (value.get_int(i) != 0) return false;
  }
  return true;
}

/// The weights less their zero points; nothing if one of them is not an i8.
std::optional<Buffer> shifted(const Buffer& weights, const Buffer& zero, bool channel_first) {
  const std::vector<std::int64_t>& shape = weights.shape();
  if (shape.empty()) return std::nullopt;
  const std::int64_t channels = channel_first ? shape.front() : shape.back();
  if (zero.elements() != 1 && (zero.shape().size() != 1 || zero.elements() != channels)) return std::nullopt;
  Buffer result(Int(8), shape);
  const std::int64_t of_channel = channels > 0 ? weights.elements() / channels : 0;
  constexpr std::int64_t kLeast = -128, kMost = 127;
  for (std::int64_t i = 0; i < weights.elements(); ++i) {
    const std::int64_t channel = channel_first ? i / of_channel : i % channels;
    const std::int64_t value = weights.get_int(i) - zero.get_int(zero.elements() == 1 ? 0 : channel);
    if (value < kLeast || value > kMost) return std::nullopt;
    result.set_int(i, value);
  }
  return result;
}

/// Sums the weights of each output channel or, for a matrix, of each column.
Buffer sums_of(const Buffer& weights, bool channel_first) {
  const std::vector<std::int64_t>& shape = weights.shape();
  std::vector<std::int64_t> of_sums;
  std::int64_t depth = 1, inner = 1;
  if (channel_first) {
    of_sums = {shape[0]};
    for (std::size_t d = 1; d < shape.size(); ++d) depth *= shape[d];
  } else {
    of_sums = shape;
    const auto rows = of_sums.end() - (shape.size() > 1 ? 2 : 1);
    depth = *rows;
    if (shape.size() > 1) inner = shape.back();
    of_sums.erase(rows);
    if (of_sums.empty()) of_sums = {1};
  }
  Buffer sums(Int(32), of_sums);
  for (std::int64_t i = 0; i < sums.elements(); ++i) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      sum += weights.get_int((i / inner * depth + k) * inner + i % inner);
    sums.set_int(i, static_cast<std::int32_t>(sum));
  }
  return sums;
}

class ZeroPoints {
 public:
  ZeroPoints(OperatorOperands& operands, const GraphConstants& constants, const Places& places)
      : operands_(operands), constants_(constants), places_(places) {}

  void fold() {
    leave_out_zeros(places_.input_zero);
    leave_out_zeros(places_.weights_zero);
    const Buffer* weights = value(places_.weights);
    if (!weights || weights->shape().empty()) return;
    std::optional<Buffer> less_zero;
    if (const Buffer* zero = value(places_.weights_zero)) {
      less_zero = shifted(*weights, *zero, places_.channel_first);
      if (!less_zero) return;
      replace(places_.weights, ".less_zero", *less_zero);
      leave_out(places_.weights_zero);
      weights = &*less_zero;
    }
    if (operands_.has_input(places_.weights_zero) || !operands_.has_input(places_.input_zero)) return;
    operands_.inputs.resize(places_.sums + 1);
    operands_.infos.resize(places_.sums + 1);
    replace(places_.sums, ".sums", sums_of(*weights, places_.channel_first));
  }

 private:
  const Buffer* value(std::size_t i) const { return operands_.has_input(i) ? constants_.value(i) : nullptr; }

  void leave_out(std::size_t i) {
    operands_.inputs[i].reset();
    operands_.infos[i] = {};
  }

  void leave_out_zeros(std::size_t i) {
    const Buffer* zero = value(i);
    if (zero && is_zero(*zero)) leave_out(i);
  }

  void replace(std::size_t i, const char* what, const Buffer& constant) {
    const std::string name = operands_.infos[places_.weights].name + what;
    ops::Shape shape;
    for (const std::int64_t extent : constant.shape()) shape.emplace_back(extent);
    operands_.inputs[i] = constants_.add(name, constant);
    operands_.infos[i] = {name, constant.type(), shape};
  }

  OperatorOperands& operands_;
  const GraphConstants& constants_;
  const Places& places_;
};

}  // namespace

void fold_zero_points(std::string_view op, OperatorOperands& operands, const GraphConstants& constants) {
  const auto places = std::ranges::find(kPlaces, op, &Places::op);
  if (places != kPlaces.end()) ZeroPoints(operands, constants, *places).fold();
}

}  // namespace tensordsl::onnx
