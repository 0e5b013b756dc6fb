// A compiled graph on a device.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/compile_graph.h"
#include "tensordsl/buffer.h"
#include "tensordsl/device.h"

namespace tensordsl {

/// Holds the device memory, the constants in it and the recorded launches. One thread at a time.
class Executor {
 public:
  /// Builds the kernels, uploads the constants, records the launches. `graph` is needed only here.
  /// Throws DeviceError; whatever was allocated by then is released.
  Executor(const DefinitionGraph& graph, CompiledGraph compiled, std::shared_ptr<Device> device,
           const std::function<void(int done, int total)>& progress = nullptr);

  /// Inputs by the graph's names, in their logical shapes and types. Throws ShapeError, Error on a missing
  /// input.
  void set_inputs(const std::map<std::string, Buffer>& inputs);
  /// Runs every launch once and waits.
  void run() { recording_->replay(); }
  /// Nanoseconds of every launch, from the device's events.
  std::vector<std::int64_t> run_timed() { return recording_->replay_timed(); }
  /// Outputs by the graph's names, row-major, in the graph's types.
  std::map<std::string, Buffer> outputs() const;

  const CompiledGraph& compiled() const { return compiled_; }
  Device& device() const { return *device_; }

 private:
  CompiledGraph compiled_;
  std::shared_ptr<Device> device_;
  std::vector<std::shared_ptr<DeviceBuffer>> buffers_;
  std::unique_ptr<Recording> recording_;
};

/// The schedules' view of a device.
schedules::Target target_of(const DeviceInfo& device);

}  // namespace tensordsl
