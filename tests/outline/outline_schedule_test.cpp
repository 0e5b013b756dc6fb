// Tests that outlines say of schedules what the text of the lowered kernels says.
#include "outline/outline_schedule.h"

#include <doctest/doctest.h>

#include "lower/lower.h"
#include "predict/outlined_work.h"
#include "predict/predict_kernel.h"
#include "schedule/func_schedule.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::outline {
namespace {

Var axis_of(const Func& sum) { return Var(sum.contents().definitions[1].domain[0].name); }

struct Work {
  std::vector<predict::KernelWork> outlined{}, lowered{};
};

Work work_of(const Func& output, const char* profile) {
  const predict::DeviceFigures device = predict::figures_of(load_hw_profile(profile));
  Work work;
  for (const predict::KernelOutline& outline : outline_schedule({output.shared()}))
    work.outlined.push_back(predict::work_of(outline, device));
  for (const lower::LoweredKernel& kernel : lower::lower(output.shared()).kernels)
    work.lowered.push_back(predict::count_work(kernel, device));
  return work;
}

/// Compares the counts that decide: the numbers of work-items, multiply-adds, accesses and bytes.
void check_same(const Func& output, const char* profile) {
  CAPTURE(profile);
  const Work work = work_of(output, profile);
  REQUIRE(work.outlined.size() == work.lowered.size());
  for (std::size_t i = 0; i < work.outlined.size(); ++i) {
    CAPTURE(i);
    const predict::KernelWork &outlined = work.outlined[i], &lowered = work.lowered[i];
    CHECK(outlined.groups == lowered.groups);
    CHECK(outlined.group_items == lowered.group_items);
    CHECK(outlined.operations.multiply_adds == doctest::Approx(lowered.operations.multiply_adds));
    CHECK(outlined.operations.loads == doctest::Approx(lowered.operations.loads));
    CHECK(outlined.operations.stores == doctest::Approx(lowered.operations.stores));
    CHECK(outlined.local_bytes == lowered.local_bytes);
    CHECK(outlined.barriers == doctest::Approx(lowered.barriers));
  }
}

constexpr const char* kProfiles[] = {"mali_g76", "adreno640", "nvidia_h100", "pocl_cpu_avx512"};

struct Product {
  Input a{"a", Float(32), {96, 64}}, b{"b", Float(32), {64, 128}};
  Var n{"n"}, m{"m"};
  Func sum{"sum"}, out{"out"};
  RDom k{{{0, 64}}, "k"};

  Product() {
    sum(n, m) = 0.0F;
    sum(n, m) += a(n, k) * b(k, m);
    out(n, m) = sum(n, m) + 1.0F;
    out.bound({96, 128});
  }
};

}  // namespace

TEST_CASE("outline: a tile in registers reads each element of its factors once") {
  for (const char* profile : kProfiles) {
    Product p;
    const Var no("no"), ni("ni"), mo("mo"), mi("mi");
    p.out.split(p.n, no, ni, 4).split(p.m, mo, mi, 8).reorder({no, mo, ni, mi}).gpu_blocks(mo, no);
    p.out.vectorize(mi, 4).unroll(mi).unroll(ni);
    p.sum.compute_at(p.out, mo).vectorize(p.m, 4).unroll(p.m).unroll(p.n);
    p.sum.update().reorder({axis_of(p.sum), p.n, p.m}).vectorize(p.m, 4).unroll(p.m).unroll(p.n);
    check_same(p.out, profile);
  }
}

TEST_CASE("outline: what windows read again along an outer axis stays in registers") {
  const auto registers = [](bool unrolls_rows) {
    Input x("x", Float(32), {66, 66});
    const Var y("y"), c("c"), yo("yo"), yi("yi");
    Func most("most"), out("out");
    const RDom r({{0, 3}, {0, 3}}, "r");
    most(y, c) = 0.0F;
    most(y, c) += x(y + r[0], c + r[1]);
    out(y, c) = most(y, c);
    out.bound({64, 64}).split(y, yo, yi, 4).reorder({yo, c, yi}).gpu_blocks(yo).gpu_threads(c).unroll(yi);
    most.compute_at(out, c).unroll(y);
    most.update().unroll(r[1]).unroll(y);
    if (unrolls_rows) most.update().unroll(r[0]);
    return work_of(out, "mali_g76").outlined[0].registers;
  };
  // Four windows read 6 of 12 rows again, each of 3 elements.
  CHECK(registers(true) == registers(false) + 6 * 3);
}

