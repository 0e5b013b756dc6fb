#include "graph/report/find_divisions.h"

#include <algorithm>
#include <map>

#include "ir/text/print.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

bool is_division(const Expr& e) {
  if (!e.type().is_integer()) return false;
  if (e->kind == ExprKind::Div || e->kind == ExprKind::Mod) return true;
  return e->kind == ExprKind::Intrinsic && (e->name == "truncating_div" || e->name == "truncating_mod");
}

class DivisionFinder {
 public:
  void look_into(const Stmt& stmt, int depth) {
    for (const Expr& expr : stmt->exprs) {
      visit(expr, [&](const Expr& e) {
        if (is_division(e)) {
          Inspection::Division& division = found_[print(e)];
          ++division.count;
          division.loop_depth = std::max(division.loop_depth, depth);
        }
        return true;
      });
    }
    const int inner = stmt->kind == StmtKind::For ? depth + 1 : depth;
    for (const Stmt& body : stmt->body) look_into(body, inner);
  }

  std::vector<Inspection::Division> take() {
    std::vector<Inspection::Division> all;
    for (auto& [text, division] : found_) {
      division.text = text;
      all.push_back(division);
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &Inspection::Division::loop_depth);
    return all;
  }

 private:
  std::map<std::string, Inspection::Division> found_;
};

}  // namespace

std::vector<Inspection::Division> find_divisions(const std::vector<lower::LoweredKernel>& kernels) {
  DivisionFinder finder;
  for (const lower::LoweredKernel& kernel : kernels) finder.look_into(kernel.body, 0);
  return finder.take();
}

}  // namespace tensordsl::graph
