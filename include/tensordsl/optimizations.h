// What a graph compiler does of its own accord.
#pragma once

namespace tensordsl {

/// Each may be left out, to see what it gives: results agree but for rounding, and sums near the largest
/// float, which may overflow in one of two orders.
struct Optimizations {
  /// Transposes, slices, reshapes and rolls go into the indices of what reads them, or into the order in
  /// which what they read is stored. Source: SmartMem, section 3.2.
  bool movement_elimination = true;
  /// Several operators become one kernel, and what is concatenated is computed in its place.
  bool fusion = true;
  /// Tensors lie in memory as their readers run along them; else all are row-major.
  bool layout_selection = true;
  /// Tensors that are not needed at the same time share memory.
  bool memory_plan = true;
  /// Where it pays, 3x3 convolutions of f32 multiply 16 times where they would 36 times, and add more:
  /// results differ by a few more roundings. Source: Lavin and Gray (CVPR 2016).
  bool winograd = true;
  /// With Float16, where a profile says that arithmetic in f16 is faster: products with constants are summed
  /// in f16, 64 steps at most, and these sums in f32. A part of more than 65504 is infinite.
  bool half_sums = true;

  friend bool operator==(const Optimizations&, const Optimizations&) = default;
};

}  // namespace tensordsl
