#include "generator/standalone/host.h"
#include "weighted_adreno640.h"
#include "weighted_any.h"

template <typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher) {
  const std::vector<float> input = data<float>(40, 1);
  std::vector<float> output(input.size());
  const auto in = launcher.create_Chain(), out = launcher.create_vNULL();
  launcher.write_Chain(host.queue, in, input.data());
  launcher.run(host.queue, in, out);
  launcher.read_vNULL(host.queue, out, output.data());
  return check(name, output, 0, [&](std::int64_t i) {
    return static_cast<double>(input[static_cast<std::size_t>(i)]) * 0.5 * static_cast<double>(i);
  });
}

int main() {
  const Host host;
  bool ok = run("a constant buffer", host, kernels::weighted_any::Launcher(host.context, host.device));
  ok &= run("a constant image", host, kernels::weighted_adreno640::Launcher(host.context, host.device));
  return ok ? 0 : 1;
}
