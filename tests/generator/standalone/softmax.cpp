#include "generator/standalone/host.h"
#include "softmax_halves.h"
#include "softmax_narrow.h"
#include "softmax_small_any.h"
#include "softmax_small_nvidia_h100.h"
#include "softmax_small_pocl_cpu_avx512.h"
#include "softmax_symbolic.h"

template <typename T, typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, std::int64_t rows,
         std::int64_t columns) {
  const std::vector<T> input = data<T>(rows * columns, 1);
  std::vector<T> output(input.size());
  const auto in = launcher.create_in(), out = launcher.create_out();
  launcher.write_in(host.queue, in, input.data());
  launcher.run(host.queue, in, out);
  launcher.read_out(host.queue, out, output.data());
  return check(name, output, sizeof(T) == 2 ? 1e-3 : 1e-5, [&](std::int64_t i) {
    double sum = 0;
    for (std::int64_t k = 0; k < columns; ++k)
      sum += std::exp(value_of(input[static_cast<std::size_t>(i / columns * columns + k)]));
    return std::exp(value_of(input[static_cast<std::size_t>(i)])) / sum;
  });
}

int main() {
  const Host host;
  bool ok = run<float>("any", host, kernels::softmax_small_any::Launcher(host.context, host.device), 7, 130);
  ok &= run<float>("cpu", host, kernels::softmax_small_pocl_cpu_avx512::Launcher(host.context, host.device),
                   7, 130);
  ok &= run<float>("gpu", host, kernels::softmax_small_nvidia_h100::Launcher(host.context, host.device), 7,
                   130);
  ok &= run<float>("a column", host, kernels::softmax_narrow::Launcher(host.context, host.device), 3, 1);
  ok &= run<cl_half>("halves", host, kernels::softmax_halves::Launcher(host.context, host.device), 5, 64);
  kernels::softmax_symbolic::Launcher symbolic(host.context, host.device, {17, 3});
  ok &= run<float>("symbolic", host, symbolic, 3, 17);
  symbolic.set_params({200, 5});
  ok &= run<float>("symbolic, other sizes", host, symbolic, 5, 200);
  try {
    symbolic.set_params({-1, 5});
    ok = false;
  } catch (const std::invalid_argument& error) {
    // A refused call changes nothing.
    ok &= run<float>("symbolic, as before", host, symbolic, 5, 200);
    ok &= std::string(error.what()) == "an extent of \"in\" is -1; it must be from 0 to 2147483647";
  }
  return ok ? 0 : 1;
}
