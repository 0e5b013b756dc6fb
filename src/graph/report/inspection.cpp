#include "tensordsl/inspection.h"

namespace tensordsl {

std::size_t Inspection::launches() const {
  std::size_t count = 0;
  for (const Group& group : groups) count += group.launches.size();
  return count;
}

std::int64_t Inspection::flops() const {
  std::int64_t sum = 0;
  for (const Group& group : groups) sum += group.flops;
  return sum;
}

std::size_t Inspection::movement_launches() const {
  std::size_t count = 0;
  for (const Group& group : groups) count += group.is_movement ? group.launches.size() : 0;
  return count;
}

}  // namespace tensordsl
