// The plan of a pipeline: which tensor reads which, and where. It is drawn consumers first, so that the box
// of every tensor is known before its own reads are drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/definition.h"
#include "fuzz/random.h"

namespace tensordsl::fuzz {

struct Span {
  int low = 0, high = -1;
  int extent() const { return high - low + 1; }
  bool empty() const { return high < low; }
};

/// variable*stride + second + offset, then perhaps / or %, then perhaps clamped; or a clamped value that was
/// read. Variables are numbered: the pure ones by dimension, then the reduction axes.
struct IndexPlan {
  int variable = -1, second = -1, stride = 1, offset = 0;
  int divisor = 0, modulus = 0;
  std::optional<Span> clamp;
  int gather = -1;              // the Input of integers whose element is the index
  std::optional<Span> promise;  // what is said of it, as no analysis finds out
  std::vector<IndexPlan> gather_index;
};

enum class Boundary { None, Zero, Constant, RepeatEdge, Select };

struct ReadPlan {
  int source = 0;
  int component = 0;         // of a source of tuples
  std::vector<Span> domain;  // of a reduction in place, whose axes follow the other variables
  std::vector<IndexPlan> index;
  Boundary boundary = Boundary::None;  // how the source is extended outside [0, its extent)
  std::vector<Span> inside;            // Select: where the read is made
};

enum class StageKind {
  Pure,
  Sum,
  Product,
  Minimum,
  Maximum,
  InPlace,
  Neighbor,
  Concat,
  ConstantIndex,
  Scan,
  Extremum,  // of tuples: the values at the point where the first one is largest
};

struct StagePlan {
  StageKind kind = StageKind::Pure;
  std::vector<Span> domain;       // the reduction axes
  int dimension = 0, offset = 0;  // Concat, ConstantIndex, Scan: the index that is not a pure variable,
                                  // and where it starts; Neighbor: what it reads of its own Func
  std::vector<ReadPlan> reads;
};

struct TensorPlan {
  bool is_input = false;
  bool is_output = false;
  bool is_read = false;           // or an output
  std::vector<Type> types;        // of the components
  std::vector<Span> box;          // of the elements that are read; an Input's and an output's start at 0
  std::vector<StagePlan> stages;  // empty for an Input
};

struct PipelinePlan {
  std::vector<TensorPlan> tensors;  // consumers before producers, Inputs last
  bool ill_formed = false;
};

PipelinePlan draw_plan(Random& random, const Simplification& simplification);

/// Variables that a stage's reads may use, with their ranges: the pure ones (empty where there is none), then
/// the axes.
std::vector<Span> variables_of(const TensorPlan& tensor, const StagePlan& stage);

}  // namespace tensordsl::fuzz
