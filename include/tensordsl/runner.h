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

/// Times at which the steps of a Runner's construction ended.
struct RunnerSteps {
  /// @var uploaded
  /// Memory was allocated, and the constants were uploaded.
  /// @var built
  /// The kernels were built.

  /// The constructor began.
  std::chrono::steady_clock::time_point begin, uploaded, built, recorded;  ///< the launches were recorded
};

/// Holds the device memory of one Program, its constants in it, and its recorded launches, to be run many
/// times.
///
/// A Program with states (Program::State) has memory that persists: a run begins with the states that the run
/// before it left. The constructor's value of the Param by which states grow is the most that they hold
/// before a run; they begin empty, and states of fixed shape begin with zeros.
///
/// Thread safety: one thread at a time may use a Runner. Several Runners, of one Program and on one Device or
/// on several, may be used by as many threads at once; each has memory of its own.
class Runner {
 public:
  /// Builds the kernels, uploads the constants and records the launches. `params` has the value of each
  /// Param, symbolic extents among them. The Runner keeps the Device alive if a shared_ptr holds it; another
  /// one must outlive the Runner. `progress` is called with (done, total) kernels. Throws Error on a value
  /// that is missing, of no Param, or does not fit; ShapeError on sizes that the kernels do not support;
  /// DeviceError, before any memory is taken if the device has less than is needed.
  Runner(std::shared_ptr<const Program> program, Device& device, const ParamValues& params = {},
         const std::function<void(int done, int total)>& progress = nullptr);
  ~Runner();
  /// Moves the Runner; the other one may only be destroyed or assigned to.
  Runner(Runner&&) noexcept;
  /// Moves the Runner; the other one may only be destroyed or assigned to.
  Runner& operator=(Runner&&) noexcept;

  const Program& program() const;    ///< the Program that it runs
  Device& device() const;            ///< the Device that it runs on
  const RunnerSteps& steps() const;  ///< times of its construction
  /// Returns the values of the Params, and of the Program's counts (data-dependent sizes) as the last run
  /// computed them; before a run the counts are left out.
  ParamValues params() const;

  /// Changes some of the Params for the runs to come, to values for which there is memory: at most the values
  /// given to the constructor. Contents of inputs and outputs are lost if their shapes change. The Param by
  /// which states grow says how much of them is kept from now on, at most their present length. Throws Error
  /// as the constructor does, and ShapeError if there is no memory, or no state, for a value.
  void set_params(const ParamValues& params);
  /// Resets the states to those before the first run.
  void clear_states();

  /// Returns the extents of an input or output for the current Params. Throws Error if no value has that
  /// name, or they depend on counts and nothing was run.
  std::vector<std::int64_t> shape(const std::string& name) const;

  /// Gives an input its value: row-major, in its logical shape. Throws Error if there is no such input,
  /// ShapeError on another type or shape.
  void write(const std::string& input, const Buffer& value);
  /// Gives an input its value from the caller's memory: row-major, of the input's type and exactly its size.
  /// Throws Error if there is no such input, ShapeError on another size.
  void write(const std::string& input, std::span<const std::byte> value);
  /// Gives every input its value. Throws Error if one is missing too, and as write() does.
  void write_all(const std::map<std::string, Buffer>& inputs);

  /// Runs all launches and waits for the last. The run reads counts as soon as they are known, and later
  /// launches use them. Throws ShapeError if the kernels do not support one of them: if a network takes an
  /// element of an empty tensor, say.
  void run(Waiting waiting = Waiting::Driver);
  /// Runs as run() does, and returns the nanoseconds of each launch, from the device's events; for a launch
  /// that a loop repeats, the sum over its steps.
  std::vector<std::int64_t> run_timed();
  /// Runs as run() does, and returns the start and end of each launch. The end of a launch that a loop
  /// repeats leaves out the gaps between its steps.
  std::vector<LaunchInterval> run_intervals();
  /// Hands all launches to the device without waiting for them; it waits only for the counts, host steps and
  /// loop conditions of the Program. Nothing may be written until wait().
  void start();
  /// Waits for all work that was started on the Device, also by other Runners. Throws DeviceError if it
  /// failed.
  void wait(Waiting waiting = Waiting::Driver);

  /// Returns an output of the last run, row-major. Throws Error if no output has that name, or nothing was
  /// run; only states have values before a run.
  Buffer read(const std::string& output) const;
  /// Copies an output of the last run into the caller's memory: row-major, of the output's type and exactly
  /// its size. Throws as read(output) does.
  void read(const std::string& output, std::span<std::byte> to) const;
  /// Returns the only output. Throws Error if there are several.
  Buffer read() const;
  /// Returns every output, in order.
  std::vector<Buffer> read_all() const;

  /// Returns the driver's binaries of the kernels: Device::binaries.
  std::vector<DeviceBinary> binaries() const;

  /// Makes the caller's buffer the input or output from the next run on, stored as program().tensors says:
  /// nothing is copied. Throws Error if there is no such name, it is an image, it shares its memory with
  /// another input or output, or the buffer is bound twice and one of the two bindings is an output;
  /// ShapeError if the buffer is too small.
  void bind(const std::string& name, std::shared_ptr<DeviceBuffer> buffer);
  /// Makes the caller's image the input or output from the next run on, if it is stored in an image
  /// (Picture::storage); ShapeError if size or format differ. It must be bound again if set_params() changes
  /// its size. Throws Error as for a buffer.
  void bind(const std::string& name, std::shared_ptr<DeviceImage> image);
  /// Makes the caller's memory the input or output from the next run on: row-major, of its type and exactly
  /// its size. `owner` keeps the memory alive; if it is null, the caller does so until another binding. After
  /// the host changes the memory, write() with that same memory makes the change visible; read() into it
  /// makes the results of a run visible. Neither copies on the host's processor, or if OpenCL's driver does
  /// not. Returns false and changes nothing if the binding would need a copy (see Device::share): if the
  /// program stores the value in another order, type or memory object, shares a part of the memory with
  /// another value, or needs a larger alignment. Throws Error if there is no such name, ShapeError if the
  /// memory has another size.
  bool bind_memory(const std::string& name, std::span<std::byte> memory,
                   std::shared_ptr<const void> owner = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tensordsl
