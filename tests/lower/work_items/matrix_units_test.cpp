// Products of matrices by the work-items of a sub-group together.
#include <doctest/doctest.h>

#include "ir/text/print.h"
#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/buffers.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

using testing::filled;

/// y(i, j) = sum of a(i, k)*b(j, k): a tile of 16 x 8 by 32 work-items.
struct Product {
  Input a{"a", Float(16), {32, 32}}, b{"b", Float(16), {24, 32}};
  Var i{"i"}, j{"j"}, half{"half"}, quarter{"quarter"}, quad{"quad"}, pair{"pair"}, lane{"lane"}, ib{"ib"},
      jb{"jb"}, ii{"ii"}, ji{"ji"}, step{"step"}, k{"k"};
  RDom r{{{0, 32}}, "r"};
  Func sum{"sum"}, y{"y"};

  Product() {
    sum(i, j) += cast<float>(a(i, r[0])) * cast<float>(b(j, r[0]));
    y(i, j) = sum(i, j);
    y.bound({32, 24})
        .split(i, ib, ii, 16, Tail::Exact)
        .split(ii, half, quarter, 8, Tail::Exact)
        .split(j, jb, ji, 8, Tail::Exact)
        .split(ji, quad, pair, 2, Tail::Exact)
        .reorder({ib, jb, quarter, quad, half, pair})
        .gpu_blocks(jb, ib)
        .fuse(quarter, quad, lane)
        .gpu_threads(lane)
        .vectorize(pair)
        .unroll(half);
    sum.compute_at(y, lane);
    sum.split(j, jb, pair, 2, Tail::Exact).unroll(i).vectorize(pair);
  }

  Stage update() { return sum.update().split(r[0], step, k, 16, Tail::Exact).reorder({step, i, j, k}); }

  std::string error(const std::function<void()>& schedule) {
    return error_of([&] {
      schedule();
      lower::lower(y.shared(), {});
    });
  }
};

}  // namespace

TEST_CASE("matrix_multiply: what 32 work-items hold of both factors is multiplied as one") {
  Product p;
  p.update().matrix_multiply(p.i, p.j, p.k);
  lower::LowerOptions options;
  options.verify = true;
  const lower::LoweredPipeline lowered = lower::lower(p.y.shared(), options);
  const std::string ir = ir::print(lowered.kernels.at(0).body);
  CHECK(ir.find("sub_group_multiply(concat(pair.0:f16x2, pair.1:f16x2, pair.3:f16x2, pair.4:f16x2), "
                "concat(pair.2:f16x2, pair.5:f16x2)") != std::string::npos);
  const std::map<std::string, Buffer> inputs{
      {"a", filled(Float(16), {32, 32}, [](std::int64_t n) { return (n * 7 % 23) / 8.0 - 1; })},
      {"b", filled(Float(16), {24, 32}, [](std::int64_t n) { return (n * 5 % 19) / 8.0 - 1; })}};
  const Buffer expected = runtime::interpret(p.y.shared(), {32, 24}, {inputs, {}});
  CHECK(testing::largest_difference(simulate(lowered, inputs, {}), expected) < 1e-4);
}

TEST_CASE("matrix_multiply: loops that are no product of matrices are refused") {
  const std::string takes =
      "; expected f(..) += f32(a(.., k))*f32(b(.., k)) with a and b of f16, the rows of a indexed by the "
      "work-item's number / 4, the columns of b by its number % 4, and k innermost in both";
  Product shorter;
  CHECK(shorter.error([&] {
    shorter.sum.update()
        .split(shorter.r[0], shorter.step, shorter.k, 8)
        .reorder({shorter.step, shorter.i, shorter.j, shorter.k});
    shorter.sum.update().matrix_multiply(shorter.i, shorter.j, shorter.k);
  }) == "y: matrix_multiply: the loop \"sum.1.k\" must have 16 iterations" + takes);
  Product turned;
  CHECK(turned
            .error([&] {
              turned.sum.update()
                  .split(turned.r[0], turned.step, turned.k, 16)
                  .reorder({turned.step, turned.k, turned.i, turned.j});
              turned.sum.update().matrix_multiply(turned.j, turned.i, turned.k);
            })
            .starts_with("y: matrix_multiply: "));
  Product wrong;
  CHECK(wrong.error([&] { wrong.update().matrix_multiply(wrong.k, wrong.j, wrong.i); }) ==
        "sum.update(0).matrix_multiply(k, j, i): loop \"k\" is a reduction; rows and columns must not be "
        "reductions, and the depth must be one");
}

TEST_CASE("matrix_multiply: a device without matrix units is told so") {
  Product p;
  p.update().matrix_multiply(p.i, p.j, p.k);
  lower::LowerOptions options;
  options.sub_groups = lower::SubGroups{};
  CHECK(error_of([&] { lower::lower(p.y.shared(), options); }) ==
        "y: matrix_multiply: the device has no matrix units (DeviceInfo::has_matrix_units); leave its loops "
        "serial or "
        "vectorize them");
}

}  // namespace tensordsl
