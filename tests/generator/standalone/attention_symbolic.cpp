#include "generator/standalone/attention.h"

#include <array>
#include <string>

#include "attention_one_block_any.h"
#include "attention_one_block_pocl_cpu_avx512.h"
#include "attention_symbolic_any.h"
#include "attention_symbolic_pocl_cpu_avx512.h"

/// The kernels fit any sizes: fewer queries than a vector has lanes, just as many, some more; more than there
/// are keys, so that the first ones see none.
template <typename Launcher>
bool run_symbolic(const char* name, const Host& host) {
  Launcher launcher(host.context, host.device, {2, 17, 3});
  bool ok = run<float>(name, host, launcher, 2, 3, 17, 6, true);
  for (const auto& [heads, queries, keys] :
       {std::array{1, 1, 1}, std::array{1, 16, 16}, std::array{3, 21, 77}, std::array{2, 19, 5}}) {
    launcher.set_params({heads, keys, queries});
    ok &= run<float>(name, host, launcher, heads, queries, keys, 6, true);
  }
  return ok;
}

int main() {
  const Host host;
  bool ok = run_symbolic<kernels::attention_symbolic_any::Launcher>("any", host);
  ok &= run_symbolic<kernels::attention_symbolic_pocl_cpu_avx512::Launcher>("cpu", host);
  for (const int queries : {1, 7, 12}) {
    const kernels::attention_one_block_any::Launcher any(host.context, host.device, {queries});
    ok &= run<float>("one block, any", host, any, 2, queries, 7, 5, true);
    const kernels::attention_one_block_pocl_cpu_avx512::Launcher cpu(host.context, host.device, {queries});
    ok &= run<float>("one block, cpu", host, cpu, 2, queries, 7, 5, true);
  }
  const std::string source = kernels::attention_symbolic_pocl_cpu_avx512::source();
  ok &= source.find("__kernel") == source.rfind("__kernel");
  return ok ? 0 : 1;
}
