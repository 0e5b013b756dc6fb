// From a scheduled Func to kernels, files, and results.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/device.h"
#include "tensordsl/func.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/param_value.h"
#include "tensordsl/program.h"
#include "tensordsl/runner.h"
#include "tensordsl/schedule.h"
#include "tensordsl/trace.h"

namespace tensordsl {

struct AutoscheduleOptions;

class Backend;

namespace ir {
struct Function;
}

/// The extents of outputs that have no bound(), by the Func's name.
using OutputShapes = std::map<std::string, std::vector<std::int64_t>>;

/// One or several Funcs to be computed, with all that they read. It holds handles: directives that are given
/// later count, too.
class Pipeline {
 public:
  /// With the backends that tensordsl comes with.
  explicit Pipeline(Func output);
  /// Several outputs: each is computed at the root, once, also where another one reads it.
  explicit Pipeline(std::vector<Func> outputs);
  /// With other backends than those that tensordsl comes with (backends/bundled_backends.h): the one that
  /// DeviceInfo::backend names writes the kernels, and the first where no device is known.
  Pipeline(Func output, std::vector<std::shared_ptr<const Backend>> backends);
  /// The same of several outputs.
  Pipeline(std::vector<Func> outputs, std::vector<std::shared_ptr<const Backend>> backends);

  /// The Input has this value in every run: it becomes a constant of the Program, in the order in which the
  /// kernels read it, and is no input any more. Throws Error if there is no such Input, ShapeError if its
  /// type and shape are not those of `value`, or its shape depends on a Param.
  Pipeline& set_constant(const std::string& input, const Buffer& value);

  /// Lowers and emits; no device is needed. With one, its limits are kept. Throws DefinitionError or
  /// ScheduleError.
  Program compile() const;
  /// Throws ScheduleError too if a kernel is too much for the device.
  Program compile(const DeviceInfo& device) const;

  /// One stage of the compilation as text: "funcs", "nest" (see print_loop_nest), "loops" (the schedule's
  /// loops with all they compute), "ir" (lowered kernels) or "cl" (their text). Throws Error on another name.
  std::string emit(const std::string& stage) const;
  /// The same as it is compiled for a device: kernels are in its backend's language.
  std::string emit(const std::string& stage, const DeviceInfo& device) const;
  /// The kernels as a picture: their loops, where tiles are kept, and what is computed of what.
  std::string print_loop_nest() const;

  /// Compiles, builds, runs once, and returns the output. `inputs` are by the Inputs' names, in their logical
  /// shapes, row-major; `params` gives the value of each Param, `shape` the extents of an output that has no
  /// bound(). Throws Error on a missing or unfitting argument, and what compile() and the device throw.
  Buffer realize(const std::map<std::string, Buffer>& inputs, Device& device, const ParamValues& params = {},
                 const std::vector<std::int64_t>& shape = {}) const;

  /// The same of several outputs, or of one of tuples: a Buffer for each, in the order of the outputs, those
  /// of a tuple's components one behind the other. `shapes`: by the name of an output that has no bound().
  std::vector<Buffer> realize_all(const std::map<std::string, Buffer>& inputs, Device& device,
                                  const ParamValues& params = {}, const OutputShapes& shapes = {}) const;

  /// Compiles and builds once, for many runs. Arguments and errors as in realize().
  std::unique_ptr<Runner> prepare(Device& device, const ParamValues& params = {},
                                  const std::vector<std::int64_t>& shape = {}) const;
  /// The same, with arguments as in realize_all().
  std::unique_ptr<Runner> prepare_all(Device& device, const ParamValues& params = {},
                                      const OutputShapes& shapes = {}) const;

