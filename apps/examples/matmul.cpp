// The matrix products of matmul.h, each against a plain triple loop.
#include "apps/examples/matmul.h"

#include "apps/examples/example.h"

namespace {

int check(const Example& example, const tensordsl::Func& product, int m, int n, int depth) {
  const tensordsl::Buffer a = example_data({m, depth}, 12), b = example_data({depth, n}, 13);
  return example.check(product, {{"A", a}, {"B", b}}, [&](std::int64_t at) {
    double sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += a.get(at / n * depth + k) * b.get(static_cast<std::int64_t>(k) * n + at % n);
    return sum;
  });
}

}  // namespace

int main(int argc, char** argv) try {
  const auto example = [&](const char* name) { return Example(name, argc, argv); };
  if (!example("matmul").by_hand()) return check(example("matmul"), Matmul(128, 256, 48).C, 128, 256, 48);
  return check(example("matmul_packed"), matmul_packed(13, 48, 17, 8), 13, 48, 17) +
         check(example("matmul_packed, small"), matmul_packed(5, 8, 1, 4), 5, 8, 1) +
         check(example("matmul_local"), matmul_local(128, 256, 48), 128, 256, 48) +
         check(example("matmul_interleaved"), matmul_local(128, 256, 48, LocalTiles::Interleaved), 128, 256,
               48) +
         check(example("matmul_swizzled"), matmul_local(128, 256, 48, LocalTiles::Swizzled), 128, 256, 48) +
         check(example("matmul_textures"), matmul_textures(13, 20, 16), 13, 20, 16);
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
