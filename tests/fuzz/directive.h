// The directives of a schedule as data.
#pragma once

#include <string>
#include <vector>

#include "fuzz/definition.h"

namespace tensordsl::fuzz {

enum class DirectiveKind {
  Split,
  Fuse,
  Reorder,
  Tile,
  Unroll,
  UnrollBy,
  Vectorize,
  VectorizeBy,
  GpuBlocks,
  GpuThreads,
  GpuTile,
  ComputeRoot,
  ComputeAt,
  ComputeInline,
  Bound,
  Layout,
  SetImage,
  In,
  StoreLocal,
  StoreSubGroup,
  StorePrivate,
  DoubleBuffer,
  Autobroadcast,
  Rfactor,
  SplitK,
  Specialize,
  GpuLanes,
  HalfArithmetic,
  StoreAt,
  FoldStorage,
  ComputeWith,
  AlignStorage,
};
inline constexpr int kDirectiveKinds = 32;
const char* name_of(DirectiveKind kind);
const char* name_of(Tail tail);

struct Directive {
  DirectiveKind kind = DirectiveKind::Split;
  std::string target;  // a Func or Input
  int stage = 0;
  int specialization = -1;
  std::vector<std::string> vars;
  std::vector<int> factors;  // or the extents of a bound
  Tail tail = Tail::Guard;
  std::string consumer;                  // ComputeAt, StoreAt, ComputeWith, In
  std::vector<std::string> others = {};  // In: consumers of the same copy
  int consumer_stage = 0;
  std::string notation;       // Layout
  ImageKind image = Image2D;  // SetImage
  std::string param;  // Specialize: on what, and whether it is equal to, at least, or divisible by the factor
  enum class Test { Equal, AtLeast, Divisible } test = Test::Equal;
};

/// False if it is refused with a ScheduleError, which must not change the schedule. A Func or stage that the
/// definition lacks is ignored.
bool apply(const Directive& directive, Definition& definition);

/// A Func or an Input of the definition; null if it has no such name.
Func* find(Definition& definition, const std::string& name);

Stage stage_of(const Func& f, int stage, int specialization = -1);
int specializations_of(const Func& f, int stage);

}  // namespace tensordsl::fuzz