TEST_CASE("outline: what a vector reads along the axis of a sum stays in registers") {
  const auto registers = [](int steps) {
    Product p;
    const Var no("no"), ni("ni"), mo("mo"), mi("mi"), ko("ko"), ki("ki");
    p.out.split(p.n, no, ni, 4).split(p.m, mo, mi, 4).reorder({no, mo, ni, mi}).gpu_blocks(mo, no);
    p.out.vectorize(mi).unroll(ni);
    p.sum.compute_at(p.out, mo).vectorize(p.m).unroll(p.n);
    p.sum.update().split(axis_of(p.sum), ko, ki, steps).reorder({ko, ki, p.n, p.m});
    p.sum.update().vectorize(p.m).unroll(p.n).unroll(ki);
    return work_of(p.out, "mali_g76").outlined[0].registers;
  };
  CHECK(registers(4) == registers(1) + 4 * 3);
}

TEST_CASE("outline: while a special function of one vector runs, compilers that gather reads begin another") {
  const auto registers = [](bool is_special, const char* profile) {
    Product p;
    const Var no("no"), ni("ni"), mo("mo"), mi("mi");
    p.out = Func("activated");
    const Expr value = p.sum(p.n, p.m);
    p.out(p.n, p.m) = value * (is_special ? erf(value) : value);
    p.out.bound({96, 128}).split(p.n, no, ni, 4).split(p.m, mo, mi, 8).reorder({no, mo, ni, mi});
    p.out.gpu_blocks(mo, no).vectorize(mi).unroll(ni);
    p.sum.compute_at(p.out, mo).vectorize(p.m).unroll(p.n);
    p.sum.update().reorder({axis_of(p.sum), p.n, p.m}).vectorize(p.m).unroll(p.n);
    return work_of(p.out, profile).outlined[0].ordered_registers;
  };
  CHECK(registers(true, "mali_g76") > registers(false, "mali_g76"));
  CHECK(registers(true, "adreno640") == registers(true, "mali_g76") + 8 * 4);  // another vector
}

TEST_CASE("outline: a sum with a test is there twice, for compilers select the new one or the old one") {
  const auto held = [](Tail tail) {
    Product p;
    const Var no("no"), ni("ni"), mo("mo"), mi("mi");
    p.out.bound({94, 128}).split(p.n, no, ni, 4, tail).split(p.m, mo, mi, 4).reorder({no, mo, ni, mi});
    p.out.gpu_blocks(mo, no).vectorize(mi).unroll(ni);
    p.sum.compute_at(p.out, mo).vectorize(p.m).unroll(p.n);
    p.sum.update().reorder({axis_of(p.sum), p.n, p.m}).vectorize(p.m).unroll(p.n);
    return outline_schedule({p.out.shared()})[0].stages.front().held;
  };
  CHECK(held(Tail::ShiftInwards) == 4 * 4);
  CHECK(held(Tail::Guard) == 4 * 4 + 3 * 4);  // the first row is tested with the work-item
}

TEST_CASE("outline: work-items that a guard skips do no work") {
  for (const char* profile : kProfiles) {
    Input x("x", Float(32), {100});
    Var i("i"), block("block"), item("item");
    Func out("out");
    out(i) = x(i) * 2.0F;
    out.bound({100}).split(i, block, item, 128, Tail::Guard).gpu_blocks(block).gpu_threads(item);
    const Work work = work_of(out, profile);
    CHECK(work.outlined[0].operations.loads == doctest::Approx(work.lowered[0].operations.loads));
  }
}

