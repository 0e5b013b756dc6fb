// The activation functions of RNN, GRU and LSTM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/node.h"

namespace tensordsl::ops::normalize {

/// The activations of all directions, one direction after the other, with their parameters; 0 where one has
/// none.
struct CellActivations {
  std::vector<std::string> names;
  std::vector<double> alphas, betas;

  /// Puts `count` of them, from number `first` on, into `attributes`.
  void put_into(Attributes& attributes, std::size_t first, std::size_t count) const;
};

/// Reads the attributes activations, activation_alpha and activation_beta, whose values are in the order of
/// the functions that take one. `usual`: the default functions of a direction. Throws ModelError on functions
/// that ONNX does not have, and on another number of them.
CellActivations read_activations(const Node& node, const std::vector<const char*>& usual,
                                 std::int64_t directions);

}  // namespace tensordsl::ops::normalize
