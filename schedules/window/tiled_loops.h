// The loops of a sum whose work-items compute tiles of it in registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedules/product/copied_factor.h"
#include "schedules/product/half_sums.h"
#include "schedules/window/choose_tile.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// A sum, the placement of its tiles in the output, and the order of its steps.
struct TiledReduction {
  Func output;
  Func reduction;
  std::vector<int> order;
  Tail channel_tail = Tail::Exact, pixel_tail = Tail::ShiftInwards, row_tail = Tail::ShiftInwards;
  int unrolled_axes = 0;
  std::optional<std::string> texel_axis = std::nullopt;  ///< the innermost one, of which four steps are one
  bool pixels_fastest = false;  ///< work-items side by side have neighboring pixels, not channels
  bool autobroadcast = false;
  std::optional<CopiedFactor> copied = std::nullopt;  ///< copied_steps at a time, in vectors of lanes
  int copied_steps = 0, lanes = 1;
  bool is_gpu = false;
  std::vector<std::int64_t> divisors = {};  ///< divisors of the innermost axis's extent
  std::optional<HalfSums> halves = std::nullopt;
  bool has_dots = false;  ///< the steps that are copied are one instruction
};

/// Makes each work-item compute `tile` of the sum, and the output of it.
void schedule_tiles(const TiledReduction& kernel, const Tile& tile);

}  // namespace tensordsl::schedules
