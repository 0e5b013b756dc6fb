// Optional optimizations of a graph.
#pragma once

namespace tensordsl {

/// Optimizations, each of which may be turned off to measure its effect. Results agree except for rounding,
/// and for sums near the largest float, which may overflow in one of two orders.
struct Optimizations {
  /// View folding: transposes, slices, reshapes and rolls become part of their readers' indices, or of the
  /// layout in which their operand is stored. Source: SmartMem, section 3.2.
  bool movement_elimination = true;
  /// Fusion: several operators become one kernel, and operands of a concatenation are computed into its
  /// result.
  bool fusion = true;
  /// Layout selection: tensors are stored in the order in which their readers traverse them; else all are
  /// row-major.
  bool layout_selection = true;
  /// Tensors that are not needed at the same time share memory.
  bool memory_plan = true;
  /// Winograd convolution, where it pays: 3x3 convolutions of f32 do 16 multiplications instead of 36, and
  /// more additions: results differ by a few more roundings. Source: Lavin and Gray (CVPR 2016).
  bool winograd = true;
  /// Partial sums in f16, with Float16 and a profile that says that arithmetic in f16 is faster: products
  /// with constants are summed in f16, 64 steps at most, and these sums in f32. A partial sum of more than
  /// 65504 is infinite.
  bool half_sums = true;

  friend bool operator==(const Optimizations&, const Optimizations&) = default;
};

}  // namespace tensordsl
