#include "generator/standalone/attention.h"

#include <string>

#include "attention_causal_any.h"
#include "attention_halves_any.h"
#include "attention_small_any.h"

int main() {
  const Host host;
  const cl_context context = host.context;
  const cl_device_id device = host.device;
  bool ok =
      run<float>("any", host, kernels::attention_small_any::Launcher(context, device), 2, 5, 70, 40, false);
  ok &= run<float>("causal, any", host, kernels::attention_causal_any::Launcher(context, device), 1, 33, 33,
                   80, true);
  ok &= run<cl_half>("halves, any", host, kernels::attention_halves_any::Launcher(context, device), 2, 19, 50,
                     5, true);
  const std::string source = kernels::attention_causal_any::source();
  ok &= source.find("__kernel") == source.rfind("__kernel");
  return ok ? 0 : 1;
}
