// The schedule: how one definition is executed. Every directive checks itself and throws ScheduleError with
// the call, what was found, and what would do.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"
#include "tensordsl/memory_scope.h"
#include "tensordsl/var.h"

namespace tensordsl {

class Func;

namespace schedule {
struct ScheduledFunction;
struct StageSchedule;
struct StageId;
}  // namespace schedule

/// What happens when a split's factor does not divide the extent.
enum class Tail {
  RoundUp,  ///< run over the end; the storage of the Func is padded (an output's extent must be divisible)
  Guard,    ///< test each point
  ShiftInwards,  ///< move the last block back so that it ends at the end, computing some points twice; pure
                 ///< definitions only
  Exact,         ///< the factor divides the extent, or ScheduleError
};

/// One definition of a Func (the pure one or an update) as the target of directives. Directives on storage
/// and placement (compute_at, bound, layout, ...) act on the whole Func, whichever Stage they are called on.
class Stage {
 public:
  /// The target that Func, Func::update() and specialize() hand out. `definition`: 0 is the pure one, 1 the
  /// first update; `specialization`: which variant of it, -1: the definition itself. Neither is checked.
  explicit Stage(std::shared_ptr<schedule::ScheduledFunction> function, int definition,
                 int specialization = -1);

  // Loops. A Func's loops start as one per variable, the first outermost; an update's variables are the pure
  // variables it uses, then its reduction axes.

  /// for i in [0,E): s  ->  for o in [0,ceil(E/f)): for n in [0,f): s[i := o*f + n]
  Stage& split(const Var& axis, const Var& outer, const Var& inner, int factor, Tail tail = Tail::Guard);
  /// for o in [0,A): for i in [0,B): s  ->  for f in [0,A*B): s[o := f/B, i := f%B].  o and i are neighbors.
  Stage& fuse(const Var& outer, const Var& inner, const Var& fused);
  /// The named axes take the order given, outermost first, in the places they held.
  Stage& reorder(const std::vector<Var>& axes);
  /// split both, then reorder to {xo, yo, xi, yi}: x and y in the order given, outermost first.
  Stage& tile(const Var& x, const Var& y, const Var& xo, const Var& yo, const Var& xi, const Var& yi,
              int xfactor, int yfactor, Tail tail = Tail::Guard);
  /// The body is repeated once for each value; the extent must be constant.
  Stage& unroll(const Var& axis);
  /// Splits by `factor` (tail as in split), then unrolls the inner loop.
  Stage& unroll(const Var& axis, int factor, Tail tail = Tail::Guard);
  /// One vector operation for all values; the extent must be 2, 3, 4, 8 or 16, or, on the host's
  /// processor, 32 or 64.
  Stage& vectorize(const Var& axis);
  /// Splits by `factor` (tail as in split), then vectorizes the inner loop.
  Stage& vectorize(const Var& axis, int factor, Tail tail = Tail::Guard);

  /// Up to three axes, the fastest-varying dimension (0) first, become work-group indices.
  Stage& gpu_blocks(const Var& x);
  /// The same: `x` gives the index of dimension 0, `y` that of dimension 1.
  Stage& gpu_blocks(const Var& x, const Var& y);
  /// The same in three dimensions.
  Stage& gpu_blocks(const Var& x, const Var& y, const Var& z);
  /// Up to three axes, dimension 0 first, become work-item indices; their extents must be constant.
  Stage& gpu_threads(const Var& x);
  /// The same: `x` gives the index of dimension 0, `y` that of dimension 1.
  Stage& gpu_threads(const Var& x, const Var& y);
  /// The same in three dimensions.
  Stage& gpu_threads(const Var& x, const Var& y, const Var& z);
  /// for k in [0,32): f += e(k)   ->   f += sub_group_reduce_add(e(lane)): a reduction loop of constant
  /// extent becomes the work-items of dimension 0, which are a sub-group, and adds up through its registers:
  /// no local memory, no barrier. Of a sum, minimum or maximum of f32, i32 or i64. The extent is a size of
  /// the device's sub-groups (8, 16, 32, 64 or 128, say). For devices with cl_khr_subgroups or
  /// cl_intel_subgroups; compiling for another one throws ScheduleError.
  Stage& gpu_lanes(const Var& axis);
  /// for rows in [0,2) for columns in [0,2) for depth in [0,16): f += f32(a)*f32(b), in each of 32 work-items
  ///   ->   one product of matrices of 16x16 and 16x8 numbers, which the 32 compute together
  /// The three innermost loops of an update that adds up products of f16 in f32. Rows of a are those that the
  /// work-item's number in dimension 0, divided by 4, tells, and 8 behind them; columns of b follow its
  /// remainder by 4, two for each; a and b lie along the depth in memory. Dimension 0 of the work-group has
  /// 32 work-items, and `f` is in registers, the four sums of a product side by side. For devices with
  /// DeviceInfo::has_matrix_units; compiling for another one throws ScheduleError, and so do loops that are
  /// no such product. Source: PTX ISA, mma.sync.m16n8k16.
  Stage& matrix_multiply(const Var& rows, const Var& columns, const Var& depth);
  /// Splits each axis by its size, makes the outer ones blocks and the inner ones threads, and puts all outer
  /// ones before all inner ones: the usual way to map up to three axes, dimension 0 first.
  Stage& gpu_tile(const Var& x, int x_size, Tail tail = Tail::Guard);
  /// The same of two axes: sizes[0] is that of `x`, sizes[1] that of `y`.
  Stage& gpu_tile(const Var& x, const Var& y, std::array<int, 2> sizes, Tail tail = Tail::Guard);
  /// The same of three axes.
  Stage& gpu_tile(const Var& x, const Var& y, const Var& z, std::array<int, 3> sizes,
                  Tail tail = Tail::Guard);

