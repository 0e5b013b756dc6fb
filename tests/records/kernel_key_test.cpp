// Kernels are found by what they compute, and near ones by their sizes.
#include "records/kernel_key.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tensordsl::records {

TEST_CASE("kernel key: numbers are sizes, and digits of names are not") {
  const KernelKey key = kernel_key("operand f32[3, 224], constant\nanchor f0\n(x0($d0, 2*$d1 + 1))");
  CHECK(key.sizes == std::vector<std::int64_t>{3, 224, 2, 1});
  CHECK(key.structure.size() == 64);
}

TEST_CASE("kernel key: other sizes are another structure of the same family") {
  const KernelKey a = kernel_key("operand f32[3, 224]"), b = kernel_key("operand f32[3, 112]");
  CHECK(a.structure != b.structure);
  CHECK(a.family == b.family);
}

TEST_CASE("kernel key: another type or name is another family") {
  const KernelKey a = kernel_key("operand f32[3]");
  CHECK(a.family != kernel_key("operand f16[3]").family);
  CHECK(a.family != kernel_key("operand f32[n]").family);
  CHECK(a.family != kernel_key("operand f32[3, 4]").family);
}

TEST_CASE("kernel key: a number too large to be an extent is part of the family") {
  const KernelKey key = kernel_key("x + 99999999999999999999999");
  CHECK(key.sizes.empty());
}

TEST_CASE("kernel key: constants with a point are part of the family") {
  CHECK(kernel_key("x * 0.5").sizes.empty());
  CHECK(kernel_key("x * 0.5").family != kernel_key("x * 0.25").family);
}

TEST_CASE("distance: how many times as large the sizes are, in doublings") {
  const KernelKey a = kernel_key("f32[7, 64]"), b = kernel_key("f32[7, 129]"), c = kernel_key("f16[7, 64]");
  CHECK(distance(a, a) == 0);
  CHECK(distance(a, b) == doctest::Approx(1));
  CHECK(distance(a, b) == distance(b, a));
  CHECK(std::isinf(distance(a, c)));
}

}  // namespace tensordsl::records
