#include "backends/llvm/device/host_driver.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "backends/llvm/device/compile_object.h"
#include "backends/llvm/device/host_device.h"
#include "backends/llvm/emit/emit_llvm.h"
#include "tensordsl/device.h"

namespace tensordsl::host {
namespace {

/// Returns "AMD EPYC 9R14 96-Core Processor", or LLVM's name of the processor if the system does not report
/// it.
std::string processor_name(const Processor& processor) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return processor.name;
}

/// Returns the number of cores that this process may run on.
int core_count() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

std::int64_t system_figure(int name) { return std::max<std::int64_t>(0, sysconf(name)); }

/// Describes the processor of this machine as a device.
DeviceInfo host_info(const LlvmLibrary& llvm, const Processor& processor, int platform_number) {
  DeviceInfo info;
  info.name = "host-" + processor_name(processor);
  info.vendor = processor.name;
  info.version = "LLVM";
  info.driver = llvm.file();
  info.platform = "LLVM";
  info.backend = kLlvmBackend;
  info.platform_number = platform_number;
  info.is_cpu = true;
  info.compute_units = core_count();
  // Work-items of a group are a loop: these are as of OpenCL on CPUs.
  info.max_group_size = 4096;
  info.max_group_sizes = {info.max_group_size, info.max_group_size, info.max_group_size};
  info.local_memory_bytes = 512 << 10;
  info.group_private_memory_bytes = llvm_ir::kStackBytes - info.local_memory_bytes;
  info.global_memory_bytes = system_figure(_SC_PHYS_PAGES) * system_figure(_SC_PAGESIZE);
  info.max_allocation_bytes = info.global_memory_bytes;
  info.constant_buffer_bytes = info.max_allocation_bytes;
#ifdef _SC_LEVEL3_CACHE_SIZE
  info.global_cache_bytes =
      std::max(system_figure(_SC_LEVEL3_CACHE_SIZE), system_figure(_SC_LEVEL2_CACHE_SIZE));
  info.global_cache_line_bytes = system_figure(_SC_LEVEL1_DCACHE_LINESIZE);
#endif
  info.buffer_alignment_bytes = 128;
  info.timer_resolution_ns = 1;
  info.native_vector_width_float = processor.vector_bits / 32;
  info.has_fp64 = true;
  info.has_sub_groups = true;
  info.has_sub_group_shuffle = true;
  info.sub_group_sizes = {4, 8, 16, 32, 64};
  info.has_images = true;
  constexpr std::int64_t kSide = 16384, kLayers = 2048, kTexels = 1 << 27;
  info.image_limits = {.width = kSide, .height = kSide, .layers = kLayers, .buffer_texels = kTexels};
  info.max_write_images = info.max_read_images;
  return info;
}

}  // namespace

std::vector<runtime::FoundDevice> HostDriver::devices(int first_platform) const {
  const auto llvm = LlvmLibrary::load();
  if (!llvm) return {};
  const Processor processor = this_processor(*llvm);
  const DeviceInfo info = host_info(*llvm, processor, first_platform);
  return {{info, [=] {
             return std::make_shared<HostDevice>(
                 llvm, processor, info,
                 runtime::ProgramCache(runtime::ProgramCache::folder_of_environment()));
           }}};
}

}  // namespace tensordsl::host
