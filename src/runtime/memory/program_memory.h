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

/// Of every tensor, as large as it is at most, with the constants in it. What is written and read are whole
/// tensors, of the extents that they have now.
class ProgramMemory {
 public:
  /// All must outlive it. Throws ShapeError on what no kernel could index, Error on constants that are
  /// not there, DeviceError, before anything is taken if it is more than the device has.
  ProgramMemory(const Program& program, Device& device, const RunValues& values);

  DeviceMemory& of(std::size_t tensor) { return memory_[tensor]; }
  const DeviceMemory& of(std::size_t tensor) const { return memory_[tensor]; }
  std::size_t bytes(std::size_t tensor) const;
  std::size_t most_bytes(std::size_t tensor) const;
  /// For what Params are now: throws ShapeError if that is more than there was memory taken for.
  void check_room() const;
  /// The same; and images that have another size now are taken anew.
  void fit();
  /// Of an image: what it has to be for what Params are now.
  ImageDescription wanted_image(std::size_t tensor) const { return image_of(program_.tensors[tensor]); }
  /// Logical.
  RunShape shape(std::size_t tensor) const;

  /// Of as many elements as the tensor, row-major; converted to its type if that is another.
  void write(std::size_t tensor, const Buffer& value);
  /// In the type that it is stored as.
  Buffer read(std::size_t tensor) const;
  /// An input or output, as its user sees it.
  void write_value(const Program::Value& to, const Buffer& value);
  Buffer read_value(const Program::Value& from) const;
  /// From and to memory of as many bytes as the value has, without a copy between where it is stored as its
  /// user sees it.
  void write_value(const Program::Value& to, std::span<const std::byte> value);
  void read_value(const Program::Value& from, std::span<std::byte> to) const;
  /// Whether its memory holds what its user sees, byte for byte.
  bool is_stored_as_seen(const Program::Value& value) const;
  /// Whether the state's output may be its input by an exchange of their memory alone, and that exchange.
  bool can_swap(const Program::State& state) const;
  void swap(const Program::State& state);
  /// What lies in the tensor's memory as `stored` says. What is between its elements stays.
  /// Both throw ShapeError if that is not in the tensor's memory.
  void write_as(std::size_t tensor, const Program::Storage& stored, const Buffer& value);
  Buffer read_as(std::size_t tensor, const Program::Storage& stored) const;
  /// Throws as these.
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
  std::vector<DeviceMemory> memory_;  // by tensor
};

}  // namespace tensordsl::runtime
