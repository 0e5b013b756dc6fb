#include "tensordsl/program.h"

#include <numeric>

namespace tensordsl {

std::int64_t Program::intermediate_bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), std::int64_t{0});
}

std::int64_t Program::flops() const {
  std::int64_t total = 0;
  for (const Launch& launch : launches) total += launch.flops;
  return total;
}

}  // namespace tensordsl
