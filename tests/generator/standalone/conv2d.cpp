#include "conv2d_odd_any.h"
#include "conv2d_odd_pocl_cpu_avx512.h"
#include "conv2d_symbolic.h"
#include "conv2d_texels_adreno640.h"
#include "conv2d_texels_any.h"
#include "conv2d_texels_halves.h"
#include "generator/standalone/host.h"

struct Shape {
  int height, width, inputs, outputs, kernel, stride, padding;
};

template <typename T, typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, const Shape& s,
         double (*activation)(double)) {
  const auto extent = [&](int size) { return (size + 2 * s.padding - s.kernel) / s.stride + 1; };
  const int height = extent(s.height), width = extent(s.width);
  const std::vector<T> image = data<T>(std::int64_t{s.height} * s.width * s.inputs, 1),
                       filter = data<T>(std::int64_t{s.outputs} * s.kernel * s.kernel * s.inputs, 2),
                       shift = data<T>(s.outputs, 3);
  std::vector<T> result(static_cast<std::size_t>(height) * static_cast<std::size_t>(width * s.outputs));
  const auto in = launcher.create_in(), weights = launcher.create_weights(), bias = launcher.create_bias(),
             out = launcher.create_out();
  launcher.write_in(host.queue, in, image.data());
  launcher.write_weights(host.queue, weights, filter.data());
  launcher.write_bias(host.queue, bias, shift.data());
  launcher.run(host.queue, in, weights, bias, out);
  launcher.read_out(host.queue, out, result.data());
  return check(name, result, sizeof(T) == 2 ? 0.05 : 1e-4, [&](std::int64_t i) {
    const int o = static_cast<int>(i) % s.outputs, x = static_cast<int>(i) / s.outputs % width,
              y = static_cast<int>(i) / s.outputs / width;
    double sum = value_of(shift[static_cast<std::size_t>(o)]);
    for (int v = 0; v < s.kernel; ++v) {
      for (int u = 0; u < s.kernel; ++u) {
        const int row = y * s.stride + v - s.padding, column = x * s.stride + u - s.padding;
        if (row < 0 || row >= s.height || column < 0 || column >= s.width) continue;
        for (int c = 0; c < s.inputs; ++c) {
          sum +=
              value_of(image[static_cast<std::size_t>((row * s.width + column) * s.inputs + c)]) *
              value_of(filter[static_cast<std::size_t>(((o * s.kernel + v) * s.kernel + u) * s.inputs + c)]);
        }
      }
    }
    return activation(sum);
  });
}

double none(double x) { return x; }
double relu(double x) { return std::fmax(x, 0); }
double silu(double x) { return x / (1 + std::exp(-x)); }

int main() {
  const Host host;
  const Shape odd{9, 11, 3, 5, 3, 2, 1}, texels{7, 10, 8, 12, 3, 1, 1}, grown{12, 5, 4, 20, 1, 1, 0};
  bool ok =
      run<float>("odd, any", host, kernels::conv2d_odd_any::Launcher(host.context, host.device), odd, silu);
  ok &= run<float>("odd, cpu", host, kernels::conv2d_odd_pocl_cpu_avx512::Launcher(host.context, host.device),
                   odd, silu);
  ok &= run<float>("texels, any", host, kernels::conv2d_texels_any::Launcher(host.context, host.device),
                   texels, relu);
  ok &= run<float>("texels", host, kernels::conv2d_texels_adreno640::Launcher(host.context, host.device),
                   texels, relu);
  ok &= run<cl_half>("texels of halves", host,
                     kernels::conv2d_texels_halves::Launcher(host.context, host.device), texels, relu);
  ok &= run<float>("symbolic", host, kernels::conv2d_symbolic::Launcher(host.context, host.device, {12, 5}),
                   grown, none);
  return ok ? 0 : 1;
}
