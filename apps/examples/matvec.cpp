// A matrix times a vector, the reduction split over the work-items of a group and added up through local memory.
#include "apps/examples/check.h"

int main() {
  using namespace tensordsl;
  constexpr int kRows = 9, kColumns = 512, kItems = 32;
  const Var i("i"), part("part");
  const Input weights("weights", Float(32), {kRows, kColumns}, {"i", "k"}), x("x", Float(32), {kColumns});
  const RDom step({{0, kColumns / kItems}}, "step"), parts({{0, kItems}}, "parts");
  Func partial("partial"), total("total"), out("matvec");
  partial(i, part) += weights(i, step * kItems + part) * x(step * kItems + part);
  total(i) += partial(i, parts);
  out(i) = total(i);

  out.bound({kRows}).gpu_blocks(i);
  total.compute_at(out, i).store_in(Local);
  partial.compute_at(out, i).store_in(Local).gpu_threads(part);
  partial.update().reorder({part, step[0]}).gpu_threads(part);

  const Buffer matrix = example_data({kRows, kColumns}, 6), vector = example_data({kColumns}, 7);
  return run_and_check("matvec", out, {{"weights", matrix}, {"x", vector}}, [&](std::int64_t row) {
    double sum = 0;
    for (int k = 0; k < kColumns; ++k) sum += matrix.get(row * kColumns + k) * vector.get(k);
    return sum;
  });
}
