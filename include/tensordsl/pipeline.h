// Compiles a scheduled Func to kernels, files, and results.
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

/// One or several Funcs to be computed, with all Funcs that they read. It holds handles: directives given
/// later take effect too.
class Pipeline {
 public:
  /// Makes a pipeline of one output, with the backends that tensordsl comes with.
  explicit Pipeline(Func output);
  /// Makes a pipeline of several outputs. Each is computed at the root, once, even if another one reads it.
  explicit Pipeline(std::vector<Func> outputs);
  /// Makes a pipeline with other backends than backends/bundled_backends.h has. The backend that
  /// DeviceInfo::backend names writes the kernels; without a device, the first one does.
  Pipeline(Func output, std::vector<std::shared_ptr<const Backend>> backends);
  /// Makes a pipeline of several outputs with other backends than backends/bundled_backends.h has.
  Pipeline(std::vector<Func> outputs, std::vector<std::shared_ptr<const Backend>> backends);

  /// Gives the Input a value for every run: it becomes a constant of the Program, stored in the order in
  /// which the kernels read it, and is not an input any more. Throws Error if there is no such Input,
  /// ShapeError if it differs from `value` in type or shape, or its shape depends on a Param.
  Pipeline& set_constant(const std::string& input, const Buffer& value);

  /// Lowers and emits kernels; no device is needed. Throws DefinitionError or ScheduleError.
  Program compile() const;
  /// Lowers and emits kernels within the device's limits. Throws DefinitionError, or ScheduleError, also if a
  /// kernel exceeds a limit.
  Program compile(const DeviceInfo& device) const;

  /// Returns one stage of the compilation as text: "funcs", "nest" (see print_loop_nest), "loops" (the
  /// schedule's loops with all they compute), "ir" (lowered kernels) or "cl" (their text). Throws Error on
  /// another name.
  std::string emit(const std::string& stage) const;
  /// Returns one stage of the compilation for a device as text: kernels are in its backend's language.
  std::string emit(const std::string& stage, const DeviceInfo& device) const;
  /// Returns a summary of the kernels: their loops, where tiles are stored, and the sources of each result.
  std::string print_loop_nest() const;

  /// Compiles, builds, runs once, and returns the output. `inputs` are by the Inputs' names, in their logical
  /// shapes, row-major; `params` gives the value of each Param, `shape` the extents of an output that has no
  /// bound(). Throws Error on a missing or unfitting argument, and the errors of compile() and of the device.
  Buffer realize(const std::map<std::string, Buffer>& inputs, Device& device, const ParamValues& params = {},
                 const std::vector<std::int64_t>& shape = {}) const;

  /// Compiles, builds, runs once, and returns several outputs, or the components of tuples: a Buffer for
  /// each, in the order of the outputs, the components of a tuple in sequence. `shapes` gives the extents of
  /// outputs that have no bound(). Other arguments and errors as in realize().
  std::vector<Buffer> realize_all(const std::map<std::string, Buffer>& inputs, Device& device,
                                  const ParamValues& params = {}, const OutputShapes& shapes = {}) const;

  /// Compiles and builds once, for many runs. Arguments and errors as in realize().
  std::unique_ptr<Runner> prepare(Device& device, const ParamValues& params = {},
                                  const std::vector<std::int64_t>& shape = {}) const;
  /// Compiles and builds once, for many runs. Arguments and errors as in realize_all().
  std::unique_ptr<Runner> prepare_all(Device& device, const ParamValues& params = {},
                                      const OutputShapes& shapes = {}) const;

  /// Computes the outputs by their definitions, on the host: no schedule, no OpenCL. It is slow, exact, and
  /// strict: a read outside an Input and a broken unsafe_promise_clamped() throw DefinitionError where the
  /// result depends on them. `trace` is called for every element that is read of a Func with trace_loads(),
  /// or written of one with trace_stores(). Arguments as in realize_all().
  std::vector<Buffer> interpret(const std::map<std::string, Buffer>& inputs, const ParamValues& params = {},
                                const OutputShapes& shapes = {}, const Trace& trace = nullptr) const;
  /// Computes the element at `index` of the Func or Input named `func`, by its definition: a Buffer without
  /// dimensions for each component. Throws ScheduleError if no Func or Input has that name, and the errors of
  /// interpret().
  std::vector<Buffer> value_at(const std::string& func, const std::vector<std::int64_t>& index,
                               const std::map<std::string, Buffer>& inputs,
                               const ParamValues& params = {}) const;
  /// Runs the lowered kernels on the host, work-item by work-item. Throws Error on accesses out of bounds,
  /// reads of elements that were never written, races, and barriers that not all work-items reach. Arguments
  /// as in interpret().
  std::vector<Buffer> simulate(const std::map<std::string, Buffer>& inputs, const ParamValues& params = {},
                               const OutputShapes& shapes = {}, const Trace& trace = nullptr) const;