TEST_CASE("outline: windows of neighbors share what they read") {
  for (const char* profile : kProfiles) {
    Input x("x", Float(32), {66});
    Var i("i"), block("block"), in("in");
    Func sum("sum"), out("out");
    RDom r({{0, 3}}, "r");
    sum(i) = 0.0F;
    sum(i) += x(i + r);
    out(i) = sum(i);
    out.bound({64}).split(i, block, in, 8).gpu_blocks(block).unroll(in);
    sum.compute_at(out, block).unroll(i);
    sum.update().reorder({i, axis_of(sum)}).unroll(i).unroll(axis_of(sum));
    const Work work = work_of(out, profile);
    CHECK(work.outlined[0].operations.loads ==
          doctest::Approx(work.lowered[0].operations.loads).epsilon(0.2));
    // Where vectors are instructions, the text reads neighbors together: ten, four at a time.
    if (profile != std::string("pocl_cpu_avx512")) CHECK(work.outlined[0].operations.loads == 2.5);
  }
}

TEST_CASE("outline: a tile in local memory is as large as what the group reads, with two barriers a step") {
  for (const char* profile : {"nvidia_h100", "mali_g76"}) {
    Product p;
    const Var no("no"), ni("ni"), mo("mo"), mi("mi"), ko("ko"), ki("ki");
    p.out.split(p.n, no, ni, 8).split(p.m, mo, mi, 32).reorder({no, mo, ni, mi}).gpu_blocks(mo, no);
    p.out.gpu_threads(mi, ni);
    p.sum.compute_at(p.out, mi);
    p.sum.update().split(axis_of(p.sum), ko, ki, 16).reorder({ko, ki, p.n, p.m});
    Func staged = p.b.in(p.sum);
    staged.compute_at(p.sum.update(), ko).store_in(Local);
    const Var d0 = Var(staged.contents().dims[0]), d1 = Var(staged.contents().dims[1]);
    const Var place("place"), round("round"), item("item"), x("x"), y("y");
    staged.fuse(d0, d1, place).split(place, round, item, 256, Tail::Exact).split(item, y, x, 32, Tail::Exact);
    staged.gpu_threads(x, y);
    check_same(p.out, profile);
  }
}

TEST_CASE("outline: a tile that work-items share unevenly is no larger than what is read of it") {
  Product p;
  const Var no("no"), ni("ni"), mo("mo"), mi("mi"), items("items"), round("round"), item("item");
  p.out.split(p.n, no, ni, 6).split(p.m, mo, mi, 7).reorder({no, mo, ni, mi}).gpu_blocks(mo, no);
  p.out.fuse(ni, mi, items).split(items, round, item, 32, Tail::Guard).gpu_threads(item);
  p.sum.compute_at(p.out, mo).store_in(Local);
  const Var place("place"), rounds("rounds"), own("own");
  p.sum.fuse(p.n, p.m, place).split(place, rounds, own, 32, Tail::Guard).gpu_threads(own);
  p.sum.update().fuse(p.n, p.m, place).split(place, rounds, own, 32, Tail::Guard).gpu_threads(own);
  for (const char* profile : {"nvidia_h100", "mali_g76"}) {
    CAPTURE(profile);
    const Work work = work_of(p.out, profile);
    CHECK(work.outlined[0].local_bytes == 6 * 7 * 4);
    CHECK(work.outlined[0].group_items == 32);
  }
  p.out.split(round, Var("four"), Var("of_four"), 4, Tail::Guard);
  CHECK(work_of(p.out, "mali_g76").outlined[0].local_bytes == 6 * 7 * 4);
}

TEST_CASE("outline: sizes that are not known yet are those that the caller gives") {
  Param size("size");
  Input x("x", Float(32), {size});
  Var i("i"), block("block"), item("item");
  Func out("out");
  out(i) = x(i) * 2.0F;
  out.bound({size}).split(i, block, item, 64).gpu_blocks(block).gpu_threads(item);
  const predict::DeviceFigures device = predict::figures_of(load_hw_profile("adreno640"));
  const auto groups = [&](std::int64_t value) {
    return predict::work_of(outline_schedule({out.shared()}, [&](const std::string&) { return value; })[0],
                            device)
        .groups;
  };
  CHECK(groups(64) == 1);
  CHECK(groups(6400) == 100);
}

}  // namespace tensordsl::outline
