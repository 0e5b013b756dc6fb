// Owning handles of OpenCL objects. A copy retains, the destructor releases.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <utility>

namespace tensordsl::opencl {

template <typename T, cl_int (*retain)(T), cl_int (*release)(T)>
class Handle {
 public:
  Handle() = default;
  /// Takes ownership of the reference that a clCreate call returned.
  explicit Handle(T owned) : object_(owned) {}
  Handle(const Handle& other) : object_(other.object_) {
    if (object_ != nullptr) retain(object_);
  }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr) release(object_);
  }

  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T object_ = nullptr;
};

using Context = Handle<cl_context, clRetainContext, clReleaseContext>;
using Queue = Handle<cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue>;
using Memory = Handle<cl_mem, clRetainMemObject, clReleaseMemObject>;
using Program = Handle<cl_program, clRetainProgram, clReleaseProgram>;
using Kernel = Handle<cl_kernel, clRetainKernel, clReleaseKernel>;
using Event = Handle<cl_event, clRetainEvent, clReleaseEvent>;

}  // namespace tensordsl::opencl
