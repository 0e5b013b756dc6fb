#include "ops/normalize/recurrent/recurrent_activations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/lower_case.h"
#include "ops/normalize/normalization.h"

namespace tensordsl::ops::normalize {
namespace {

/// An activation function of ONNX, and the values of its attributes where they are absent.
struct Activation {
  const char* name;
  std::optional<double> alpha, beta;
};

constexpr std::array kActivations{Activation{"Affine", 1.0, 0.0},
                                  Activation{"Elu", 1.0, {}},
                                  Activation{"HardSigmoid", 0.2F, 0.5},
                                  Activation{"LeakyRelu", 0.01F, {}},
                                  Activation{"Relu", {}, {}},
                                  Activation{"ScaledTanh", 1.0, 1.0},
                                  Activation{"Sigmoid", {}, {}},
                                  Activation{"Softplus", {}, {}},
                                  Activation{"Softsign", {}, {}},
                                  Activation{"Tanh", {}, {}},
                                  Activation{"ThresholdedRelu", 1.0, {}}};

}  // namespace

void CellActivations::put_into(Attributes& attributes, std::size_t first, std::size_t count) const {
  const auto slice = [&](const auto& all) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::decay_t<decltype(all)>(at, at + static_cast<std::ptrdiff_t>(count));
  };
  attributes.set("activations", slice(names));
  attributes.set("activation_alpha", slice(alphas));
  attributes.set("activation_beta", slice(betas));
}

CellActivations read_activations(const Node& node, const std::vector<const char*>& usual,
                                 std::int64_t directions) {
  std::vector<std::string> names;
  for (std::int64_t d = 0; d < directions; ++d) names.insert(names.end(), usual.begin(), usual.end());
  const std::size_t needed = names.size();
  names = node.attributes.get<std::vector<std::string>>("activations", names);
  if (names.size() != needed)
    refuse(node, fmt::format("{} activations are given; {} are needed", names.size(), needed));
  const auto alphas = node.attributes.get<std::vector<double>>("activation_alpha", {});
  const auto betas = node.attributes.get<std::vector<double>>("activation_beta", {});
  std::size_t next_alpha = 0, next_beta = 0;
  const auto take = [](const std::vector<double>& given, std::size_t& next,
                       const std::optional<double>& otherwise) {
    if (!otherwise) return 0.0;
    return next < given.size() ? given[next++] : *otherwise;
  };
  CellActivations result;
  for (const std::string& name : names) {
    const auto known = std::ranges::find_if(
        kActivations, [&](const Activation& a) { return lower_case(a.name) == lower_case(name); });
    if (known == kActivations.end()) {
      std::vector<const char*> all;
      for (const Activation& activation : kActivations) all.push_back(activation.name);
      refuse(node, fmt::format("the activation \"{}\" is not supported; supported: {}", name,
                               fmt::join(all, ", ")));
    }
    result.names.emplace_back(known->name);
    result.alphas.push_back(take(alphas, next_alpha, known->alpha));
    result.betas.push_back(take(betas, next_beta, known->beta));
  }
  return result;
}

}  // namespace tensordsl::ops::normalize
