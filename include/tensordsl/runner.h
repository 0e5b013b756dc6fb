// A Program on a device.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/device.h"
#include "tensordsl/param_value.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// When the steps ended in which a Runner was made.
struct RunnerSteps {
  /// @var uploaded
  /// Memory was allocated, and the constants were in it.
  /// @var built
  /// The kernels were built.

  /// The constructor began.
  std::chrono::steady_clock::time_point begin, uploaded, built, recorded;  ///< the launches were recorded
};

/// Holds the device memory of one Program, its constants in it, and its recorded launches, to be run many
/// times.
///
/// A Program with states (Program::State) has memory that stays: a run begins with what the run before it
/// left. The value that the constructor is given of the Param by which states grow is the most that they hold
/// before a run; they begin empty, and states of one shape with zeros.
///
/// Thread safety: a Runner is for one thread at a time. Several Runners, of one Program and on one Device or
/// on several, may be used by as many threads at once; each has memory of its own.
class Runner {
 public:
  /// Builds the kernels, uploads the constants and records the launches. `params` has the value of each
  /// Param, symbolic extents among them. The Runner keeps the Device if a shared_ptr holds it; another one
  /// must outlive the Runner. `progress` is called with (done, total) kernels. Throws Error on a value that
  /// is missing, of no Param, or does not fit, ShapeError on sizes that the kernels are not for, DeviceError:
  /// before any memory is taken if the device has less than is needed.
  Runner(std::shared_ptr<const Program> program, Device& device, const ParamValues& params = {},
         const std::function<void(int done, int total)>& progress = nullptr);
  ~Runner();
  /// The other one may only be destroyed or assigned to.
  Runner(Runner&&) noexcept;
  /// The same.
  Runner& operator=(Runner&&) noexcept;

  const Program& program() const;    ///< what it runs
  Device& device() const;            ///< where
  const RunnerSteps& steps() const;  ///< of its constructor
  /// The values of the Params, and of the Program's counts as the last run found them; before a run the
  /// counts are left out.
  ParamValues params() const;

  /// Changes some of the Params for the runs to come, to values for which there is memory: those of the
  /// constructor at most. What inputs and outputs hold is lost where their shapes change. Of the Param by
  /// which states grow: how much of them is kept from now on, which is at most what they hold. Throws Error
  /// as the constructor does, and ShapeError where there is no memory, or no state, for it.
  void set_params(const ParamValues& params);
  /// States are as they were before the first run.
  void clear_states();

  /// The extents of an input or output as the Params are now. Throws Error if there is none of that name, or
  /// they depend on counts and nothing was run.
  std::vector<std::int64_t> shape(const std::string& name) const;

  /// Gives an input its value: row-major, in its logical shape. Throws Error if there is no such input,
  /// ShapeError on another type or shape.
  void write(const std::string& input, const Buffer& value);
  /// The same from the caller's memory: as many bytes as it has, of the input's type.
  void write(const std::string& input, std::span<const std::byte> value);
  /// Every input at once. Throws Error if one is missing too.
  void write_all(const std::map<std::string, Buffer>& inputs);

  /// Runs all launches and waits for the last. Counts are read where they are known, and what comes behind
  /// them runs with them. Throws ShapeError if the kernels are not for one of them: where a network takes an
  /// element of none, say.
  void run(Waiting waiting = Waiting::Driver);
  /// Runs as run() does, and returns the nanoseconds of each launch, from the device's events: of one that a
  /// loop repeats, of all its steps together.
  std::vector<std::int64_t> run_timed();
  /// Runs as run() does, and returns when each launch began and ended. One that a loop repeats ends when it
  /// would have without what is between its steps.
  std::vector<LaunchInterval> run_intervals();
  /// Hands all launches to the device and does not wait, but for the counts, host steps and conditions of
  /// loops of the Program.
  /// Until wait() nothing may be written.
  void start();
  /// Waits for all that was started on the Device, by other Runners too. Throws DeviceError if it failed.
  void wait(Waiting waiting = Waiting::Driver);

  /// An output of the last run, row-major. Throws Error if there is none of that name, or nothing was run;
  /// states alone have values before.
  Buffer read(const std::string& output) const;
  /// The same into the caller's memory: as many bytes as it has, of the output's type.
  void read(const std::string& output, std::span<std::byte> to) const;
  /// The only output. Throws Error if there are several.
  Buffer read() const;
  /// Every output, in order.
  std::vector<Buffer> read_all() const;

  /// What the driver has made of the kernels: Device::binaries.
  std::vector<DeviceBinary> binaries() const;

  /// The input or output is the caller's buffer from the next run on, as program().tensors says it is stored:
  /// nothing is copied. Throws Error if there is no such name, it is an image, it shares its memory with
  /// another input or output, or one of two of the same buffer is an output; ShapeError if the buffer is too
  /// small.
  void bind(const std::string& name, std::shared_ptr<DeviceBuffer> buffer);
  /// The same for what is stored in an image (Picture::storage); ShapeError if it is not just as that. Where
  /// set_params() changes its size it is to be bound again.
  void bind(const std::string& name, std::shared_ptr<DeviceImage> image);
  /// The input or output is the caller's memory from the next run on: as many bytes as it has, row-major, of
  /// its type. `owner` keeps it; null: the caller does, until it binds something else. What is written there
  /// later counts from write() with that same memory on, and what a run gave is there behind read() into it:
  /// neither copies on the host's processor, or where OpenCL's driver does not. False, with nothing changed,
  /// where this needs a copy: see Device::share; or the program stores the value otherwise, or where another
  /// one is, or a part of the memory is another one's, or its kernels need addresses that are multiples of
  /// more. Throws Error if there is no such name, ShapeError if the memory has another size.
  bool bind_memory(const std::string& name, std::span<std::byte> memory,
                   std::shared_ptr<const void> owner = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tensordsl