  // Reductions in two steps.

  /// f(x) += e(x, k), k in [0,E)   ->   f_by_u(u, x) += e(x, u);   f(x) += f_by_u(u, x), u in [0,E)
  /// For an update f = f op value, op one of +, *, min and max. `axis` is a reduction loop, whole or made by
  /// split or fuse; the others stay reductions of the new Func, NAME_by_VAR, which has `pure` as its first
  /// dimension and is placed like any Func. The update is written anew, so rfactor comes before the
  /// directives on its other loops. Sums of floats are rounded in another order.
  Func rfactor(const Var& axis, const Var& pure) const;
  /// f(x) += e(x, k, l)   ->   p(u, x) = f16(f32(p(u, x)) + e(x, u, l));   f(x) += f32(p(u, x))
  /// rfactor of some loops at once, with partial results in f16, of an f that is f32: `pures`, one for each
  /// of `axes`, are the first dimensions of the new Func, which is named after the last of them. With
  /// half_arithmetic() the parts are summed in f16, at the rate that a device has for that. A part is rounded
  /// in each of its steps, f is not: parts of 64 steps are off by some 0.2 % of the largest sum, however many
  /// there are. A part of more than 65504 is infinite.
  Func rfactor_in_half(const std::vector<Var>& axes, const std::vector<Var>& pures) const;
  /// rfactor of the reduction axis `axis`, of constant extent E, into runs of ceil(E/parts) neighboring
  /// steps: `parts` of them, or fewer where that covers the axis. The parts are computed at the root, by a
  /// kernel of their own; with compute_at and store_in(Local) they are added up within a work-group. Source:
  /// Romou (MobiCom 2022), section 4.
  Func split_k(const Var& axis, int parts, const Var& part) const;

  /// kernel   ->   if (condition) specialized kernel else kernel
  /// A variant of this stage that runs where `condition`, of integer constants and Params, holds; and of
  /// several, where no earlier one's does. Returned is the variant, with the loops given so far and open to
  /// directives of its own. In it n == 1024, n % 4 == 0 and n >= 64 are known, so that Tail::Exact may rely
  /// on them, and what they decide costs nothing. The Func is computed at the root; where others are computed
  /// in its loops, the variant has a loop of that name too. The host chooses: a kernel whose condition does
  /// not hold is launched with no work-groups.
  Stage specialize(const Expr& condition) const;
  /// The index-th variant that specialize() made.
  Stage specialization(int index) const;

  // Placement and storage of the Func.

