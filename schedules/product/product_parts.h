// A group that is a product of two factors: a matrix product, a convolution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "definitions/stored_group.h"
#include "schedules/product/choose_staged_tile.h"
#include "schedules/product/copied_weights.h"

namespace tensordsl::schedules {

/// out(.., row, pixel, channel) = f(sum over taps and depth of input(.., pixel.., depth)*weights(depth,
/// channel)). A matrix product has no taps, and one dimension of pixels. Dimensions are dimensions of the
/// output, which the sum has too.
struct ProductParts {
  Func out, sum;
  Func input;    ///< an Input, or a Func of the prologue: a border
  Func weights;  ///< an Input, or a Func of the prologue
  bool has_constant_weights = false;
  /// Set for weights that are not constant and are strided: a kernel must copy them before the product.
  std::optional<StridedWeights> strided_weights;
  int channel = 0;
  std::optional<int> pixel;  ///< none if the extent is 1
  std::optional<int> row;    ///< dimension of rows, of which a tile may have several
  std::vector<int> others;   ///< the other dimensions, the outermost first; a tile has one index of each
  std::string depth;         ///< the axis along which the input lies in memory; empty if there is none
  std::string window;        ///< the axis that slides along the pixels; empty if there is none
  int input_depth = -1;      ///< dimension of the input that `depth` indexes
  int weights_depth = -1, weights_channel = 0;
  StagedProblem problem;
};

/// Returns nullopt if the group is not such a product, its factors are not read at sums of multiples of its
/// axes, or their sizes are not known. Needs: layouts.
std::optional<ProductParts> product_parts(const definitions::StoredGroup& group);

}  // namespace tensordsl::schedules
