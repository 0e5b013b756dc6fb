// tensordsl: all commands
#include "apps/tensordsl/run_tool.h"

int main(int argc, char** argv) {
  using namespace tensordsl::cli;
  return run_tool(
      argc, argv,
      {{"devices", "list the devices that can run kernels: OpenCL devices, and the host",
        add_devices_command},
       {"run", "run an ONNX model through generated kernels", add_run_command},
       {"compile", "compile a model into a package: kernels, launches, memory plan, constants",
        add_compile_command},
       {"autoschedule",
        "choose the schedules of a model, with or without trials on a device, and write a package",
        add_autoschedule_command},
       {"inspect", "show how a model is optimized and lowered to kernels", add_inspect_command},
       {"diff", "find the first wrong tensor of a model", add_diff_command},
       {"bench", "time a model", add_bench_command},
       {"profile", "measure the hardware properties of an OpenCL device", add_profile_command},
       {"db", "show, exchange and prune tuning records", add_db_command},
       {"worker", "measure kernels for a tuner", add_worker_command}});
}