  /// Computed into its own buffer before any consumer, by kernels of its own.
  Stage& compute_root();
  /// Computed inside `consumer`, at the top of the body of its loop `axis`, over just what that body needs.
  /// Storage: registers below a work-item's loops, local memory between the block and the thread loops.
  Stage& compute_at(const Stage& consumer, const Var& axis);
  /// Kept from outside the loop `axis` of `consumer` on, a loop around the one that compute_at names: what
  /// an iteration needs and one before it has computed is not computed again, where the Func's elements are
  /// needed in order. Only a window of the dimension along which it slides is then stored, in turns (see
  /// fold_storage). The loops between the two are serial or unrolled where it slides.
  Stage& store_at(const Stage& consumer, const Var& axis);
  /// Of a Func with store_at: element i of `dimension` is stored at i % factor. By default the factor is what
  /// one iteration needs; a power of two saves divisions, and a loop that is unrolled by a multiple of the
  /// factor has none, so that the window stays in registers.
  Stage& fold_storage(const Var& dimension, int factor);
  /// for y { f }  for y { g }   ->   for y { f  g }
  /// The loops of this stage from the outermost to `axis` are those of `other`, a stage of another Func,
  /// which has as many around a loop of that name; where extents differ, the shorter one is tested. Both
  /// Funcs are computed at the root and read each other nowhere. Their kernels become one, and what both
  /// read can be computed once, at a loop of `other`.
  Stage& compute_with(const Stage& other, const Var& axis);
  /// Substituted into its consumers: the default of a Func without updates. One with updates is computed
  /// where it is read, in the innermost loop around that is no vector, into registers.
  Stage& compute_inline();
  /// The extents of the Func, one per dimension, counted from 0. An output without it gets symbolic extents.
  Stage& bound(const std::vector<Expr>& extents);
  /// The order in memory: over the Func's variables, as in "n h w c" and "n c/4 h w c%4", or as a value. See
  /// Layout.
  Stage& layout(std::string_view notation);
  /// The same as a value: dimension d of `layout` is the d-th variable of the Func. Throws ScheduleError if
  /// they have other numbers of dimensions.
  Stage& layout(const Layout& layout);
  /// In memory the extent of `dimension` is rounded up to a multiple of `alignment`: of "y x" each row then
  /// starts at a multiple of it. The layout "y x" becomes "y x/16 x%16", which is the same order.
  Stage& align_storage(const Var& dimension, int alignment);
  /// Stored in an image, in the layout's groups: one per coordinate, then the four elements of a texel
  /// (CL_RGBA); without that last group a texel is one element (CL_R). Types f32, f16, i32, i8, u8, bool. A
  /// kernel writes whole texels, so the dimension of the last group is vectorized; it cannot read the image
  /// it writes. Read where nothing is, an Image2D and an Image2DArray give 0. Source: Romou (MobiCom 2022),
  /// section 4.1.
  Stage& set_image(ImageKind kind);
  /// Of a Func with compute_at: Local, SubGroup or Private memory. Without it, what is computed above the
  /// gpu_threads loops of the consumer is Local and what is computed below them Private. A Local Func may be
  /// computed below them too, say once per step of a reduction: it then covers what all work-items of the
  /// group need, and its own gpu_threads loops spread the work over them; barriers are placed where the group
  /// exchanges data. SubGroup: spread over the registers of a sub-group, the work-items of dimension 0.
  /// Work-item i of n holds the elements i, i + n, ... of the dimension whose loop, of a split by n, goes to
  /// gpu_threads; what is read of another one comes by sub_group_broadcast or sub_group_shuffle, without
  /// local memory and barriers. For devices with cl_khr_subgroups, and cl_khr_subgroup_shuffle or
  /// cl_intel_subgroups unless all work-items read the same element. What cannot be handed over is refused;
  /// see docs/SCHEDULES.md. Of an Input: Constant, for tables of at most what the device's constant buffer
  /// holds. Inputs of up to 2 KiB whose elements all work-items of a group read alike are put there anyway.
  Stage& store_in(MemoryScope scope);
  /// (float4)(s)*v  ->  s*v: in the kernel that computes the Func, an operation on a scalar and a vector
  /// stays one. Without it the scalar is first put into all lanes of a vector variable. For hardware that
  /// broadcasts scalars on its own. Source: Romou (MobiCom 2022), section 4.1.
  Stage& autobroadcast();
  /// (float)a*(float)b  ->  a*b: in the kernels that compute the Func, arithmetic on f16 values and constants
  /// is done in f16, for devices with cl_khr_fp16; compiling for another one throws ScheduleError. What is
  /// f32 stays so: a sum declared as f32 of f16 products, say. Each operation then rounds to 11 bits and
  /// overflows at 65504.
  Stage& half_arithmetic();
  /// for k { load tile; barrier; use tile; barrier }  ->  for k { load tile[k%2]; barrier; use tile[k%2] }
  /// Of a Local Func that is computed in a serial loop: twice the storage, half the barriers.
  Stage& double_buffer();

  /// The interpreter and the simulator report each element of the Func that is read: see Pipeline::interpret
  /// and Pipeline::simulate. Kernels are the same.
  Stage& trace_loads();
  /// The same of each element that is written.
  Stage& trace_stores();

  const std::string& function_name() const;  ///< of the Func that the stage is of
  /// The stage's directives as the C++ that makes them.
  std::string to_string() const;

 protected:
  /// The loops, which directives edit. Throws ScheduleError of an Input, and before the Func is defined.
  schedule::StageSchedule& stage() const;
  schedule::StageId place() const;                         ///< which definition, and which variant of it
  std::shared_ptr<schedule::ScheduledFunction> contents_;  ///< what all handles of the Func share
  int definition_ = 0;                                     ///< 0: the pure one; 1: the first update
  int specialization_ = -1;                                ///< which variant; -1: the definition itself
};

}  // namespace tensordsl