  /// Compiles without a pass that only makes kernels faster, to measure its effect:
  /// "eliminate_boundary_tests", "use_dot_products", "unswitch_loops", "trim_loops", "promote_to_scalars",
  /// "partition_loops", "drop_idle_stores", "coalesce_loads", "align_accesses", "hoist_addresses",
  /// "mark_inside_reads" or "reduce_strength" (divisions by constants as shifts, masks and plain divisions
  /// instead of ones that floor). On another name compile() throws ScheduleError.
  Pipeline& disable_pass(const std::string& pass);

  /// Keeps the device's compiler from unrolling short loops whose reads would take more than this number of
  /// 32-bit registers, as Target::loop_registers tells; 0, the default: loops stay as they are.
  /// `gathers_reads` is Target::gathers_reads.
  Pipeline& keep_loops(int registers, bool gathers_reads = true);

  /// Allows a kernel that reads this Input and writes the (first) output to be given one memory for both: it
  /// makes no use of their being distinct. The caller guarantees that each element of the Input is read only
  /// for the value that is stored over it, and that this is stored once.
  Pipeline& allow_overwriting(const std::string& input);

  /// Returns the directives given so far to the outputs and to all Funcs that they read.
  Schedule schedule() const { return Schedule::of(outputs_); }

  /// Returns a schedule that the library chooses: which Funcs are inlined, which have kernels of their own,
  /// and which are computed inside their readers; then tiles, vectors and work-groups of each kernel. A model
  /// of the device decides; nothing is timed, and no device has to be present. The schedule prints as C++
  /// (Schedule::to_cpp), and Schedule::apply gives it to this pipeline, or to a new copy of its definitions.
  /// `shapes`: the extents of outputs that have no bound(); unknown extents are taken to be about 64. Throws
  /// ScheduleError if there is a directive already other than bound() and directives of Inputs; and the
  /// errors of compile() about definitions.
  Schedule auto_schedule(const DeviceInfo& device, const OutputShapes& shapes = {}) const;
  /// Returns a schedule that the library chooses for a device of this profile; with `device`, within its
  /// limits too.
  Schedule auto_schedule(const HwProfile& profile, const DeviceInfo* device = nullptr,
                         const OutputShapes& shapes = {}) const;

  /// Returns a schedule that trials of each kernel choose (AutoscheduleOptions), if `trials` gives a limit:
  /// on `device`, or by its workers. The model of the device chooses which Funcs have kernels of their own.
  /// Throws Error too if there is no way to measure, or the database cannot be used.
  Schedule auto_schedule(Device& device, const AutoscheduleOptions& trials,
                         const OutputShapes& shapes = {}) const;

  /// Writes the Program into `folder` (made if absent): program.json and a .cl file per kernel.
  void write_cl(const std::string& folder) const;

 private:
  std::unique_ptr<Runner> run_once(const std::map<std::string, Buffer>& inputs, Device& device,
                                   const ParamValues& params, const OutputShapes& shapes) const;
  /// Returns the shape of the only output, under its name.
  OutputShapes shapes_of(const std::vector<std::int64_t>& shape) const;
  std::vector<std::shared_ptr<const ir::Function>> definitions() const;
  /// Returns the Params and the extents of outputs, checked.
  ParamValues values_of(const ParamValues& params, const OutputShapes& shapes) const;

  /// Implements both emit(); `device` is null if there is none.
  std::string emit_for(const std::string& stage, const DeviceInfo* device) const;

  /// Returns `inputs` and the constants. Throws Error if a constant is among `inputs`.
  std::map<std::string, Buffer> all_inputs(const std::map<std::string, Buffer>& inputs) const;

  std::vector<Func> outputs_;
  std::map<std::string, Buffer> constants_;
  std::vector<std::shared_ptr<const Backend>> backends_;
  std::set<std::string> without_;
  int loop_registers_ = 0;
  bool gathers_reads_ = false;
  std::string overwritten_;  // Input; empty: none
};

}  // namespace tensordsl
