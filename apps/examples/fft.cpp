// The discrete Fourier transform of 256 complex points, radix 2: tuples of two, one Func for each of the
// eight stages, all of them in the local memory of a work-group, a work-item to a point. Halide's apps/fft
// is a library of its own that unrolls larger radices into registers; the definition here is the textbook's.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("fft", argc, argv);
  constexpr int kBits = 8, kPoints = 1 << kBits, kSignals = 5;
  constexpr float kTurn = 6.2831853f;
  const Var s("s"), k("k");
  const Input re("re", Float(32), {kSignals, kPoints}, {"s", "k"}),
      im("im", Float(32), {kSignals, kPoints}, {"s", "k"});

  std::vector<Func> stages{Func("ordered")};
  Expr reversed = 0;
  for (int bit = 0; bit < kBits; ++bit) reversed = reversed | (((k >> bit) & 1) << (kBits - 1 - bit));
  stages[0](s, k) = {re(s, reversed), im(s, reversed)};
  for (int half = 1; half < kPoints; half *= 2) {
    const Func& before = stages.back();
    const Expr place = k % (2 * half), first = k / (2 * half) * (2 * half) + k % half;
    const Expr angle = cast<float>(place % half) * (-kTurn / static_cast<float>(2 * half));
    const Tuple a(before(s, first)), b(before(s, first + half));
    const Expr turned_re = b[0] * cos(angle) - b[1] * sin(angle),
               turned_im = b[0] * sin(angle) + b[1] * cos(angle);
    Func next("stage" + std::to_string(half));
    next(s, k) = {select(place < half, a[0] + turned_re, a[0] - turned_re),
                  select(place < half, a[1] + turned_im, a[1] - turned_im)};
    stages.push_back(next);
  }

  Func out = stages.back();
  out.bound({kSignals, kPoints});
  if (example.by_hand()) {
    out.gpu_blocks(s).gpu_threads(k);
    for (std::size_t i = 0; i + 1 < stages.size(); ++i)
      stages[i].compute_at(out, s).store_in(Local).gpu_threads(k);
  }

  const Buffer real = example_data({kSignals, kPoints}, 1), imaginary = example_data({kSignals, kPoints}, 2);
  const auto results = example.run({out}, {{"re", real}, {"im", imaginary}});
  double worst = 0;
  for (int n = 0; n < kPoints; n += 7) {
    double sum_re = 0, sum_im = 0;
    for (int j = 0; j < kPoints; ++j) {
      const double angle = -2 * M_PI * n * j / kPoints, x = real.get(j), y = imaginary.get(j);
      sum_re += x * std::cos(angle) - y * std::sin(angle);
      sum_im += x * std::sin(angle) + y * std::cos(angle);
    }
    worst = std::max({worst, std::abs(results[0].get(n) - sum_re), std::abs(results[1].get(n) - sum_im)});
  }
  std::printf("fft: %d signals, largest difference %g\n", kSignals, worst);
  return worst <= 1e-3 ? 0 : 1;
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
