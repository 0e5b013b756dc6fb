#include "graph/winograd/use_winograd.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>
#include <utility>

#include "definitions/redirector.h"
#include "graph/rewrite/quantize_weights.h"
#include "graph/winograd/define_winograd.h"
#include "graph/winograd/find_convolution.h"
#include "graph/winograd/winograd_transforms.h"
#include "graph/winograd/winograd_weights.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

using namespace ir;

namespace {

/// A group that may be computed so.
struct Candidate {
  std::size_t tensor = 0;  ///< that the group stores
  Convolution convolution;
  std::vector<schedules::WinogradChoice> choices;
};

struct Found {
  Convolution convolution;
  definitions::WinogradTile tile;
};

/// `funcs`: as define_winograd makes them.
definitions::WinogradForm winograd_form(const Found& found, const std::vector<Func>& funcs) {
  const Convolution& convolution = found.convolution;
  const std::vector<std::string>& dims = convolution.sum.contents().dims;
  const auto dim_of = [&](const std::string& name) {
    return static_cast<int>(std::ranges::find(dims, name) - dims.begin());
  };
  return {.patch = funcs[0],
          .product = funcs[1],
          .weights = convolution.weights,
          .row = dim_of(convolution.dim[0]),
          .column = dim_of(convolution.dim[1]),
          .channel = dim_of(convolution.output),
          .inputs = convolution.problem.inputs,
          .outputs = convolution.problem.outputs,
          .tile = found.tile};
}

/// Holds each (G f G^T)(p, q) of bytes f, in units of its own: 7*7 of a byte at most.
constexpr Type kExactPoints = Int(16);

/// Returns the bytes that transformed weights for tiles of `size` add, with their scales if they are
/// integers.
std::int64_t bytes_added(const DefinedTensor& weights, const schedules::WinogradProblem& problem, int size) {
  const int points = (size + 2) * (size + 2), taps = kWinogradTaps * kWinogradTaps;
  const std::int64_t of_weight = weights.stored_as.value_or(weights.type()).bytes();
  const std::int64_t of_point = weights.is_exact ? kExactPoints.bytes() : of_weight;
  const std::int64_t scales = !weights.stored_as ? 0 : weights.is_exact ? points : points * problem.outputs;
  return (points * of_point - taps * of_weight) * problem.inputs * problem.outputs +
         scales * Float(32).bytes();
}

const schedules::WinogradChoice* choice_of(const Candidate& candidate, int size) {
  const auto found = std::ranges::find_if(
      candidate.choices, [&](const schedules::WinogradChoice& choice) { return choice.tile.size == size; });
  return found == candidate.choices.end() ? nullptr : &*found;
}

/// Weights that are transformed for tiles of `size`, for all convolutions that read them.
struct Transformation {
  std::size_t weights = 0;
  int size = 0;
  double saved = 0;
  std::int64_t bytes = 0;  ///< bytes in addition to the weights
};

/// Candidates by their weights: of such that nothing but candidates reads, all in the same way.
std::map<std::size_t, std::vector<Candidate>> with_weights_of_their_own(const DefinitionGraph& graph,
                                                                        std::vector<Candidate> candidates) {
  const std::vector<std::vector<std::size_t>> readers = readers_of(graph);
  std::map<std::size_t, std::vector<Candidate>> result;
  for (Candidate& candidate : candidates)
    result[candidate.convolution.weights].push_back(std::move(candidate));
  std::erase_if(result, [&](const auto& entry) {
    const auto& [weights, convolutions] = entry;
    return convolutions.size() != readers[weights].size() ||
           std::ranges::any_of(convolutions, [&](const Candidate& candidate) {
             return candidate.convolution.at != convolutions.front().convolution.at;
           });
  });
  return result;
}

/// Returns the transformations, those that save most for each byte first.
std::vector<Transformation> transformations_of(
    const DefinitionGraph& graph, const std::map<std::size_t, std::vector<Candidate>>& candidates) {
  std::vector<Transformation> result;
  for (const auto& [weights, convolutions] : candidates) {
    const schedules::WinogradProblem& problem = convolutions.front().convolution.problem;
    for (const schedules::WinogradChoice& choice : convolutions.front().choices) {
      const int size = choice.tile.size;
      Transformation made{weights, size, 0, bytes_added(graph.tensors[weights], problem, size)};
      bool has_all = true;
      for (const Candidate& candidate : convolutions) {
        const schedules::WinogradChoice* same = choice_of(candidate, size);
        has_all = has_all && same;
        if (same) made.saved += same->saved;
      }
      if (has_all) result.push_back(made);
    }
  }
  std::ranges::stable_sort(result, std::greater(), [](const Transformation& made) {
    return made.saved / static_cast<double>(made.bytes);
  });
  return result;
}

/// At most one transformation for each tensor of weights. A later one replaces an earlier one that saves
/// less.
std::map<std::size_t, Transformation> within_budget(const std::vector<Transformation>& all,
                                                    std::optional<std::int64_t> budget) {
  std::map<std::size_t, Transformation> taken;
  std::int64_t bytes = 0;
  for (const Transformation& made : all) {
    const auto before = taken.find(made.weights);
    const bool is_upgrade = before != taken.end();
    if (is_upgrade && before->second.saved >= made.saved) continue;
    const std::int64_t after = bytes + made.bytes - (is_upgrade ? before->second.bytes : 0);
    if (budget && after > *budget) continue;
    bytes = after;
    taken.insert_or_assign(made.weights, made);
  }
  return taken;
}

std::vector<Expr> shape_of(const Buffer& buffer) {
  return buffer.shape() |
         ranges::views::transform([](std::int64_t extent) { return Expr(static_cast<int>(extent)); }) |
         ranges::to<std::vector>();
}

/// Makes a tensor hold the transformed weights. If the weights were integers, so are the transformed ones,
/// with a scale for each point, and for each output channel too if they are rounded. Appends the scales as
/// the last tensor, and returns it.
std::optional<Func> transform_weights(DefinitionGraph& graph, TensorStorage& storage, std::size_t place,
                                      const std::array<std::size_t, 4>& at,
                                      const WinogradTransforms& transforms) {
  const DefinedTensor& before = graph.tensors[place];
  Buffer weights = winograd_weights(before.exact ? *before.exact : *before.constant, at, transforms);
  std::optional<DefinedTensor> scale;
  if (before.stored_as) {
    Buffer scales;
    if (before.is_exact) {
      scales = take_units(weights, transforms);
    } else {
      QuantizedWeights quantized = quantized_weights(weights, {0, 1, 3});
      weights = std::move(quantized.integers);
      scales = std::move(quantized.scales);
    }
    const std::string name = graph.tensors[place].func.name() + "_point_scale";
    const std::vector<Expr> shape = shape_of(scales);
    scale = DefinedTensor{graph.tensors[place].name + "_point_scale", Input(name, Float(32), shape), shape,
                          std::make_shared<const Buffer>(std::move(scales)), graph.tensors[place].origin};
    scale->stored_as = Float(32);
  }
  DefinedTensor& tensor = graph.tensors[place];
  tensor.shape = shape_of(weights);
  tensor.func = Input(tensor.func.name(), tensor.type(), tensor.shape);
  tensor.constant = std::make_shared<const Buffer>(std::move(weights));
  tensor.exact = nullptr;
  if (tensor.is_exact) tensor.stored_as = kExactPoints;
  storage.layouts[place] = Layout::row_major(4);
  if (!scale) return std::nullopt;
  graph.tensors.push_back(*scale);
  storage.layouts.push_back(Layout::row_major(scale->func.rank()));
  storage.reasons.emplace_back();
  return scale->func;
}

}  // namespace

