// Kernels are found by what they compute, and near ones by their sizes.
#include "records/kernel_key.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tensordsl::records {

TEST_CASE("kernel key: other sizes are another structure of the same family") {
  const KernelKey a = kernel_key("operand", {3, 224}), b = kernel_key("operand", {3, 112});
  CHECK(a.structure.size() == 64);
  CHECK(a.structure != b.structure);
  CHECK(a.family == b.family);
  CHECK(a.sizes == std::vector<std::int64_t>{3, 224});
}

TEST_CASE("kernel key: other definitions are another family, and another structure") {
  const KernelKey a = kernel_key("operand", {3}), b = kernel_key("output", {3});
  CHECK(a.family != b.family);
  CHECK(a.structure != b.structure);
}

TEST_CASE("kernel key: records in files are found again, so keys stay as they are") {
  const KernelKey key = kernel_key("operand", {3, 224});
  CHECK(key.family == "aab96298fd82c661b720d1d5437726c47789d62d0ae83a66a4511fe50a02a798");
  CHECK(key.structure == "781b72d8c23c1400d1c07d24286516d0fe4935b5ce38527a4125a5e281eb0c62");
}

TEST_CASE("distance: how many times as large the sizes are, in doublings") {
  const KernelKey a = kernel_key("f32", {7, 64}), b = kernel_key("f32", {7, 129}),
                  c = kernel_key("f16", {7, 64}), d = kernel_key("f32", {7});
  CHECK(distance(a, a) == 0);
  CHECK(distance(a, b) == doctest::Approx(1));
  CHECK(distance(a, b) == distance(b, a));
  CHECK(std::isinf(distance(a, c)));
  CHECK(std::isinf(distance(a, d)));
}

}  // namespace tensordsl::records
