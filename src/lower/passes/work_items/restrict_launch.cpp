#include "lower/passes/work_items/restrict_launch.h"

#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

KernelBody restrict_launch(const KernelBody& kernel, const RootNest& nest) {
  Expr condition = nest.condition;
  if (nest.otherwise.defined())
    condition = condition.defined() ? condition && !nest.otherwise : !nest.otherwise;
  if (nest.needed.defined()) condition = condition.defined() ? condition && nest.needed : nest.needed;
  if (!condition.defined()) return kernel;
  KernelBody result = kernel;
  result.groups[0] = ir::simplify(select(condition, kernel.groups[0], 0));
  return result;
}

}  // namespace tensordsl::lower
