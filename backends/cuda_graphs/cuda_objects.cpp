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

void Session::wait(Waiting waiting, const std::string& kernel) const {
  const Library& library = enter();
  if (waiting == Waiting::Spinning) {
    Status status = Library::kNotReady;
    while (status == Library::kNotReady) status = library.query(stream_);
    library.check(status, "cuStreamQuery", kernel);
  } else if (waiting == Waiting::Sleeping) {
    constexpr unsigned kSleeps = 1 | 2;  // CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING
    EventHandle event = nullptr;
    library.check(library.create_event(&event, kSleeps), "cuEventCreate");
    const std::unique_ptr<CUevent_st, Status (*)(EventHandle)> owned(event, library.destroy_event);
    library.check(library.record_event(event, stream_), "cuEventRecord", kernel);
    library.check(library.wait_for_event(event), "cuEventSynchronize", kernel);
  } else {
    library.check(library.synchronize(stream_), "cuStreamSynchronize", kernel);
  }
}

CudaBuffer::~CudaBuffer() {
  if (whole || address == 0) return;
  try {
    session->enter().free(address);
  } catch (const std::exception&) {
    return;  // memory of a context that a kernel has broken cannot be freed
  }
}

Module::Module(std::shared_ptr<const Session> session, const std::string& ptx, const std::string& kernel,
               bool waits)
    : session_(std::move(session)), waits_(waits) {
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
