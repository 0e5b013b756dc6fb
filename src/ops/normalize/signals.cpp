#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// Makes input `i` the attribute `name`, if it is present.
void make_size_attribute(NodeContext& context, Node& node, std::size_t i, const char* name) {
  if (!node.input(i).empty()) node.attributes.set(name, Sizes{size_scalar(context, node, i, name)});
}

void require_inputs(const Node& node, std::size_t least, std::size_t most) {
  if (node.inputs.size() >= least && node.inputs.size() <= most) return;
  const std::string allowed = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  refuse(node, fmt::format("{} inputs are given; it takes {}", node.inputs.size(), allowed));
}

}  // namespace

std::vector<Node> window_function(NodeContext& context, Node node) {
  require_inputs(node, 1, 1);
  node.attributes.set("size", Sizes{size_scalar(context, node, 0, "size")});
  node.inputs.clear();
  return {std::move(node)};
}

std::vector<Node> dft(NodeContext& context, Node node) {
  require_inputs(node, 1, context.opset() < 20 ? 2 : 3);
  make_size_attribute(context, node, 1, "dft_length");
  if (context.opset() >= 20) {
    const bool is_given = !node.input(2).empty();
    node.attributes.set("axis", is_given
                                    ? static_cast<std::int64_t>(constant_scalar(context, node, 2, "axis"))
                                    : std::int64_t{-2});
  } else if (!node.attributes.has("axis")) {
    node.attributes.set("axis", std::int64_t{1});
  }
  node.inputs.resize(1);
  return dft_by_factors(context, std::move(node));
}

std::vector<Node> stft(NodeContext& context, Node node) {
  require_inputs(node, 2, 4);
  make_size_attribute(context, node, 1, "frame_step");
  make_size_attribute(context, node, 3, "frame_length");
  const std::string window = node.input(2);
  node.inputs.resize(1);
  if (!window.empty()) node.inputs.push_back(window);
  TensorInfo signal = data_info(context, node);
  if (signal.shape.size() != 2) return stft_by_factors(context, std::move(node), signal);
  // ONNX Runtime takes real signals without the dimension of 1, too.
  signal.shape.emplace_back(1);
  Composition nodes(context, node);
  node.inputs[0] = nodes.reshape("signal", node.inputs[0], signal.shape);
  std::vector<Node> all = nodes.take();
  for (Node& step : stft_by_factors(context, std::move(node), signal)) all.push_back(std::move(step));
  return all;
}

std::vector<Node> mel_weight_matrix(NodeContext& context, Node node) {
  require_inputs(node, 5, 5);
  const auto number = [&](std::size_t i, const char* what) {
    return constant_scalar(context, node, i, what);
  };
  const double mel_bins = number(0, "num_mel_bins"), length = number(1, "dft_length"),
               rate = number(2, "sample_rate");
  const double lower = number(3, "lower_edge_hertz"), upper = number(4, "upper_edge_hertz");
  constexpr double kMost = 1 << 20;
  if (!(mel_bins >= 1 && mel_bins <= kMost && length >= 1 && length <= kMost && rate >= 1)) {
    refuse(node, fmt::format(
                     "num_mel_bins = {}, dft_length = {} and sample_rate = {} are not supported; supported: "
                     "1 to {} bins and samples, a rate of 1 or more",
                     mel_bins, length, rate, kMost));
  }
  if (!(lower > -700 && upper > -700 && lower <= 1e9 && upper <= 1e9))
    refuse(node, fmt::format("the edges {} and {} are not valid frequencies", lower, upper));
  const auto mel_of = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double first = mel_of(lower), step = (mel_of(upper) - first) / (mel_bins + 2);
  Buffer bins(Int(32), {static_cast<std::int64_t>(mel_bins) + 2});
  for (std::int64_t i = 0; i < bins.elements(); ++i) {
    const double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + first) / 2595) - 1);
    bins.set(i, std::clamp(std::floor((length + 1) * hertz / rate), -0x1p20, 0x1p30));
  }
  const std::string name = context.fresh_tensor(node.outputs.at(0) + ".bins");
  context.add_constant(name, std::move(bins));
  node.inputs = {name};
  node.attributes.set("spectrogram_bins", Sizes{static_cast<std::int64_t>(length) / 2 + 1});
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
