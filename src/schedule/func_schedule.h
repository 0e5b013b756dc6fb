// A schedule as data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/nodes/stmt.h"
#include "schedule/directive.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"
#include "tensordsl/memory_scope.h"
#include "tensordsl/stage.h"

namespace tensordsl::schedule {

/// A loop of a stage: outermost first in StageSchedule::axes.
struct Axis {
  std::string name;
  ir::LoopKind loop = ir::LoopKind::Serial;
  bool is_reduction = false;
  bool is_lanes = false;  // a reduction over the work-items of a sub-group
};

struct Split {
  std::string axis, outer, inner;
  int factor = 1;
  Tail tail = Tail::Guard;
};

struct Fuse {
  std::string outer, inner, fused;
};

/// A split or a fuse, in the order they were given; exactly one member is set.
struct Transform {
  std::optional<Split> split;
  std::optional<Fuse> fuse;
};

struct Specialization;

/// A stage whose outer loops, to `axis`, are shared with another one.
struct Companion {
  std::string function;
  int stage = 0;
  std::string axis;
};

struct StageSchedule {
  std::vector<Axis> axes;
  std::vector<Transform> transforms;
  std::vector<Specialization> specializations;  // the first whose condition holds runs instead
  std::optional<Companion> companion;           // stage in whose loops it runs
};

struct Specialization {
  Expr condition;
  StageSchedule schedule;
};

struct ComputeLevel {
  enum class Kind { Inline, Root, At };
  Kind kind = Kind::Inline;
  std::string consumer;  // At: the consumer's name and stage, and the axis
  int consumer_stage = 0;
  std::string axis;
};

struct FuncSchedule {
  std::optional<ComputeLevel> level;  // not set: Inline if pure, Root otherwise
  std::vector<Expr> bounds;           // extents from 0, one per dimension; empty if not given
  std::optional<Layout> layout;       // row-major if not set
  std::optional<ImageKind> image;     // a buffer if not set
  std::optional<MemoryScope> scope;   // memory; chosen by the location of its loops if not set
  bool double_buffer = false;
  bool autobroadcast = false;    // option of the kernel that computes the Func
  bool half_arithmetic = false;  // option of the kernel that computes the Func
  bool trace_loads = false, trace_stores = false;
  std::optional<ComputeLevel> store_level;  // loop outside of which storage begins; the compute level if not
                                            // set
  std::map<std::string, int> folds;         // dimensions that are stored modulo a factor
  std::map<std::string, int> alignments;    // dimensions whose extents in memory are multiples
};

/// A definition with its schedule: the object that a Func is a handle of.
struct ScheduledFunction : ir::Function {
  FuncSchedule schedule;
  std::vector<StageSchedule> stages;   // one per definition
  std::vector<LoggedDirective> log;    // directives that made the schedule, in the order of the calls
  std::optional<LogPosition> made_by;  // for a Func that a directive made: its position in the log

  ComputeLevel level() const;
  /// True if the definition is substituted into its readers.
  bool is_substituted() const;
  Layout layout_or_default() const;
  /// Returns the layout of a part that is computed inside loops: unless one was given, the vectorized
  /// dimension is innermost, so that a vector is one variable.
  Layout tile_layout() const;
  /// Returns `layout` with the dimensions of align_storage() rounded up. Throws ScheduleError if it cuts one
  /// of them otherwise.
  Layout aligned(const Layout& layout) const;
};

/// Casts a Function; every Function that the front end makes is a ScheduledFunction.
const ScheduledFunction& scheduled(const ir::Function& function);

/// Starts the stage of the newest definition: one axis per pure variable it uses, then its reduction axes.
StageSchedule default_stage(const ir::Function& function, const ir::Definition& definition);

/// Properties of a definition's axes that decide which directives are legal.
struct UpdateTraits {
  /// f(args) = f(args) op e with op one of + * min max and e free of f, or the same in each component:
  /// reduction axes may be reordered.
  bool is_associative = false;
  /// The outermost reduction axis, if points read no element that others write at the same value of it:
  /// f(r[0] + 1, r[1]) reads f(r[0], ..). Its loops run in order around the loops of other axes. Empty if
  /// there is none.
  std::string step_axis;
  /// Reduction axes that no two points of which write the same element (r appears alone, as r + constant, in
  /// one index), and the value reads f only at args, or as step_axis requires: these may be vectorized and
  /// run in parallel, inside the loops of step_axis.
  std::vector<std::string> parallel_axes;
  /// Pure variables along which the update reads elements of its own Func other than the one it writes: their
  /// points run in order.
  std::vector<std::string> ordered_dims;
};
/// Returns the pure variables or reduction axes of which splits and fuses made a loop of a stage.
std::vector<std::string> roots_of(const StageSchedule& stage, const std::string& axis);

/// Returns the dimension along which a vectorized loop of the Func runs; empty if there is none or it covers
/// several dimensions.
std::string vectorized_dim(const ScheduledFunction& function);

UpdateTraits traits_of(const ir::Function& function, const ir::Definition& definition);

}  // namespace tensordsl::schedule
