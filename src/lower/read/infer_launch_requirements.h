// out[x] = in[x + 1], x in [0, n), in: [m]   ->   out reads in at [1, n + 1) of m, where 1 <= n
// Needs: placed Producers.  Gives: every read of an Input, or of a Func with bound(), that is not proven to
// be inside it, and the sign that the boxes of other Funcs take Params in indices to have, as conditions on
// what is known when kernels are launched; nothing is added to the kernels. A kernel with such a read that
// only serves other kernels runs only where one of them needs it: where out has no elements, nothing is
// computed for it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lower/place/infer_bounds.h"
#include "lower/stages.h"

namespace tensordsl::lower {

struct LaunchRequirements {
  std::vector<ReadRequirement> reads;
  std::vector<FactorRequirement> factors;  // f[x*n]: n is not negative; f[x % n]: n is positive
  std::map<std::string, Expr> needed;      // condition under which a Func is read, for those that are not
                                           // always needed
  /// For each nest, the reads of its schedule that are not proven to be inside without the conditions.
  std::vector<std::vector<ReadRegion>> in_doubt;
  /// The reads of the definitions where they are needed: inside by a proof or by the conditions.
  std::vector<ReadRegion> inside;
  /// The box of every Func that the definitions need.
  std::map<std::string, Box> boxes;
};

LaunchRequirements infer_launch_requirements(const PlacedFunctions& placed,
                                             const std::vector<Producer>& producers,
                                             const std::vector<ir::FunctionPtr>& functions);

/// Sets RootNest::needed of each nest: the condition under which one of its Funcs is needed.
void skip_unneeded_nests(std::vector<RootNest>& nests, const LaunchRequirements& requirements);

}  // namespace tensordsl::lower
