// The schedule: how one definition is executed. Every directive checks itself and throws ScheduleError that
// names the call, what was found, and the remedy.
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

/// Treatment of the last iterations of a split whose factor does not divide the extent.
enum class Tail {
  RoundUp,       ///< run past the end; the Func's storage is padded (an output's extent must be divisible)
  Guard,         ///< test each point
  ShiftInwards,  ///< move the last block back so that it ends at the end, computing some points twice; pure
                 ///< definitions only
  Exact,         ///< the factor divides the extent, or ScheduleError
};

/// One definition of a Func (the pure one or an update) as the target of directives. Directives on storage
/// and placement (compute_at, bound, layout, ...) act on the whole Func, whichever Stage they are called on.
class Stage {
 public:
  /// A stage, as Func, Func::update() and specialize() make them. `definition`: 0 is the pure one, 1 the
  /// first update; `specialization`: index of a variant of it, -1: the definition itself. Neither is checked.
  explicit Stage(std::shared_ptr<schedule::ScheduledFunction> function, int definition,
                 int specialization = -1);

  // Loops. A Func's loops start as one per variable, the first outermost; an update's variables are the pure
  // variables it uses, then its reduction axes.

  /// for i in [0,E): s  ->  for o in [0,ceil(E/f)): for n in [0,f): s[i := o*f + n]
  /// Splits the loop `axis` into an outer loop and an inner one of extent `factor`.
  Stage& split(const Var& axis, const Var& outer, const Var& inner, int factor, Tail tail = Tail::Guard);
  /// for o in [0,A): for i in [0,B): s  ->  for f in [0,A*B): s[o := f/B, i := f%B]
  /// Fuses two neighboring loops into one.
  Stage& fuse(const Var& outer, const Var& inner, const Var& fused);
  /// Puts the named axes into the given order, outermost first, in the positions that they held.
  Stage& reorder(const std::vector<Var>& axes);
  /// Splits both axes, then reorders to {xo, yo, xi, yi}: x and y in the order given, outermost first.
  Stage& tile(const Var& x, const Var& y, const Var& xo, const Var& yo, const Var& xi, const Var& yi,
              int xfactor, int yfactor, Tail tail = Tail::Guard);
  /// Repeats the body once for each value of `axis`; its extent must be constant, or have a constant upper
  /// bound: each copy of the body is then tested.
  Stage& unroll(const Var& axis);
  /// Splits by `factor` (tail as in split), then unrolls the inner loop.
  Stage& unroll(const Var& axis, int factor, Tail tail = Tail::Guard);
  /// Computes all values of `axis` by one vector operation; its extent must be 2, 3, 4, 8 or 16, or, on the
  /// host's processor, 32 or 64.
  Stage& vectorize(const Var& axis);
  /// Splits by `factor` (tail as in split), then vectorizes the inner loop.
  Stage& vectorize(const Var& axis, int factor, Tail tail = Tail::Guard);

  /// Makes `x` the work-group index of dimension 0, the fastest-varying one. Up to three axes may be blocks.
  Stage& gpu_blocks(const Var& x);
  /// Makes `x` the work-group index of dimension 0 and `y` the one of dimension 1.
  Stage& gpu_blocks(const Var& x, const Var& y);
  /// Makes `x`, `y` and `z` the work-group indices of dimensions 0, 1 and 2.
  Stage& gpu_blocks(const Var& x, const Var& y, const Var& z);
  /// Makes `x` the work-item index of dimension 0, the fastest-varying one; its extent must be constant. Up
  /// to three axes may be threads.
  Stage& gpu_threads(const Var& x);
  /// Makes `x` the work-item index of dimension 0 and `y` the one of dimension 1; their extents must be
  /// constant.
  Stage& gpu_threads(const Var& x, const Var& y);
  /// Makes `x`, `y` and `z` the work-item indices of dimensions 0, 1 and 2; their extents must be constant.
  Stage& gpu_threads(const Var& x, const Var& y, const Var& z);
  /// for k in [0,32): f += e(k)   ->   f += sub_group_reduce_add(e(lane))
  /// Maps a reduction loop of constant extent to the work-items of dimension 0, which form a sub-group, and
  /// reduces through its registers: no local memory, no barrier. The reduction is a sum, minimum or maximum
  /// of f32, i32 or i64. The extent is a size of the device's sub-groups (8, 16, 32, 64 or 128, say). The
  /// device needs cl_khr_subgroups or cl_intel_subgroups; compiling for another one throws ScheduleError.
  Stage& gpu_lanes(const Var& axis);
  /// for rows in [0,2) for columns in [0,2) for depth in [0,16): f += f32(a)*f32(b), in each of 32 work-items
  ///   ->   one product of matrices of 16x16 and 16x8 numbers, which the 32 compute together
  /// Computes the three innermost loops of an update that sums products of f16 in f32. With i the work-item's
  /// index in dimension 0, the rows of a are i/4 and i/4 + 8; the columns of b are 2*(i%4) and the one after
  /// it. a and b are contiguous along the depth. Dimension 0 of the work-group has 32 work-items, and `f` is
  /// in registers, the four sums of a product next to each other. The device needs
  /// DeviceInfo::has_matrix_units; compiling for another one throws ScheduleError, and so do loops that are
  /// not such a product. Source: PTX ISA, mma.sync.m16n8k16.
  Stage& matrix_multiply(const Var& rows, const Var& columns, const Var& depth);
  /// Splits `x` by its size, makes the outer loop a block and the inner one a thread of dimension 0: the
  /// usual way to map up to three axes.
  Stage& gpu_tile(const Var& x, int x_size, Tail tail = Tail::Guard);
  /// Splits `x` by sizes[0] and `y` by sizes[1], makes the outer loops blocks and the inner ones threads, and
  /// puts the outer loops outside the inner ones. `x` is dimension 0.
  Stage& gpu_tile(const Var& x, const Var& y, std::array<int, 2> sizes, Tail tail = Tail::Guard);
  /// Splits `x`, `y` and `z` by sizes[0], sizes[1] and sizes[2], makes the outer loops blocks and the inner
  /// ones threads, and puts the outer loops outside the inner ones. `x` is dimension 0.
  Stage& gpu_tile(const Var& x, const Var& y, const Var& z, std::array<int, 3> sizes,
                  Tail tail = Tail::Guard);

