// tensordsl as it is built for a phone: what has to run where the device is
#include "apps/tensordsl/run_tool.h"

int main(int argc, char** argv) {
  using namespace tensordsl::cli;
  return run_tool(
      argc, argv,
      {{"devices", "list what kernels can run on: OpenCL devices, and the host", add_devices_command},
       {"profile", "measure what an OpenCL device is made of", add_profile_command},
       {"worker", "measure kernels for a tuner", add_worker_command}});
}
