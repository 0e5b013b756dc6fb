#include "graph/executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// A host tensor as the device stores it: its type, its layout.
std::vector<std::byte> stored_bytes(const Buffer& value, const StoredTensor& stored) {
  const Buffer typed = value.type() == stored.type ? value : value.converted(stored.type);
  const auto bytes = typed.bytes();
  return pack({bytes.begin(), bytes.end()}, stored.type.bytes(), stored.layout, stored.shape());
}

}  // namespace

Executor::Executor(const DefinitionGraph& graph, CompiledGraph compiled, std::shared_ptr<Device> device,
                   const std::function<void(int, int)>& progress)
    : compiled_(std::move(compiled)), device_(std::move(device)) {
  std::map<std::string, const Buffer*> constants;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.constant) constants.emplace(tensor.name, &*tensor.constant);
  }
  const auto kernels = device_->build(compiled_.kernels, progress);
  std::vector<std::shared_ptr<DeviceBuffer>> slots;
  for (const std::int64_t bytes : compiled_.slot_bytes)
    slots.push_back(device_->allocate(static_cast<std::size_t>(bytes)));
  for (const PlannedBuffer& planned : compiled_.buffers) {
    if (planned.kind == PlannedBuffer::Kind::Intermediate) {
      buffers_.push_back(slots[static_cast<std::size_t>(planned.slot)]);
      continue;
    }
    buffers_.push_back(device_->allocate(static_cast<std::size_t>(planned.bytes)));
    if (planned.kind == PlannedBuffer::Kind::Constant) {
      device_->write(*buffers_.back(), stored_bytes(*constants.at(planned.tensor), planned.stored));
    }
  }
  std::vector<Launch> launches;
  for (const PlannedLaunch& planned : compiled_.launches) {
    Launch launch;
    launch.kernel = kernels[planned.kernel];
    for (const std::size_t b : planned.buffers) launch.arguments.emplace_back(buffers_[b]);
    launch.groups = planned.groups;
    launches.push_back(std::move(launch));
  }
  recording_ = device_->record(std::move(launches));
}

void Executor::set_inputs(const std::map<std::string, Buffer>& inputs) {
  for (const auto& [name, value] : inputs) {
    if (!compiled_.inputs.contains(name)) throw Error(fmt::format("the model has no input \"{}\"", name));
  }
  for (const auto& [name, index] : compiled_.inputs) {
    const auto it = inputs.find(name);
    if (it == inputs.end()) throw Error(fmt::format("no value for the model's input \"{}\"", name));
    const TensorInfo& info = compiled_.infos.at(name);
    if (it->second.type() != info.type || it->second.shape() != info.shape) {
      throw ShapeError(fmt::format("the input \"{}\" is {}, found {}{}", name, to_string(info),
                                   to_string(it->second.type()), to_string(it->second.shape())));
    }
    device_->write(*buffers_[index], stored_bytes(it->second, compiled_.buffers[index].stored));
  }
}

std::map<std::string, Buffer> Executor::outputs() const {
  std::map<std::string, Buffer> result;
  for (const auto& [name, index] : compiled_.outputs) {
    const PlannedBuffer& planned = compiled_.buffers[index];
    const TensorInfo& info = compiled_.infos.at(name);
    const StoredTensor& tensor = planned.stored;
    std::vector<std::byte> stored(static_cast<std::size_t>(planned.bytes));
    device_->read(*buffers_[index], stored);
    const auto plain = unpack(stored, tensor.type.bytes(), tensor.layout, tensor.shape());
    Buffer value(tensor.type, info.shape);
    std::copy(plain.begin(), plain.end(), value.bytes().begin());
    result[name] = tensor.type == info.type ? value : value.converted(info.type);
  }
  return result;
}

schedules::Target target_of(const DeviceInfo& device) {
  schedules::Target target;
  target.compute_units = std::max(1, device.compute_units);
  if (!device.is_cpu) {
    // Four sub-groups of 32 in flight per unit: enough to hide some of the latency of loads.
    target.parallel_items = target.compute_units * 128;
    target.group_items = static_cast<int>(std::min<std::int64_t>(64, device.max_group_size));
    return target;
  }
  // A thread of a CPU runs a whole work-group: explicit vectors, and tiles that fill its vector registers (32
  // of them where vectors have 16 floats, else 16), less two or three for operands.
  target.group_items = 1;
  target.parallel_items = target.compute_units;
  target.vector_width = std::clamp(device.native_vector_width_float, 4, 16);
  target.accumulators = target.vector_width == 16 ? 28 : 12;
  target.work_per_group = 8192;
  return target;
}

}  // namespace tensordsl
