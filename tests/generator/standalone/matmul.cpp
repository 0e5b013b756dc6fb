#include "generator/standalone/host.h"
#include "matmul_halves.h"
#include "matmul_odd_any.h"
#include "matmul_odd_pocl_cpu_avx512.h"
#include "matmul_symbolic_any.h"
#include "matmul_symbolic_pocl_cpu_avx512.h"
#include "matmul_tiles_adreno640.h"
#include "matmul_tiles_mali_g76.h"
#include "matmul_tiles_nvidia_h100.h"

template <typename T, typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, int m, int n, int k, bool relu) {
  const std::vector<T> a = data<T>(std::int64_t{m} * k, 1), b = data<T>(std::int64_t{k} * n, 2);
  std::vector<T> c(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  const auto A = launcher.create_A(), B = launcher.create_B(), C = launcher.create_C();
  launcher.write_A(host.queue, A, a.data());
  launcher.write_B(host.queue, B, b.data());
  // An event of the last kernel, on which the host waits.
  cl_event done = nullptr;
  launcher.run(host.queue, A, B, C, {}, &done);
  clWaitForEvents(1, &done);
  clReleaseEvent(done);
  launcher.read_C(host.queue, C, c.data());
  return check(name, c, sizeof(T) == 2 ? 0.02 : 1e-4, [&](std::int64_t i) {
    double sum = 0;
    for (std::int64_t j = 0; j < k; ++j)
      sum += value_of(a[static_cast<std::size_t>(i / n * k + j)]) *
             value_of(b[static_cast<std::size_t>(j * n + i % n)]);
    return relu ? std::fmax(sum, 0) : sum;
  });
}

int main() {
  const Host host;
  bool ok = run<float>("odd, any", host, kernels::matmul_odd_any::Launcher(host.context, host.device), 13, 37,
                       17, true);
  ok &= run<float>("odd, cpu", host, kernels::matmul_odd_pocl_cpu_avx512::Launcher(host.context, host.device),
                   13, 37, 17, true);
  ok &= run<float>("textures", host, kernels::matmul_tiles_adreno640::Launcher(host.context, host.device),
                   128, 64, 48, false);
  ok &= run<float>("textures, mali", host,
                   kernels::matmul_tiles_mali_g76::Launcher(host.context, host.device), 128, 64, 48, false);
  ok &=
      run<float>("local tiles", host, kernels::matmul_tiles_nvidia_h100::Launcher(host.context, host.device),
                 128, 64, 48, false);
  ok &= run<cl_half>("halves", host, kernels::matmul_halves::Launcher(host.context, host.device), 20, 24, 16,
                     false);
  for (const int size : {1, 5, 33}) {
    ok &= run<float>(
        "symbolic", host,
        kernels::matmul_symbolic_any::Launcher(host.context, host.device, {2 * size, size, size + 1}), size,
        size + 1, 2 * size, false);
    ok &= run<float>("symbolic, cpu", host,
                     kernels::matmul_symbolic_pocl_cpu_avx512::Launcher(host.context, host.device,
                                                                        {2 * size, size, size + 1}),
                     size, size + 1, 2 * size, false);
  }
  return ok ? 0 : 1;
}
