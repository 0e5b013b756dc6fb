#include "lower/passes/check_input_reads.h"

#include <fmt/format.h>

#include "ir/simplify.h"
#include "lower/passes/infer_bounds.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

void check_input_reads(const RootNest& nest, const std::vector<FunctionPtr>& functions) {
  for (const FunctionPtr& f : functions) {
    if (!f->is_input()) continue;
    const auto box = required_box(nest.body, f->name);
    if (!box) continue;
    for (std::size_t d = 0; d < box->size(); ++d) {
      const Expr end = simplify((*box)[d].min + (*box)[d].extent);
      if (!can_prove((*box)[d].min < Expr(0)) && !can_prove(f->shape[d] < end)) continue;
      throw DefinitionError(fmt::format(
          "{} reads {} at [{}, {}) of dimension {} ({}), but its extent is {}; use a BoundaryCondition, clamp the index, "
          "or bound the Func",
          nest.function, f->name, tensordsl::to_string((*box)[d].min), tensordsl::to_string(end), d, f->dims[d],
          tensordsl::to_string(f->shape[d])));
    }
  }
}

}  // namespace tensordsl::lower
