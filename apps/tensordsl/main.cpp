// tensordsl: all commands
#include "apps/tensordsl/run_tool.h"

int main(int argc, char** argv) {
  using namespace tensordsl::cli;
  return run_tool(
      argc, argv,
      {{"devices", "list what kernels can run on: OpenCL devices, and the host", add_devices_command},
       {"run", "run an ONNX model through generated kernels", add_run_command},
       {"compile", "write a model as a package: kernels, launches, memory plan, constants",
        add_compile_command},
       {"autoschedule", "choose the schedules of a model, with or without trials, and write it as a package",
        add_autoschedule_command},
       {"inspect", "show what becomes of a model on its way to kernels, and why", add_inspect_command},
       {"diff", "find the first tensor of a model that is wrong", add_diff_command},
       {"bench", "time a model", add_bench_command},
       {"profile", "measure what an OpenCL device is made of", add_profile_command},
       {"db", "show, exchange and prune what trials have found", add_db_command},
       {"worker", "measure kernels for a tuner", add_worker_command}});
}
