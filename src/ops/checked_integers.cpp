#include "ops/checked_integers.h"

#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

[[noreturn]] void refuse_overflow() { throw ShapeError("a size does not fit into 64 bits"); }

}  // namespace

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse_overflow();
  return result;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse_overflow();
  return result;
}

std::int64_t floored_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return checked_product(a, -1);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace tensordsl::ops
