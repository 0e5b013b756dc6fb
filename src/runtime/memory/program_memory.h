// The memory that a Program has on a device.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/memory/allocate_slots.h"
#include "runtime/values/run_values.h"
#include "tensordsl/buffer.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// A buffer or an image.
struct DeviceMemory {
  std::shared_ptr<DeviceBuffer> buffer;
  std::shared_ptr<DeviceImage> image;
};

/// Memory of every tensor, of its largest size, with the constants in it. Reads and writes are of whole
/// tensors, of their current extents.
class ProgramMemory {
 public:
  /// Allocates the memory and uploads the constants. The arguments must outlive it. Throws ShapeError on
  /// sizes that no kernel could index, Error on missing constants, DeviceError, before anything is allocated
  /// if it is more than the device has.
  ProgramMemory(const Program& program, Device& device, const RunValues& values);

  DeviceMemory& of(std::size_t tensor) { return memory_[tensor]; }
  const DeviceMemory& of(std::size_t tensor) const { return memory_[tensor]; }
  std::size_t bytes(std::size_t tensor) const;
  std::size_t most_bytes(std::size_t tensor) const;
  /// Checks that the current Params need no more memory than was allocated. Throws ShapeError otherwise.
  void check_room() const;
  /// Adapts the tensors to the current Params; images whose size has changed are allocated again.
  void fit();
  /// Returns the description that an image must have for the current Params.
  ImageDescription wanted_image(std::size_t tensor) const { return image_of(program_.tensors[tensor]); }
  /// Returns the logical shape of a tensor.
  RunShape shape(std::size_t tensor) const;

  /// Writes a tensor from as many elements, row-major; they are converted to its type if they have another.
  void write(std::size_t tensor, const Buffer& value);
  /// Returns the tensor in the type that it is stored as.
  Buffer read(std::size_t tensor) const;
  /// Writes an input or output, given as its user sees it.
  void write_value(const Program::Value& to, const Buffer& value);
  Buffer read_value(const Program::Value& from) const;
  /// Copies from and to memory of as many bytes as the value has. There is no intermediate copy if it is
  /// stored as its user sees it.
  void write_value(const Program::Value& to, std::span<const std::byte> value);
  void read_value(const Program::Value& from, std::span<std::byte> to) const;
  /// True if the value's memory has the same bytes as the value that its user sees.
  bool is_stored_as_seen(const Program::Value& value) const;
  /// True if swapping their memory makes the state's output its input; swap() does it.
  bool can_swap(const Program::State& state) const;
  void swap(const Program::State& state);
  /// Writes a part of the tensor's memory that `stored` describes; bytes between its elements stay. This and
  /// read_as() throw ShapeError if it is not inside the tensor's memory.
  void write_as(std::size_t tensor, const Program::Storage& stored, const Buffer& value);
  Buffer read_as(std::size_t tensor, const Program::Storage& stored) const;
  /// Checks that the part is inside the tensor's memory. Throws ShapeError otherwise.
  void require_room(std::size_t tensor, const Program::Storage& stored) const;

 private:
  void check_device_memory() const;
  void check_images() const;
  std::size_t room(std::size_t tensor) const;
  Layout layout_of(const Program::Storage& stored) const;
  std::string shape_text(std::size_t tensor) const;
  ImageDescription image_of(const Program::Tensor& tensor) const;
  void allocate();
  std::span<const std::byte> constant(std::size_t tensor) const;
  void write_stored(std::size_t tensor, std::span<const std::byte> bytes);
  std::vector<std::byte> read_stored(std::size_t tensor, const Program::Storage& stored,
                                     const RunShape& extents) const;

  const Program& program_;
  Device& device_;
  const RunValues& values_;
  SlotAllocations slots_;
  std::vector<DeviceMemory> memory_;  // memory of each tensor
};

}  // namespace tensordsl::runtime