  // Reductions in two steps.

  /// f(x) += e(x, k), k in [0,E)   ->   f_by_u(u, x) += e(x, u);   f(x) += f_by_u(u, x), u in [0,E)
  /// Splits an update f = f op value, with op one of +, *, min and max, into two reductions. `axis` is a
  /// reduction loop, whole or made by split or fuse; the others stay reductions of the new Func, NAME_by_VAR,
  /// which has `pure` as its first dimension and is placed like any Func. The update is rewritten, so rfactor
  /// comes before the directives on its other loops. Sums of floats are rounded in another order.
  Func rfactor(const Var& axis, const Var& pure) const;
  /// f(x) += e(x, k, l)   ->   p(u, x) = f16(f32(p(u, x)) + e(x, u, l));   f(x) += f32(p(u, x))
  /// Applies rfactor to several loops at once, with partial results in f16, for an f of f32: `pures`, one for
  /// each of `axes`, are the first dimensions of the new Func, which is named after the last of them. With
  /// half_arithmetic() the partial sums are computed in f16, at the device's rate for it. A partial sum is
  /// rounded in each of its steps, f is not: partial sums of 64 steps are off by some 0.2 % of the largest
  /// sum, however many there are. A partial sum of more than 65504 is infinite.
  Func rfactor_in_half(const std::vector<Var>& axes, const std::vector<Var>& pures) const;
  /// Applies rfactor to the reduction axis `axis`, of constant extent E, in runs of ceil(E/parts) consecutive
  /// steps: `parts` of them, or fewer where that covers the axis. The partial results are computed at the
  /// root, by a kernel of their own; with compute_at and store_in(Local) they are added up within a
  /// work-group. Source: Romou (MobiCom 2022), section 4.
  Func split_k(const Var& axis, int parts, const Var& part) const;

  /// kernel   ->   if (condition) specialized kernel else kernel
  /// Adds and returns a variant of this stage that runs if `condition`, over integer constants and Params,
  /// holds and no earlier variant's condition does. The variant starts with the loops given so far and takes
  /// directives of its own. In it, conditions such as n == 1024, n % 4 == 0 and n >= 64 are known facts:
  /// Tail::Exact may rely on them, and tests that they decide are removed. The Func is computed at the root.
  /// If other Funcs are computed in its loops, the variant has a loop of the same name. The host chooses: a
  /// kernel whose condition does not hold is launched with no work-groups.
  Stage specialize(const Expr& condition) const;
  /// Returns the index-th variant that specialize() made.
  Stage specialization(int index) const;

  // Placement and storage of the Func.

