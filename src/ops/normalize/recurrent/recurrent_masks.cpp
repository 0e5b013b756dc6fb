#include "ops/normalize/recurrent/recurrent_masks.h"

namespace tensordsl::ops::normalize {

Buffer all_steps(std::int64_t count, const Ints& shape) {
  Buffer numbers(Int(32), shape);
  for (std::int64_t t = 0; t < count; ++t) numbers.set_int(t, t);
  return numbers;
}

std::string kept(Composition& made, const std::string& step, const char* compare, const Buffer& steps,
                 const std::string& limit, const std::string& values, Type type) {
  const std::string keeps = made.add(step + "_keeps", compare, {made.constant(step + "_at", steps), limit});
  return made.add(step, "Where", {keeps, values, made.constant(step + "_zero", Buffer(type, {}))});
}

}  // namespace tensordsl::ops::normalize
