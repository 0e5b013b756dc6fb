// The host's side of DeviceBuffer, DeviceImage and DeviceKernel. Each knows which session it is of, so that
// one of another Device is refused.
#pragma once

#include <cstddef>
#include <memory>

#include "backends/llvm/device/loaded_code.h"
#include "runtime/device/program_cache.h"
#include "tensordsl/device.h"

namespace tensordsl::host {

/// A Device and all that it made; only its address counts.
struct Session {};

struct HostBuffer final : DeviceBuffer {
  HostBuffer(std::shared_ptr<const Session> of, std::shared_ptr<std::byte> first, std::size_t bytes,
             bool part)
      : session(std::move(of)), data(std::move(first)), size(bytes), is_part(part) {}
  std::size_t size_bytes() const override { return size; }
  const void* memory() const override { return data.get(); }

  std::shared_ptr<const Session> session;
  std::shared_ptr<std::byte> data;
  std::size_t size;
  bool is_part;
};

struct HostImage final : DeviceImage {
  HostImage(std::shared_ptr<const Session> of, std::shared_ptr<std::byte> first,
            const ImageDescription& image)
      : session(std::move(of)), data(std::move(first)), what(image) {}
  const ImageDescription& description() const override { return what; }
  const void* memory() const override { return data.get(); }
  std::size_t size_bytes() const {
    return static_cast<std::size_t>(what.elements()) * static_cast<std::size_t>(what.type.bytes());
  }

  std::shared_ptr<const Session> session;
  std::shared_ptr<std::byte> data;
  ImageDescription what;
};

struct HostKernel final : DeviceKernel {
  HostKernel(std::shared_ptr<const Session> of, std::shared_ptr<const runtime::ProgramBinary> compiled,
             std::shared_ptr<const LoadedCode> loaded, KernelSource from)
      : session(std::move(of)),
        object(std::move(compiled)),
        code(std::move(loaded)),
        kernel_source(std::move(from)) {}
  const KernelSource& source() const override { return kernel_source; }

  std::shared_ptr<const Session> session;
  std::shared_ptr<const runtime::ProgramBinary> object;
  std::shared_ptr<const LoadedCode> code;
  KernelSource kernel_source;
};

}  // namespace tensordsl::host