  /// Computes the Func into its own buffer before any consumer, by kernels of its own.
  Stage& compute_root();
  /// Computes the Func inside `consumer`, at the top of the body of its loop `axis`, over exactly the region
  /// that this body needs. It is stored in registers below a work-item's loops, in local memory between the
  /// block and the thread loops.
  Stage& compute_at(const Stage& consumer, const Var& axis);
  /// Allocates the Func outside the loop `axis` of `consumer`, a loop around the one that compute_at names:
  /// elements that an earlier iteration computed are not computed again, if the elements are needed in order.
  /// Only a window of the dimension along which it slides is then stored, as a circular buffer (see
  /// fold_storage). The loops between the two are serial or unrolled if it slides.
  Stage& store_at(const Stage& consumer, const Var& axis);
  /// Stores element i of `dimension` at i % factor, for a Func with store_at. The default factor is what one
  /// iteration needs. A power of two saves divisions; a loop that is unrolled by a multiple of the factor has
  /// none, so that the window stays in registers.
  Stage& fold_storage(const Var& dimension, int factor);
  /// for y { f }  for y { g }   ->   for y { f  g }
  /// Shares the loops of this stage, from the outermost to `axis`, with `other`, a stage of another Func,
  /// which has as many loops around a loop of that name; where extents differ, the shorter one is tested.
  /// Both Funcs are computed at the root, and neither reads the other. Their kernels become one, and inputs
  /// of both can be computed once, at a loop of `other`.
  Stage& compute_with(const Stage& other, const Var& axis);
  /// Substitutes the Func into its consumers: the default of a Func without updates. A Func with updates is
  /// computed where it is read, in the innermost enclosing loop that is not vectorized, into registers.
  Stage& compute_inline();
  /// Sets the extents of the Func, one per dimension, counted from 0. An output without bound() gets symbolic
  /// extents.
  Stage& bound(const std::vector<Expr>& extents);
  /// Sets the order of the elements in memory, over the Func's variables, as in "n h w c" and "n c/4 h w
  /// c%4". See Layout.
  Stage& layout(std::string_view notation);
  /// Sets the order of the elements in memory: dimension d of `layout` is the d-th variable of the Func.
  /// Throws ScheduleError if they have different numbers of dimensions.
  Stage& layout(const Layout& layout);
  /// Rounds the extent of `dimension` in memory up to a multiple of `alignment`: with the layout "y x", each
  /// row then starts at a multiple of it. The layout "y x" becomes "y x/16 x%16", which is the same order.
  Stage& align_storage(const Var& dimension, int alignment);
  /// Stores the Func in an image, in the layout's groups: one per coordinate, then the four elements of a
  /// texel (CL_RGBA); without that last group a texel is one element (CL_R). The types are f32, f16, i32, i8,
  /// u8 and bool. A kernel writes whole texels, so the dimension of the last group is vectorized; it cannot
  /// read the image that it writes. An Image2D and an Image2DArray give 0 outside their bounds. Source: Romou
  /// (MobiCom 2022), section 4.1.
  Stage& set_image(ImageKind kind);
  /// Stores a Func with compute_at in Local, SubGroup or Private memory. By default, a Func computed above
  /// the gpu_threads loops of the consumer is Local, one computed below them Private. A Local Func may be
  /// computed below them too, say once per step of a reduction: it then covers the needs of all work-items of
  /// the group, and its own gpu_threads loops spread the work over them; barriers are placed where the group
  /// exchanges data.
  ///
  /// SubGroup spreads the Func over the registers of a sub-group, the work-items of dimension 0. Work-item i
  /// of n holds the elements i, i + n, ... of the dimension whose loop, of a split by n, goes to gpu_threads.
  /// Elements of another work-item are read by sub_group_broadcast or sub_group_shuffle, without local memory
  /// and barriers. The device needs cl_khr_subgroups, and cl_khr_subgroup_shuffle or cl_intel_subgroups
  /// unless all work-items read the same element. Reads that cannot be exchanged this way are refused; see
  /// docs/SCHEDULES.md.
  ///
  /// An Input may be stored in Constant, if it fits the device's constant buffer. Inputs of up to 2 KiB whose
  /// elements all work-items of a group read alike are put there by default.
  Stage& store_in(MemoryScope scope);
  /// (float4)(s)*v  ->  s*v: keeps an operation on a scalar and a vector in that form in the kernel that
  /// computes the Func. Without it the scalar is first put into all lanes of a vector variable. For hardware
  /// that broadcasts scalars itself. Source: Romou (MobiCom 2022), section 4.1.
  Stage& autobroadcast();
  /// (float)a*(float)b  ->  a*b: does arithmetic on f16 values and constants in f16, in the kernels that
  /// compute the Func. The device needs cl_khr_fp16; compiling for another one throws ScheduleError. Values
  /// of f32 stay f32: a sum declared as f32 of f16 products, say. Each operation then rounds to 11 bits and
  /// overflows at 65504.
  Stage& half_arithmetic();
  /// for k { load tile; barrier; use tile; barrier }  ->  for k { load tile[k%2]; barrier; use tile[k%2] }
  /// Double-buffers a Local Func that is computed in a serial loop: twice the storage, half the barriers.
  Stage& double_buffer();

  /// Makes the interpreter and the simulator report each element of the Func that is read: see
  /// Pipeline::interpret and Pipeline::simulate. Kernels are the same.
  Stage& trace_loads();
  /// Makes the interpreter and the simulator report each element of the Func that is written: see
  /// Pipeline::interpret and Pipeline::simulate. Kernels are the same.
  Stage& trace_stores();

  const std::string& function_name() const;  ///< name of the Func that the stage belongs to
  /// Returns the stage's directives as the C++ that makes them.
  std::string to_string() const;

 protected:
  /// Returns the loops, which directives edit. Throws ScheduleError for an Input, and before the Func is
  /// defined.
  schedule::StageSchedule& stage() const;
  schedule::StageId place() const;                         ///< the definition, and the variant of it
  std::shared_ptr<schedule::ScheduledFunction> contents_;  ///< shared by all handles of the Func
  int definition_ = 0;                                     ///< 0: the pure one; 1: the first update
  int specialization_ = -1;                                ///< index of the variant; -1: the definition
                                                           ///< itself
};

}  // namespace tensordsl
