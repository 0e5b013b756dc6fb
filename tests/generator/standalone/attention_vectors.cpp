#include <string>

#include "attention_causal_pocl_cpu_avx512.h"
#include "attention_few.h"
#include "attention_halves_pocl_cpu_avx512.h"
#include "attention_small_pocl_cpu_avx512.h"
#include "generator/standalone/attention.h"

int main() {
  const Host host;
  const cl_context context = host.context;
  const cl_device_id device = host.device;
  bool ok = run<float>("cpu", host, kernels::attention_small_pocl_cpu_avx512::Launcher(context, device), 2, 5,
                       70, 40, false);
  ok &= run<float>("causal, cpu", host, kernels::attention_causal_pocl_cpu_avx512::Launcher(context, device),
                   1, 33, 33, 80, true);
  ok &= run<float>("few queries, cpu", host, kernels::attention_few::Launcher(context, device), 3, 2, 37, 20,
                   true);
  ok &=
      run<cl_half>("halves, cpu", host, kernels::attention_halves_pocl_cpu_avx512::Launcher(context, device),
                   2, 19, 50, 5, true);
  for (const std::string& source :
       {kernels::attention_few::source(), kernels::attention_small_pocl_cpu_avx512::source()})
    ok &= source.find("__kernel") == source.rfind("__kernel");
  return ok ? 0 : 1;
}
