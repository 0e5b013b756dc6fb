// The working form of a pipeline at the start of lowering.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "ir/nodes/substitute.h"
#include "lower/lowered.h"
#include "schedule/func_schedule.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::lower {

/// A Func that gets loops of its own, with definitions that read other tensors by Load, one index per
/// dimension.
struct Producer {
  const schedule::ScheduledFunction* function = nullptr;
  bool is_output = false;
  std::vector<ir::Definition> definitions;
  /// Replacements of inlined Params that share their name with a variable of the definitions, by that name.
  ir::Substitution params = {};
};

/// The part of a dimension of a Func that is computed: [min, min + extent). With a stride it is runs of
/// elements with gaps: min + i/run*stride + i%run for i in [0, extent), stored one after the other.
struct Range {
  Expr min;
  Expr extent;
  int run = 0;
  int stride = 0;  // 0: there are no gaps
  int fold = 0;    // elements that far apart share storage; 0: each has its own

  /// Returns the i-th element.
  Expr element(const Expr& i) const { return stride > 0 ? min + i / run * stride + i % run : min + i; }
  /// Inverts element().
  Expr position(const Expr& element) const {
    const Expr distance = element - min;
    if (fold > 0) return distance % fold;
    return stride > 0 ? distance / stride * run + distance % stride : distance;
  }
};
using Box = std::vector<Range>;

/// Returns the extents of an output: its bound(), or the arguments NAME_extent_0, NAME_extent_1, ...
std::vector<Expr> output_extents(const schedule::ScheduledFunction& output);

/// The loops of one stage of a Func that is computed at the root, or of a specialization of it: it becomes
/// one kernel.
struct RootNest {
  std::string function;
  schedule::StageId stage;
  ir::Stmt body;
  Expr condition = {};  // condition of the specialization
  Expr otherwise =
      {};  // condition of the specializations before it: it runs where they do not hold. Either is undefined
           // if there is none
  Expr needed = {};  // condition under which another kernel reads its result; undefined: always
  std::set<std::string> companions = {};  // Funcs of which a stage runs in the same loops

  bool is_specialization() const { return stage.specialization >= 0; }
};

/// The result of place_functions.
struct PlacedFunctions {
  std::vector<RootNest> nests;
  /// Logical extents of every root Func's buffer, the output's included.
  std::map<std::string, std::vector<Expr>> extents;
  /// Funcs of which a Tail::RoundUp computes points past those that are read.
  std::set<std::string> run_over;
  /// True if reads of Inputs for unneeded points are guarded by tests.
  bool guards_reads = false;
  /// Boxes of all root Funcs that are computed, without the points that a Tail::RoundUp adds.
  std::map<std::string, Box> boxes = {};
};

/// Stored tensors by their names.
using StoredTensors = std::map<std::string, StoredTensor>;

/// The storage of every tensor that is not substituted away.
struct Tensors {
  StoredTensors stored;                  // inside and outside kernels; those inside have no extents yet
  std::map<std::string, Expr> elements;  // elements in memory of outside tensors; not negative at any size
  std::set<std::string> constants;       // outside tensors in the constant address space
  Images images;                         // outside tensors that are images
};

/// State of a kernel between its loops and the body of one work-item.
struct KernelBody {
  ir::Stmt body;
  std::array<Expr, 3> groups{Expr(1), Expr(1), Expr(1)};  // numbers of work-groups
  std::array<int, 3> group_size{1, 1, 1};
  int sub_group_size = 0;  // work-items of dimension 0, if they act as a sub-group
  std::set<std::string> private_copies =
      {};  // registers of each work-item for a tile between reading and sharing it
  std::set<std::string> synchronized = {};  // tiles that have their barriers
  std::set<std::string> exchanged = {};     // tensors outside of which work-items read what others write
  ir::Stmt simplified = {};                 // the last body that was simplified, of work-items
};

}  // namespace tensordsl::lower
