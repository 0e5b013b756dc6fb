#include "runtime/device/select_device.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"

using namespace tensordsl;

namespace {

DeviceInfo device(const std::string& name, int platform, int number, bool is_cpu, bool is_gpu) {
  DeviceInfo info;
  info.name = name;
  info.platform_number = platform;
  info.device_number = number;
  info.is_cpu = is_cpu;
  info.is_gpu = is_gpu;
  return info;
}

const std::vector<DeviceInfo> kDevices = {
    device("pthread-haswell", 0, 0, true, false), device("NVIDIA H100", 2, 0, false, true),
    device("NVIDIA A10", 2, 1, false, true), device("Board", 3, 0, false, false)};

}  // namespace

TEST_CASE("device choice: by default the first GPU, else the first device") {
  CHECK(runtime::select_device(kDevices, "", "") == 1);
  CHECK(runtime::select_device({kDevices[3], kDevices[0]}, "", "") == 0);
}

TEST_CASE("device choice: by kind, number, or a part of the name in any case") {
  CHECK(runtime::select_device(kDevices, "cpu", "") == 0);
  CHECK(runtime::select_device(kDevices, "GPU", "") == 1);
  CHECK(runtime::select_device(kDevices, "2:1", "") == 2);
  CHECK(runtime::select_device(kDevices, "nvidia", "") == 1);
  CHECK(runtime::select_device(kDevices, "a10", "") == 2);
  CHECK(runtime::select_device(kDevices, "board", "") == 3);
}

TEST_CASE("device choice: host is the processor through LLVM, whatever other devices are called") {
  DeviceInfo host = device("host-EPYC", 4, 0, true, false);
  host.backend = "llvm";
  CHECK(runtime::select_device({device("localhost", 0, 0, true, false), host}, "Host", "") == 1);
  CHECK_THROWS_WITH_AS(
      runtime::select_device({kDevices[0]}, "host", ""),
      "no device matches \"host\"; it needs LLVM 15 to 19 (apt-get install libllvm15). The devices are: 0:0 "
      "\"pthread-haswell\" (cpu). Name one by gpu, cpu, host, PLATFORM:DEVICE or a part of its name",
      DeviceError);
}

TEST_CASE("device choice: the environment decides only where no device is asked for") {
  CHECK(runtime::select_device(kDevices, "", "cpu") == 0);
  CHECK(runtime::select_device(kDevices, "gpu", "cpu") == 1);
}

TEST_CASE("device choice: what matches nothing is answered with what there is") {
  const std::string found =
      "The devices are: 0:0 \"pthread-haswell\" (cpu), 2:0 \"NVIDIA H100\" (gpu), 2:1 \"NVIDIA A10\" (gpu), "
      "3:0 \"Board\" (accelerator). Name one by gpu, cpu, host, PLATFORM:DEVICE or a part of its name";
  CHECK_THROWS_WITH_AS(runtime::select_device(kDevices, "mali", ""),
                       ("no device matches \"mali\". " + found).c_str(), DeviceError);
  CHECK_THROWS_WITH_AS(runtime::select_device(kDevices, "1:0", ""),
                       ("no device matches \"1:0\". " + found).c_str(), DeviceError);
  CHECK_THROWS_WITH_AS(runtime::select_device(kDevices, "", "2:2"),
                       ("no device matches TENSORDSL_DEVICE=\"2:2\". " + found).c_str(), DeviceError);
  CHECK_THROWS_WITH_AS(runtime::select_device({kDevices[0]}, "gpu", ""),
                       "no device matches \"gpu\". The devices are: 0:0 \"pthread-haswell\" (cpu). Name one "
                       "by gpu, cpu, host, PLATFORM:DEVICE or a part of its name",
                       DeviceError);
}

TEST_CASE("device choice: with no device at all the text says what to install") {
  CHECK_THROWS_WITH_AS(
      runtime::select_device({}, "gpu", ""),
      "no device found: install the OpenCL driver of your GPU, or PoCL to run on the CPU (on Debian: apt-get "
      "install pocl-opencl-icd), or LLVM 15 to 19 (apt-get install libllvm15)",
      DeviceError);
}
