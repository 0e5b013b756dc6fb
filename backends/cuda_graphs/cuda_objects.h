// The CUDA side of DeviceBuffer and DeviceKernel.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "backends/cuda_graphs/cuda_library.h"
#include "tensordsl/device.h"

namespace tensordsl::cuda {

/// A context and its stream, kept by all that was made there. Copies wait for the stream.
class Session {
 public:
  /// Creates a context and a stream on the device. Throws DeviceError if CUDA refuses.
  Session(std::shared_ptr<const Library> library, DeviceNumber device);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Makes this thread's calls go to the context. Throws DeviceError.
  const Library& enter() const;
  StreamHandle stream() const { return stream_; }
  /// Waits for all work of the stream. Throws DeviceError that names `kernel`.
  void wait(Waiting waiting, const std::string& kernel = "") const;

 private:
  std::shared_ptr<const Library> library_;
  DeviceNumber device_;
  ContextHandle context_ = nullptr;
  StreamHandle stream_ = nullptr;
};

struct CudaBuffer final : DeviceBuffer {
  /// Makes a buffer. `part_of` is the buffer whose memory it shares; null: its own.
  CudaBuffer(std::shared_ptr<const Session> made_in, Address at, std::size_t bytes,
             std::shared_ptr<DeviceBuffer> part_of = nullptr)
      : session(std::move(made_in)), whole(std::move(part_of)), address(at), size(bytes) {}
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;
  ~CudaBuffer() override;
  std::size_t size_bytes() const override { return size; }

  std::shared_ptr<const Session> session;
  std::shared_ptr<DeviceBuffer> whole;
  Address address;
  std::size_t size;
};

/// The kernels of one program.
class Module {
 public:
  /// Loads a module. `waits`: its kernels wait for the one before (with_early_start). Throws DeviceError.
  Module(std::shared_ptr<const Session> session, const std::string& ptx, const std::string& kernel,
         bool waits = false);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  FunctionHandle function(const std::string& entry) const;
  bool waits() const { return waits_; }

 private:
  std::shared_ptr<const Session> session_;
  ModuleHandle module_ = nullptr;
  bool waits_ = false;
};

struct CudaKernel final : DeviceKernel {
  CudaKernel(std::shared_ptr<const Session> made_in, std::shared_ptr<const Module> of, KernelSource from)
      : session(std::move(made_in)),
        module(std::move(of)),
        function(module->function(from.entry)),
        kernel_source(std::move(from)) {}
  const KernelSource& source() const override { return kernel_source; }

  std::shared_ptr<const Session> session;
  std::shared_ptr<const Module> module;
  FunctionHandle function;
  KernelSource kernel_source;
};

}  // namespace tensordsl::cuda
