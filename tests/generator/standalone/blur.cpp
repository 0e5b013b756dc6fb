#include "blur_bytes.h"
#include "blur_small_any.h"
#include "blur_small_mali_g76.h"
#include "blur_small_pocl_cpu_avx512.h"
#include "blur_symbolic_any.h"
#include "blur_symbolic_pocl_cpu_avx512.h"
#include "generator/standalone/host.h"

template <typename T, typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, int height, int width, int radius,
         bool repeats) {
  const std::vector<T> input = data<T>(std::int64_t{height} * width, 1);
  std::vector<T> output(input.size());
  const auto in = launcher.create_in(), out = launcher.create_out();
  launcher.write_in(host.queue, in, input.data());
  launcher.run(host.queue, in, out);
  launcher.read_out(host.queue, out, output.data());
  const auto pixel = [&](int y, int x) {
    const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
    if (!is_inside && !repeats) return 0.0;
    y = std::min(std::max(y, 0), height - 1);
    x = std::min(std::max(x, 0), width - 1);
    return value_of(input[static_cast<std::size_t>(y * width + x)]);
  };
  return check(name, output, sizeof(T) == 1 ? 0.5 : 1e-5, [&](std::int64_t i) {
    const int y = static_cast<int>(i) / width, x = static_cast<int>(i) % width;
    double sum = 0;
    for (int v = -radius; v <= radius; ++v) {
      for (int u = -radius; u <= radius; ++u) sum += pixel(y + v, x + u);
    }
    return sum / ((2 * radius + 1) * (2 * radius + 1));
  });
}

int main() {
  const Host host;
  bool ok =
      run<float>("any", host, kernels::blur_small_any::Launcher(host.context, host.device), 37, 53, 2, true);
  ok &= run<float>("cpu", host, kernels::blur_small_pocl_cpu_avx512::Launcher(host.context, host.device), 37,
                   53, 2, true);
  ok &= run<float>("mali", host, kernels::blur_small_mali_g76::Launcher(host.context, host.device), 37, 53, 2,
                   true);
  ok &= run<std::uint8_t>("bytes, zeros outside", host,
                          kernels::blur_bytes::Launcher(host.context, host.device), 20, 31, 1, false);
  for (const int size : {1, 7, 40}) {
    const int height = size, width = 3 * size;
    ok &= run<float>("symbolic", host,
                     kernels::blur_symbolic_any::Launcher(host.context, host.device, {height, width}), height,
                     width, 1, true);
    ok &= run<float>(
        "symbolic, cpu", host,
        kernels::blur_symbolic_pocl_cpu_avx512::Launcher(host.context, host.device, {height, width}), height,
        width, 1, true);
  }
  return ok ? 0 : 1;
}
