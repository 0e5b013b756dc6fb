// y(n, k, h, w) += x(n, c, h + r, w + s)*f(k, c, r, s), r and s in [0, 3): which axis is which
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "classify/classify.h"
#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "graph/stages/tensor_storage.h"
#include "ir/nodes/function.h"
#include "schedules/winograd/choose_winograd_tile.h"

namespace tensordsl::graph {

inline constexpr int kWinogradTaps = 3;

/// A 3x3 convolution of stride 1.
struct Convolution {
  Func sum;
  ir::FunctionPtr integers;         ///< the factor, if it is these less an offset; else null
  Expr input;                       ///< the factor that the windows slide over
  std::size_t weights = 0;          ///< the tensor that is the other factor
  std::array<std::size_t, 4> at{};  ///< its dimensions: output channel, input channel, row, column
  std::array<std::string, 2> dim;   ///< dimensions of the sum that the windows slide along: rows, columns
  std::array<std::string, 2> tap;   ///< the axes of the windows
  std::string output;               ///< the dimension of the channels
  ir::ReductionAxis channel;        ///< the axis of the channels
  schedules::WinogradProblem problem;
};

/// Finds the convolutions that groups compute, of f32 with constant weights and channels innermost in memory.
class ConvolutionFinder {
 public:
  ConvolutionFinder(const definitions::DefinitionGraph& graph, const TensorStorage& storage)
      : graph_(graph), storage_(storage), funcs_(graph) {}

  std::optional<Convolution> find(const definitions::FusedGroup& group) const;

 private:
  bool find_channels(const classify::Classification& kind, Convolution& found) const;
  std::optional<std::size_t> constant_of(const classify::Access& read) const;
  bool find_weights(const classify::Classification& kind, Convolution& found) const;
  bool find_extents(const definitions::FusedGroup& group, Convolution& found) const;

  const definitions::DefinitionGraph& graph_;
  const TensorStorage& storage_;
  definitions::TensorFuncs funcs_;
};

}  // namespace tensordsl::graph