  /// Computes the outputs by their definitions alone, on the host: no schedule, no OpenCL. Slow, exact, and
  /// strict: a read outside an Input and a broken unsafe_promise_clamped() throw DefinitionError where the
  /// result depends on them. `trace` is told of every element that is read of a Func with trace_loads(), and
  /// written of one with trace_stores(). Arguments as in realize_all().
  std::vector<Buffer> interpret(const std::map<std::string, Buffer>& inputs, const ParamValues& params = {},
                                const OutputShapes& shapes = {}, const Trace& trace = nullptr) const;
  /// What the Func or Input of that name holds at `index`, by its definition: a Buffer without dimensions for
  /// each component. Throws ScheduleError if there is none of that name, and what interpret() throws.
  std::vector<Buffer> value_at(const std::string& func, const std::vector<std::int64_t>& index,
                               const std::map<std::string, Buffer>& inputs,
                               const ParamValues& params = {}) const;
  /// Runs the lowered kernels on the host, work-item by work-item: bad accesses, reads of what nobody wrote,
  /// races and barriers that not all reach throw Error. Arguments as in interpret().
  std::vector<Buffer> simulate(const std::map<std::string, Buffer>& inputs, const ParamValues& params = {},
                               const OutputShapes& shapes = {}, const Trace& trace = nullptr) const;

  /// Compiles without a pass that only makes kernels faster, to measure what it does:
  /// "eliminate_boundary_tests", "use_dot_products", "unswitch_loops", "trim_loops", "promote_to_scalars",
  /// "partition_loops", "drop_idle_stores", "coalesce_loads", "align_accesses", "hoist_addresses" or
  /// "reduce_strength" (divisions by constants as shifts, masks and plain divisions instead of ones that
  /// floor). On another name compile() throws ScheduleError.
  Pipeline& disable_pass(const std::string& pass);

  /// A kernel that reads the Input of this name and writes the (first) output may be given one memory for
  /// both: it does not count on two. The caller answers for it that each element of the Input is read for
  /// nothing but what is stored in its place, and that this is stored once.
  Pipeline& allow_overwriting(const std::string& input);

  /// What has been directed so far of the outputs and all that they read.
  Schedule schedule() const { return Schedule::of(outputs_); }

  /// A schedule that the library chooses: which Funcs are inlined, which have kernels of their own, and which
  /// are computed with what reads them; then tiles, vectors and work-groups of each kernel. By a model of the
  /// device; nothing is timed, and none has to be there. It prints as C++ (Schedule::to_cpp), and
  /// Schedule::apply gives it to this pipeline, or to its definitions made anew. `shapes`: the extents of
  /// outputs that have no bound(); what is not known is taken to be some 64. Throws ScheduleError if there is
  /// a directive already but bound(), or those of Inputs; and what compile() throws of definitions.
  Schedule auto_schedule(const DeviceInfo& device, const OutputShapes& shapes = {}) const;
  /// The same for a device of which this is known; with `device`, for its limits.
  Schedule auto_schedule(const HwProfile& profile, const DeviceInfo* device = nullptr,
                         const OutputShapes& shapes = {}) const;

  /// The same where trials of each kernel say which schedule is taken, as far as `trials` has a limit of them
  /// (tensordsl/autoschedule.h): on `device`, or by the workers that are named there. Which Funcs have
  /// kernels of their own is the model's to say. Throws Error too if nobody can measure, or the database
  /// cannot be used.
  Schedule auto_schedule(Device& device, const AutoscheduleOptions& trials,
                         const OutputShapes& shapes = {}) const;

  /// Writes the Program into `folder` (made if absent): program.json and a .cl file per kernel.
  void write_cl(const std::string& folder) const;

 private:
  std::unique_ptr<Runner> run_once(const std::map<std::string, Buffer>& inputs, Device& device,
                                   const ParamValues& params, const OutputShapes& shapes) const;
  /// The shape of the only output, under its name.
  OutputShapes shapes_of(const std::vector<std::int64_t>& shape) const;
  std::vector<std::shared_ptr<const ir::Function>> definitions() const;
  /// The Params and the extents of outputs, checked.
  ParamValues values_of(const ParamValues& params, const OutputShapes& shapes) const;

  /// Both emit(): null: no device.
  std::string emit_for(const std::string& stage, const DeviceInfo* device) const;

  /// With the constants. Throws Error if one of those is given.
  std::map<std::string, Buffer> all_inputs(const std::map<std::string, Buffer>& inputs) const;

  std::vector<Func> outputs_;
  std::map<std::string, Buffer> constants_;
  std::vector<std::shared_ptr<const Backend>> backends_;
  std::set<std::string> without_;
  std::string overwritten_;  // Input; empty: none
};

}  // namespace tensordsl
