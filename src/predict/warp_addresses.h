// Lines, addresses and turns of the work-items of a warp that access memory at once.
#pragma once

#include "predict/lane_values.h"

namespace tensordsl::predict {

/// The addresses that the work-items of a group access: of the first `items` lanes, in warps of `warp`.
struct WarpAddresses {
  const Lanes& bytes;
  int items = 1;
  int warp = 1;
};

/// Returns the average number of lines that a warp touches.
double lines_of(const WarpAddresses& addresses, int access_bytes, int line_bytes);

/// Returns the average number of different addresses of a warp.
double addresses_of(const WarpAddresses& addresses);

/// Returns the average number of turns of a warp in local memory. A turn serves 32 words of different banks,
/// and one word to all work-items that read it. Vectors are served in turns of as many work-items as have 32
/// words.
double bank_turns(const WarpAddresses& addresses, int access_bytes);

}  // namespace tensordsl::predict
