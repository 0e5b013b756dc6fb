#include "runtime/check_requirements.h"

#include <fmt/format.h>

#include "base/index_limit.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl {

namespace {

void check_factors(const Program& program, const ParamValues& values) {
  for (const FactorRequirement& f : program.factors) {
    if (evaluate(f.when, values) == 0) continue;
    const std::int64_t value = evaluate(f.param, values);
    if (value >= f.least) continue;
    throw ShapeError(fmt::format(
        "realize: an index that {} has for {} is a {} the Param \"{}\", which is {}; pass {} or more",
        f.reader, f.tensor, f.least == 0 ? "multiple of" : "remainder by", f.param, value, f.least));
  }
}

}  // namespace

void check_requirements(const Program& program, const ParamValues& values) {
  check_factors(program, values);
  for (const ReadRequirement& r : program.requirements) {
    if (evaluate(r.when, values) == 0) continue;
    const std::int64_t begin = evaluate(r.begin, values), end = evaluate(r.end, values);
    const std::int64_t extent = evaluate(r.extent, values);
    if (end <= begin || (begin >= 0 && end <= extent)) continue;
    const std::string_view remedy =
        r.is_input ? "pass a larger one, compute less, clamp the index, or use a BoundaryCondition"
                   : "enlarge its bound() or the shape that was asked of it, or leave them out";
    throw ShapeError(
        fmt::format("realize: {} reads {} at [{}, {}) of dimension {} ({}), but its extent is {}; {}",
                    r.reader, r.tensor, begin, end, r.dimension, r.axis, extent, remedy));
  }
}

void require_extent(const std::string& tensor, int dimension, std::int64_t extent) {
  if (extent >= 0 && extent <= kMaxElements) return;
  throw ShapeError(fmt::format("realize: the extent of {} in dimension {} is {}; from 0 to {} are possible",
                               tensor, dimension, extent, kMaxElements));
}

}  // namespace tensordsl
