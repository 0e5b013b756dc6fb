#include "backends/cuda_graphs/cuda_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::cuda {

std::shared_ptr<const Library> Library::load() {
  void* file = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) return nullptr;
  const auto library = std::make_shared<Library>();
  bool has_all = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(file, name));
    has_all = has_all && function != nullptr;
  };
  // Names that end in _v2 take addresses of 64 bits.
  find(library->init, "cuInit");
  find(library->device_by_pci_bus_id, "cuDeviceGetByPCIBusId");
  find(library->retain_context, "cuDevicePrimaryCtxRetain");
  find(library->release_context, "cuDevicePrimaryCtxRelease_v2");
  find(library->set_context, "cuCtxSetCurrent");
  find(library->allocate, "cuMemAlloc_v2");
  find(library->free, "cuMemFree_v2");
  find(library->copy_to_device, "cuMemcpyHtoD_v2");
  find(library->copy_to_host, "cuMemcpyDtoH_v2");
  find(library->create_stream, "cuStreamCreate");
  find(library->destroy_stream, "cuStreamDestroy_v2");
  find(library->synchronize, "cuStreamSynchronize");
  find(library->query, "cuStreamQuery");
  find(library->load_module, "cuModuleLoadData");
  find(library->unload_module, "cuModuleUnload");
  find(library->get_function, "cuModuleGetFunction");
  find(library->launch, "cuLaunchKernel");
  find(library->create_event, "cuEventCreate");
  find(library->destroy_event, "cuEventDestroy_v2");
  find(library->record_event, "cuEventRecord");
  find(library->wait_for_event, "cuEventSynchronize");
  find(library->elapsed_ms, "cuEventElapsedTime");
  find(library->create_graph, "cuGraphCreate");
  find(library->destroy_graph, "cuGraphDestroy");
  find(library->add_kernel, "cuGraphAddKernelNode");
  find(library->instantiate, "cuGraphInstantiateWithFlags");
  find(library->destroy_exec, "cuGraphExecDestroy");
  find(library->launch_graph, "cuGraphLaunch");
  find(library->error_string_, "cuGetErrorString");
  if (!has_all) return nullptr;
  find(library->add_edges, "cuGraphAddDependencies_v2");
  return library;
}

void Library::check(Status status, std::string_view call, std::string_view kernel) const {
  if (status == 0) return;
  const char* text = nullptr;
  if (error_string_(status, &text) != 0 || text == nullptr) text = "unknown status";
  throw DeviceError(
      fmt::format("{} failed: {} ({}){}{}", call, text, status, kernel.empty() ? "" : ", kernel ", kernel));
}

}  // namespace tensordsl::cuda
