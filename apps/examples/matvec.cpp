// A matrix times a vector, the reduction split over the work-items of a group and added up through local
// memory.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("matvec", argc, argv);
  constexpr int kRows = 9, kColumns = 512, kItems = 32;
  const Var i("i"), part("part"), step("step"), item("item");
  const Input weights("weights", Float(32), {kRows, kColumns}, {"i", "k"}), x("x", Float(32), {kColumns});
  const RDom k({{0, kColumns}}, "k");
  Func total("total"), out("matvec");
  total(i) += weights(i, k) * x(k);
  out(i) = total(i);

  out.bound({kRows});
  if (example.by_hand()) {
    // Neighboring work-items take neighboring columns.
    Func partial = total.update().split(k[0], step, item, kItems).rfactor(item, part);

    out.gpu_blocks(i);
    total.compute_at(out, i).store_in(Local);
    partial.compute_at(out, i).store_in(Local).gpu_threads(part);
    partial.update().gpu_threads(part);
  }

  const Buffer matrix = example_data({kRows, kColumns}, 6), vector = example_data({kColumns}, 7);
  return example.check(out, {{"weights", matrix}, {"x", vector}}, [&](std::int64_t row) {
    double sum = 0;
    for (int c = 0; c < kColumns; ++c) sum += matrix.get(row * kColumns + c) * vector.get(c);
    return sum;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
