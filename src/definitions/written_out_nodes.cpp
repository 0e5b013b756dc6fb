#include "definitions/written_out_nodes.h"

#include <algorithm>
#include <map>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "schedule/func_schedule.h"

namespace tensordsl::definitions {

std::vector<std::int64_t> written_out_nodes(const std::vector<Func>& funcs,
                                            const std::function<bool(const Func&)>& is_inlined,
                                            std::int64_t most) {
  std::vector<std::int64_t> result;
  std::map<const ir::Function*, std::int64_t> inlined;
  for (const Func& func : funcs) {
    std::int64_t nodes = 0;
    for (const ir::Definition& definition : func.contents().definitions) {
      // Counts only the values of a pure definition: its left side is just the names of variables.
      const bool is_pure = &definition == &func.contents().definitions.front();
      for (const Expr& expr : is_pure ? definition.values : definition.expressions()) {
        ir::visit(expr, [&](const Expr& e) {
          const auto read = e->kind == ir::ExprKind::Call ? inlined.find(e->function.get()) : inlined.end();
          nodes = std::min(nodes + 1 + (read == inlined.end() ? 0 : read->second), most);
          return nodes < most;
        });
      }
    }
    if (is_inlined(func)) inlined.emplace(&func.contents(), nodes);
    result.push_back(nodes);
  }
  return result;
}

}  // namespace tensordsl::definitions
