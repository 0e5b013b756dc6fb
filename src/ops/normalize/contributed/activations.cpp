// Gelu and its like, with the bias before them.
#include <fmt/format.h>

#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

std::vector<Node> gelu_of_sum(Rewrite& made, const char* approximate) {
  const std::string x = made.sum("biased", {made.input(0), made.input(1)});
  made.give(0, made.add("gelu", "Gelu", {x}, attributes_of({{"approximate", std::string(approximate)}})));
  return made.take();
}

}  // namespace

std::vector<Node> gelu(NodeContext& context, Node node) {
  Rewrite made(context, node);
  return gelu_of_sum(made, "none");
}

std::vector<Node> fast_gelu(NodeContext& context, Node node) {
  Rewrite made(context, node);
  return gelu_of_sum(made, "tanh");
}

std::vector<Node> quick_gelu(NodeContext& context, Node node) {
  Rewrite made(context, node);
  made.give(0, made.add("swish", "Swish", {made.input(0)},
                        attributes_of({{"alpha", made.number("alpha", 1.702F)}})));
  return made.take();
}

std::vector<Node> bias_split_gelu(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const Shape& x = made.shape(0);
  const auto half = x.empty() ? std::nullopt : exact_quotient(x.back(), 2);
  if (!half)
    refuse(node, fmt::format("input 0 is {}; its last dimension must be even", to_string(made.info(0))));
  const std::string biased = made.sum("biased", {made.input(0), made.input(1)});
  const std::string left = made.part("left", biased, x.size(), x.size() - 1, 0, *half),
                    right = made.part("right", biased, x.size(), x.size() - 1, *half, 0);
  const std::string gate =
      made.add("gelu", "Gelu", {right}, attributes_of({{"approximate", std::string("none")}}));
  made.give(0, made.add("gated", "Mul", {left, gate}));
  return made.take();
}

}  // namespace tensordsl::ops::normalize::contributed
