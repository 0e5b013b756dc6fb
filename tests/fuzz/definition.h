// Random pipelines that every schedule must compute alike: no read of an Input outside its shape, no
// overflow, no decision that depends on rounding.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/random.h"
#include "ir/nodes/function.h"
#include "tensordsl/buffer.h"
#include "tensordsl/func.h"
#include "tensordsl/param_value.h"

namespace tensordsl::fuzz {

/// The largest extent that is drawn unless another is asked for.
constexpr int kUsualExtent = 17;

/// How large cases are drawn, and how a failing one is made smaller: the same draws, but fewer points and
/// plainer values.
struct Simplification {
  int drawn_extent = kUsualExtent;    // extents are drawn from 1 to this
  int largest_extent = drawn_extent;  // and those above this become this
  bool plain_values = false;          // sums of the elements that are read, instead of drawn expressions

  friend bool operator==(const Simplification&, const Simplification&) = default;
};

struct Definition {
  std::vector<Func> functions;  // consumers before producers; the first is an output
  std::vector<Input> inputs;
  std::map<std::string, Buffer> data;             // of the inputs, row-major
  ParamValues params;                             // the output's extents included if it has no bound
  std::vector<Func> outputs;                      // the first of `functions`, and perhaps others
  std::vector<std::vector<std::int64_t>> shapes;  // of the outputs
  std::map<std::string, std::vector<int>>
      extents;  // of a Func computed as a whole; 0 where they are not constant
  std::map<std::string, std::vector<int>>
      enclosing;                   // extents from 0 that hold the elements that are read of a Func, if such
                                   // exist
  std::vector<double> tolerances;  // absolute, of each buffer of the outputs; 0 for integers
  bool ill_formed = false;         // knowingly reads outside an Input
  std::set<std::string> features;  // for the coverage table

  bool is_output(const Func& f) const;
  std::vector<ir::FunctionPtr> definitions() const;  // of the outputs
};

/// Names start with `prefix`, so that the kernels of many cases fit into one program.
Definition draw_definition(Random& random, const std::string& prefix, const Simplification& simplification);

}  // namespace tensordsl::fuzz
