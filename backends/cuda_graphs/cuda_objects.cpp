#include "backends/cuda_graphs/cuda_objects.h"

namespace tensordsl::cuda {

Session::Session(std::shared_ptr<const Library> library, DeviceNumber device)
    : library_(std::move(library)), device_(device) {
  library_->check(library_->retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
  constexpr unsigned kWaitsForCopies = 0;  // CU_STREAM_DEFAULT
  Status status = library_->set_context(context_);
  if (status == 0) status = library_->create_stream(&stream_, kWaitsForCopies);
  if (status == 0) return;
  library_->release_context(device_);
  library_->check(status, "cuStreamCreate");
}

Session::~Session() {
  library_->set_context(context_);
  library_->destroy_stream(stream_);
  library_->release_context(device_);
}

const Library& Session::enter() const {
  library_->check(library_->set_context(context_), "cuCtxSetCurrent");
  return *library_;
}

CudaBuffer::~CudaBuffer() {
  if (whole || address == 0) return;
  try {
    session->enter().free(address);
  } catch (const std::exception&) {
    return;  // of a context that a kernel has broken, nothing can be freed
  }
}

Module::Module(std::shared_ptr<const Session> session, const std::string& ptx, const std::string& kernel)
    : session_(std::move(session)) {
  const Library& library = session_->enter();
  library.check(library.load_module(&module_, ptx.c_str()), "cuModuleLoadData", kernel);
}

Module::~Module() {
  try {
    session_->enter().unload_module(module_);
  } catch (const std::exception&) {
    return;  // as above
  }
}

FunctionHandle Module::function(const std::string& entry) const {
  const Library& library = session_->enter();
  FunctionHandle function = nullptr;
  library.check(library.get_function(&function, module_, entry.c_str()), "cuModuleGetFunction", entry);
  return function;
}

}  // namespace tensordsl::cuda
