// State of a Runner, and its steps.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/memory/program_memory.h"
#include "runtime/program/run_order.h"
#include "runtime/run/run_states.h"
#include "runtime/values/run_values.h"
#include "tensordsl/runner.h"

namespace tensordsl {

struct Runner::Impl {
  using Kind = Program::Tensor::Kind;

  /// Launches that are handed to the device at once.
  struct Stretch {
    std::size_t first = 0, last = 0;
    struct Recorded {
      std::unique_ptr<Recording> recording;  // null until it is needed, and once a buffer was bound
      ParamValues with;                      // the Params and counts; of steps of loops, those that it has
      std::vector<bool> places;              // see has_changed_places
    };
    std::array<Recorded, 2> recorded;  // recordings with states in order, and with states swapped
    std::set<std::string> params;      // Params of its launches
  };
  /// Steps of a loop that are handed to the device at once.
  struct RecordedSteps {
    std::vector<std::unique_ptr<Recording>> parts;  // recordings in order; none: too many launches to keep
    std::int64_t count = 0;                         // number of the steps
    ParamValues with;                               // Params of the recording, without the step's number
    std::vector<bool> places;                       // before the first step
  };

  std::shared_ptr<const Program> program;
  Device* device = nullptr;
  std::shared_ptr<Device> kept_device;  // null if no shared_ptr holds it
  std::unique_ptr<runtime::RunValues> values;
  std::unique_ptr<runtime::ProgramMemory> memory;
  std::unique_ptr<runtime::RunStates> states;
  std::vector<bool> has_value;  // tensors with a value: inputs that were written or bound
  bool has_run = false;
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  std::vector<runtime::RunStep> order;
  std::vector<Stretch> stretches;  // segments by step of the order; steps without launches have empty ones
  /// For each loop, true if its carried tensors were swapped an odd number of times.
  std::vector<bool> has_changed_places;
  std::map<std::size_t, std::array<RecordedSteps, 2>> recorded_steps;  // recordings by loop, with states in
                                                                       // order and swapped
  std::vector<bool> is_checked;                                        // requirements that were checked in
                                                                       // this run
  struct Bound {
    std::string name;
    std::shared_ptr<DeviceImage> image;
  };
  std::map<std::size_t, Bound> bound_images;                 // bound images by tensor
  std::map<std::size_t, std::span<std::byte>> bound_memory;  // memory that bind_memory() was given, by tensor
  /// Whose memory the caller has taken back, and which may run still.
  std::vector<std::unique_ptr<Recording>> retired;
  RunnerSteps steps;

  void check_values();

  void check_type(const Program::Value& value) const;

  /// Checks that a value has as many elements as its tensor, whose shape may differ. Throws ShapeError
  /// otherwise.
  void check_elements(const Program::Value& value) const;

  void plan();

  /// Checks the requirements before any kernel runs that depends on one.
  void check_requirements();

  Stretch::Recorded& recorded(Stretch& stretch) const;

  /// Adds the launches with the current Params and memory.
  void add_launches(const Stretch& stretch, std::vector<Launch>& launches) const;

  void record(Stretch& stretch);

  /// Returns the Params and counts that a recording of the segment is for.
  ParamValues values_for(const Stretch& stretch) const;

  /// True if the recording has the current Params and memory.
  bool is_ready(const Stretch& stretch, const Stretch::Recorded& recorded) const;

  /// Called with the recordings in order, the launches that one is of, and whether it is the last.
  using LaunchStretch =
      std::function<void(Recording& launches, std::size_t first, std::size_t last, bool is_last)>;

  /// Runs all steps.
  void run(const LaunchStretch& launch);

  /// Runs the steps [first, last) of the order.
  void run_steps(std::size_t first, std::size_t last, const LaunchStretch& launch);

  // Loops: run_loops.cpp. `step` is the index of a loop in the order; the steps of its body follow it.
  void run_loop(std::size_t step, const LaunchStretch& launch);
  /// Runs steps that only launch, without a condition: as many of them at once as make a long recording.
  void run_launches_of_steps(std::size_t step, std::int64_t count, const LaunchStretch& launch);
  /// Swaps the tensors that the loop carries.
  void end_step(std::size_t loop);
  void check_requirements_of_step(const std::vector<std::size_t>& of_steps);
  /// Retires all recordings of steps: memory has changed.
  void forget_steps();

  /// Keeps a recording that may run still until the next wait.
  void retire(std::unique_ptr<Recording> recording);

  bool is_empty(const Program::Value& value) const;

  /// Checks values of Params without setting them. Throws the errors of set_params().
  void check_params(const ParamValues& params);

  void set_params(const ParamValues& params);

  void have_states(bool have);

  /// Adapts the Runner after a change of Params.
  void refit();

  void read_count(const Program::Count& count);

  /// Checks that an input or output shares no memory with another one; two inputs may share it. `given`:
  /// memory() of a buffer or an image. Throws Error otherwise.
  void require_own_memory(const Program::Value& value, KernelArgument::Access access,
                          const void* given) const;

  /// True if another input or output has a part of the memory: OpenCL does not define the effects of two such
  /// buffers.
  bool overlaps_bound(const Program::Value& value, std::span<const std::byte> given) const;

  /// Finds an input or output by its name.
  const Program::Value& value_of(const char* call, const std::string& name) const;

  /// Returns the reason why the value's memory cannot be the caller's; empty if it can.
  std::string why_not_own(const Program::Value& value) const;

  /// Finds an input or output whose memory may be the caller's.
  const Program::Value& own_value(const std::string& name) const;

  /// Returns the alignment, in bytes, that all kernels of the tensor need for its address.
  std::uintptr_t alignment_of(std::size_t tensor) const;

  void note_bound(const Program::Value& value);

  /// Checks that the value is not bound to an image of another format than the program's own, as the host's
  /// bytes would differ. Throws Error otherwise.
  void require_own_format(const char* call, const Program::Value& value) const;

  const Program::Value* find(const std::vector<Program::Value>& list, const std::string& name) const;

  /// Finds an input that is about to be written.
  const Program::Value& written_value(const std::string& input);

  const Program::Value& read_value(const std::string& output) const;

  void check_read(const Program::Value& output) const;

  Buffer read(const Program::Value& output) const;

  /// Checks that a caller's memory has the value's size. Throws ShapeError otherwise; `kind` is used in the
  /// message.
  void require_bytes(const char* kind, const Program::Value& value, std::size_t given) const;
};

}  // namespace tensordsl
