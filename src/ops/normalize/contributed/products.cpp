// Products of matrices and convolutions that include the operators before or after them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

/// The matrix `tensor` of `rank` dimensions with its last two swapped.
std::string transposed(Rewrite& made, const std::string& step, const std::string& tensor, std::size_t rank) {
  if (rank < 2) return tensor;
  Ints perm(rank);
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[rank - 1], perm[rank - 2]);
  return made.transpose(step, tensor, perm);
}

/// Returns input `i` of FusedMatMul: its outermost rows are moved after the batches, and then it is
/// transposed, as its flags ask.
std::string matrix(Rewrite& made, std::size_t i, const char* trans_batch, const char* trans) {
  const std::size_t rank = made.shape(i).size();
  std::string tensor = made.input(i);
  if (made.flag(trans_batch) && rank > 2) {
    Ints perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
    tensor = made.transpose(fmt::format("batches{}", i), tensor, perm);
  }
  return made.flag(trans) ? transposed(made, fmt::format("transposed{}", i), tensor, rank) : tensor;
}

/// The integer product of `a` and `b` times its scales, in f32.
std::string scaled_product(Rewrite& made, const std::vector<std::string>& integers,
                           const std::string& scales) {
  const std::string product = made.add("product", "MatMulInteger", integers);
  return made.add("scaled", "Mul", {made.cast("product_value", product, Float(32)), scales});
}

}  // namespace

std::vector<Node> fused_matmul(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::string a = matrix(made, 0, "transBatchA", "transA"),
                    b = matrix(made, 1, "transBatchB", "transB");
  std::string y = made.add("product", "MatMul", {a, b});
  if (const double alpha = made.number("alpha", 1); alpha != 1)
    y = made.add("scaled", "Mul", {y, made.scalar("alpha", made.info(0).type, alpha)});
  made.give(0, y);
  return made.take();
}

std::vector<Node> fused_gemm(NodeContext& context, Node node) {
  Rewrite made(context, node);
  std::string y =
      made.add("gemm", "Gemm", node.inputs, made.attributes({"alpha", "beta", "transA", "transB"}));
  if (const std::string name = node.attributes.get<std::string>("activation", ""); !name.empty()) {
    Attributes attributes;
    for (const char* each : {"alpha", "beta", "gamma"}) {
      const std::string given = fmt::format("activation_{}", each);
      if (node.attributes.has(given)) attributes.set(each, node.attributes.get<double>(given));
    }
    y = made.activation(y, name, std::move(attributes));
  }
  made.give(0, y);
  return made.take();
}

std::vector<Node> fused_conv(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::vector<std::string> inputs(
      node.inputs.begin(),
      node.inputs.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(node.inputs.size(), 3)));
  std::string y =
      made.add("conv", "Conv", inputs,
               made.attributes({"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}));
  y = made.sum("sum", {y, made.input(3)});
  if (const std::string name = node.attributes.get<std::string>("activation", ""); !name.empty()) {
    constexpr std::array<std::pair<const char*, std::array<const char*, 2>>, 3> kParameters{
        {{"Clip", {"min", "max"}}, {"HardSigmoid", {"alpha", "beta"}}, {"LeakyRelu", {"alpha", ""}}}};
    const auto values = node.attributes.get<std::vector<double>>("activation_params", {});
    Attributes attributes;
    for (const auto& [activation, parameters] : kParameters) {
      for (std::size_t i = 0; activation == name && i < std::min(values.size(), parameters.size()); ++i)
        if (*parameters[i] != '\0') attributes.set(parameters[i], values[i]);
    }
    y = made.activation(y, name, std::move(attributes));
  }
  made.give(0, y);
  return made.take();
}

std::vector<Node> matmul_integer_to_float(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::string scales = made.add("scales", "Mul", {made.scalar("a_scale", 2), made.input(3)});
  const std::string y =
      scaled_product(made, {made.input(0), made.input(1), made.input(4), made.input(5)}, scales);
  made.give(0, made.sum("biased", {y, made.input(6)}));
  return made.take();
}

std::vector<Node> dynamic_quantize_matmul(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const auto a = made.add_outputs("a", "DynamicQuantizeLinear", {made.input(0)}, {}, 3);
  const std::string scales = made.add("scales", "Mul", {a[1], made.input(2)});
  const std::string y = scaled_product(made, {a[0], made.input(1), a[2], made.input(3)}, scales);
  made.give(0, made.sum("biased", {y, made.input(4)}));
  return made.take();
}

std::vector<Node> q_gemm(NodeContext& context, Node node) {
  Rewrite made(context, node);
  std::string a = made.input(0), b = made.input(3);
  if (made.flag("transA")) a = transposed(made, "a", a, made.shape(0).size());
  if (made.flag("transB")) b = transposed(made, "b", b, made.shape(3).size());
  std::string sum = made.add("product", "MatMulInteger", {a, b, made.input(2), made.input(5)});
  sum = made.sum("biased", {sum, made.input(6)});
  std::string scale = made.add("scales", "Mul", {made.scalar("a_scale", 1), made.input(4)});
  if (const double alpha = made.number("alpha", 1); alpha != 1)
    scale = made.add("alpha_scales", "Mul", {made.scalar("alpha", Float(32), alpha), scale});
  if (made.has(7)) scale = made.add("ratio", "Div", {scale, made.scalar("y_scale", 7)});
  const std::string y = made.add("scaled", "Mul", {made.cast("value", sum, Float(32)), scale});
  const bool is_quantized = made.has(8);
  made.give(0, is_quantized ? made.quantize("quantized", y, made.scalar("one", Float(32), 1),
                                            made.scalar("y_zero", 8), made.info(8).type)
                            : y);
  return made.take();
}

}  // namespace tensordsl::ops::normalize::contributed
