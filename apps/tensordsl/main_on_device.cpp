// The tensordsl command of a phone build: only the commands that must run on the device.
#include "apps/tensordsl/run_tool.h"

int main(int argc, char** argv) {
  using namespace tensordsl::cli;
  return run_tool(argc, argv,
                  {{"devices", "list the devices that can run kernels: OpenCL devices, and the host",
                    add_devices_command},
                   {"profile", "measure the hardware properties of an OpenCL device", add_profile_command},
                   {"worker", "measure kernels for a tuner", add_worker_command}});
}
