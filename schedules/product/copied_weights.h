// Copies weights that are not constants, by a kernel of its own, into the layout that constants would have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "schedules/support/point.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::schedules {

/// Name of the knob: 1 copies the weights, 0 reads them in their own order. Spaces of groups without such
/// weights do not have it.
inline constexpr std::string_view kCopiesWeights = "copies_weights";

/// True if the configuration has the knob, and it is 1.
bool copies_weights(const Point& point);

/// A factor of a sum that depends on the channels of a tile but is contiguous along another dimension: a
/// vector of channels is read element by element.
struct StridedWeights {
  std::size_t operand = 0;  ///< index of the operand in the group: a buffer
  int channel = 0;          ///< the operand's dimension of channels
  std::int64_t elements = 0;
  std::int64_t batches = 1;  ///< each has elements of its own
};

/// Returns nullopt if the group has no such weights, or only constants, which get the layout that the kernel
/// prefers. `channel`: the dimension of the sum. Needs: layouts.
std::optional<StridedWeights> strided_weights(const definitions::StoredGroup& group,
                                              const classify::Classification& sum,
                                              const std::string& channel);

/// True if the reads that a copy saves take longer than the copy and its launch. `reads`: how often the sum
/// reads each of the weights.
bool does_copy_pay(const StridedWeights& weights, std::int64_t reads, int lanes, const Target& target);

/// Returns a Func with the weights' values that `sum` reads instead: a kernel of its own makes it, in the
/// layout of constants for tiles of `tile` channels (add_weight_layouts). Needs: the original definition of
/// the sum.
Func copy_weights(const definitions::StoredGroup& group, const classify::Classification& anchor,
                  const StridedWeights& weights, const Func& sum, const std::string& channel, int tile,
                  const Target& target);

}  // namespace tensordsl::schedules
