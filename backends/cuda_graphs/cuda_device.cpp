#include "backends/cuda_graphs/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/cuda_graphs/graph_recording.h"
#include "backends/cuda_graphs/portable_ptx.h"
#include "backends/opencl/device/build_programs.h"
#include "base/run_in_parallel.h"
#include "runtime/device/check_buffer_range.h"
#include "tensordsl/error.h"

namespace tensordsl::cuda {

CudaDevice::CudaDevice(std::shared_ptr<const Session> session, std::unique_ptr<opencl::OpenClDevice> compiler,
                       DeviceInfo info)
    : session_(std::move(session)), compiler_(std::move(compiler)), info_(std::move(info)) {}

std::shared_ptr<DeviceBuffer> CudaDevice::allocate(std::size_t bytes) {
  const auto refuse = [&](const std::string& reason) {
    throw DeviceError(
        fmt::format("device memory: {} bytes requested, but the largest allocation of {} is {} bytes{}",
                    bytes, info_.name, info_.max_allocation_bytes, reason));
  };
  if (bytes > static_cast<std::size_t>(info_.max_allocation_bytes)) refuse("");
  const Library& library = session_->enter();
  Address address = 0;
  // CUDA has no empty memory; a tensor may be empty.
  try {
    library.check(library.allocate(&address, std::max<std::size_t>(bytes, 1)), "cuMemAlloc");
  } catch (const DeviceError& error) {
    refuse(std::string(": ") + error.what());
  }
  return std::make_shared<CudaBuffer>(session_, address, bytes);
}

const CudaBuffer& CudaDevice::checked(const DeviceBuffer& buffer, std::size_t bytes, std::size_t offset,
                                      const char* call) const {
  const auto* own = dynamic_cast<const CudaBuffer*>(&buffer);
  runtime::check_buffer_range(call, {bytes, offset, buffer.size_bytes()}, own && own->session == session_,
                              info_);
  return *own;
}

std::shared_ptr<DeviceBuffer> CudaDevice::part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                               std::size_t bytes) {
  const auto* own = dynamic_cast<const CudaBuffer*>(whole.get());
  const bool is_own = own && own->session == session_;
  runtime::check_part({bytes, offset, whole->size_bytes()}, is_own, is_own && own->whole, info_);
  return std::make_shared<CudaBuffer>(session_, own->address + offset, bytes, whole);
}

void CudaDevice::write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) {
  const CudaBuffer& own = checked(to, from.size(), offset, "write");
  if (from.empty()) return;
  const Library& library = session_->enter();
  library.check(library.copy_to_device(own.address + offset, from.data(), from.size()), "cuMemcpyHtoD");
}

void CudaDevice::read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) {
  const CudaBuffer& own = checked(from, to.size(), offset, "read");
  if (to.empty()) return;
  const Library& library = session_->enter();
  library.check(library.copy_to_host(to.data(), own.address + offset, to.size()), "cuMemcpyDtoH");
}

void CudaDevice::refuse_images(const char* call) const {
  throw DeviceError(
      fmt::format("{}: {} has no images when CUDA replays its kernels; open it as the device of platform "
                  "\"{}\", by its PLATFORM:DEVICE in Device::list()",
                  call, info_.name, compiler_->info().platform));
}

std::shared_ptr<DeviceImage> CudaDevice::allocate(const ImageDescription&) { refuse_images("allocate"); }
void CudaDevice::write(DeviceImage&, std::span<const std::byte>) { refuse_images("write"); }
void CudaDevice::read(const DeviceImage&, std::span<std::byte>) { refuse_images("read"); }
bool CudaDevice::probe_r16f_images() { refuse_images("reads_r16f_images"); }

std::vector<std::shared_ptr<DeviceKernel>> CudaDevice::build(const std::vector<KernelSource>& sources,
                                                             const std::function<void(int, int)>& progress) {
  const std::vector<std::shared_ptr<DeviceKernel>> compiled = compiler_->build(sources, progress);
  std::vector<const opencl::OpenClKernel*> programs;  // one kernel of each
  std::map<cl_program, std::size_t> place_of;
  for (const auto& kernel : compiled) {
    const auto& of_opencl = static_cast<const opencl::OpenClKernel&>(*kernel);
    if (place_of.emplace(of_opencl.program.get(), programs.size()).second) programs.push_back(&of_opencl);
  }
  // The driver compiles a second time, from PTX.
  std::vector<std::shared_ptr<const Module>> modules(programs.size());
  run_in_parallel(static_cast<int>(programs.size()), [&](int job) {
    const auto i = static_cast<std::size_t>(job);
    const auto binary = opencl::binary_of(programs[i]->program, compiler_->id());
    const std::string ptx = portable_ptx({reinterpret_cast<const char*>(binary.data()), binary.size()});
    const std::string& entry = programs[i]->kernel_source.entry;
    if (has_constant_arguments(ptx)) {
      throw DeviceError(fmt::format(
          "kernel {}: it reads constant memory, which CUDA graphs do not support; compile it for this device",
          entry));
    }
    const std::string early = session_->enter().add_edges ? with_early_start(ptx) : ptx;
    modules[i] = std::make_shared<const Module>(session_, early, entry, early != ptx);
  });
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    const auto& of_opencl = static_cast<const opencl::OpenClKernel&>(*compiled[i]);
    kernels.push_back(
        std::make_shared<CudaKernel>(session_, modules[place_of.at(of_opencl.program.get())], sources[i]));
  }
  return kernels;
}

std::unique_ptr<Recording> CudaDevice::record(std::vector<Launch> launches) {
  return record_graph(session_, std::move(launches), info_.buffer_alignment_bytes);
}

void CudaDevice::finish(Waiting waiting) { session_->wait(waiting); }

}  // namespace tensordsl::cuda