void use_winograd(Graph& all, const GraphContext& context) {
  const Target& target = context.options.target;
  if (target.group_items != 1) return;
  DefinitionGraph& graph = all.definitions;
  TensorStorage& storage = all.storage;
  std::vector<Candidate> possible;
  const ConvolutionFinder finder(graph, storage);
  for (const definitions::FusedGroup& group : all.groups) {
    if (all.fallbacks.is_refused(Refusal::Winograd, graph.tensors[group.stored_tensors[0]].name)) continue;
    const auto convolution = finder.find(group);
    if (!convolution) continue;
    std::vector<schedules::WinogradChoice> choices =
        schedules::winograd_choices(convolution->problem, target);
    // Rounding to integers between the transforms of F(4x4) costs too much accuracy: 5 % of vgg16's largest
    // result.
    const DefinedTensor& weights = graph.tensors[convolution->weights];
    if (weights.stored_as && !weights.is_exact)
      std::erase_if(choices, [](const schedules::WinogradChoice& choice) { return choice.tile.size > 2; });
    possible.push_back({group.stored_tensors[0], *convolution, std::move(choices)});
  }
  const auto candidates = with_weights_of_their_own(graph, std::move(possible));
  std::map<const Function*, Found> found;  // by the sum
  for (const auto& [weights, made] :
       within_budget(transformations_of(graph, candidates), context.options.winograd_budget)) {
    for (const Candidate& candidate : candidates.at(weights)) {
      found.emplace(&candidate.convolution.sum.contents(),
                    Found{candidate.convolution, choice_of(candidate, made.size)->tile});
    }
  }
  if (found.empty()) return;

  const definitions::TensorFuncs funcs(graph);
  definitions::Redirector redirector;
  std::map<const Function*, std::vector<Func>> parts;
  std::vector<Func> made;
  std::map<std::size_t, std::optional<Func>> scales;  // by the weights that are transformed
  const std::size_t count = graph.tensors.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const Func& func : funcs.funcs_of(i)) {
      const auto here = found.find(&func.contents());
      if (here == found.end()) {
        redirector.update(func);
        continue;
      }
      const Convolution& convolution = here->second.convolution;
      if (!scales.contains(convolution.weights)) {
        scales[convolution.weights] = transform_weights(graph, storage, convolution.weights, convolution.at,
                                                        winograd_transforms(here->second.tile.size));
      }
      const Func weights = graph.tensors[convolution.weights].func;
      made[convolution.weights] = weights;
      std::vector<Func>& built = parts[&func.contents()];
      for (const Func& part :
           define_winograd(convolution, here->second.tile, weights, scales[convolution.weights])) {
        redirector.update(part);
        built.push_back(redirector.now(part));
      }
      redirector.redirect(func, built.back());
    }
    made.push_back(redirector.now(graph.tensors[i].func));
  }
  for (definitions::FusedGroup& group : all.groups) {
    const Function* sum = &group.anchors[0].contents();
    const auto built = parts.find(sum);
    for (auto* list : {&group.prologue, &group.anchors, &group.epilogue, &group.outputs}) {
      for (Func& func : *list) func = redirector.now(func);
    }
    replace_funcs(group.form, [&](const Func& func) { return redirector.now(func); });
    if (built == parts.end()) continue;
    // The offset is in the transformed weights.
    const FunctionPtr& integers = found.at(sum).convolution.integers;
    std::erase_if(group.prologue, [&](const Func& func) { return func.shared() == integers; });
    group.prologue.push_back(built->second[0]);
    group.anchors = {built->second[1]};
    group.epilogue.insert(group.epilogue.begin(), built->second[2]);
    group.form = winograd_form(found.at(sum), built->second);
  }
  for (std::size_t i = 0; i < count; ++i) graph.tensors[i].func = made[i];
}

}  // namespace tensordsl::graph
