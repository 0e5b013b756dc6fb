#include "schedules/strategies.h"

#include <algorithm>
#include <array>

#include "schedules/attention.h"
#include "schedules/chained_sums.h"
#include "schedules/data_movement.h"
#include "schedules/row_reduction.h"
#include "schedules/row_scan.h"
#include "schedules/separate_reductions.h"
#include "schedules/sliding_sums.h"
#include "schedules/split_product.h"
#include "schedules/staged_product.h"
#include "schedules/tiled_reduction.h"
#include "schedules/winograd.h"

namespace tensordsl::schedules {
namespace {

constexpr std::array kStrategies{attention(),           winograd(),       sliding_sums(),  chained_sums(),
                                 split_product(),       staged_product(), row_reduction(), tiled_reduction(),
                                 separate_reductions(), row_scan(),       data_movement()};

}  // namespace

std::span<const Strategy> strategies() { return kStrategies; }

const Strategy* find_strategy(std::string_view name) {
  const auto found = std::ranges::find(kStrategies, name, &Strategy::name);
  return found == kStrategies.end() ? nullptr : &*found;
}

}  // namespace tensordsl::schedules
