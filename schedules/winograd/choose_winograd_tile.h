// Chooses the tile of a 3x3 convolution by Winograd's algorithm, or that it is not used.
#pragma once

#include <cstdint>
#include <vector>

#include "definitions/group_form.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::schedules {

/// The extents and channels of the output.
struct WinogradProblem {
  std::int64_t rows = 1, columns = 1;
  std::int64_t inputs = 1, outputs = 1;  ///< channels
};

struct WinogradChoice {
  definitions::WinogradTile tile;
  double saved = 0;  ///< against the direct way, in multiply-adds of vectors
};

/// The best tile of each size, the one that saves most first. None where the direct way is estimated to be as
/// fast, or channels do not fill vectors. Needs: a target whose work-groups run on one thread.
std::vector<WinogradChoice> winograd_choices(const WinogradProblem& problem, const Target& target);

/// Input channels that are transformed at a time: as many as the unit's cache holds of them, for between any
/// two times the sums go to memory and come back. Needs: vectors of them fit `inputs`.
int winograd_inputs(std::int64_t inputs, const definitions::WinogradTile& tile, const Target& target);

}  // namespace tensordsl::schedules
