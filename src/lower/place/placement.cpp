#include "lower/place/placement.h"

#include <fmt/format.h>

#include "ir/nodes/name_filter.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/own_reads.h"
#include "lower/place/build_loop_nest.h"
#include "lower/place/infer_bounds.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr rebased_expr(const Expr& expr, const std::string& tensor, const Box& box) {
  if (!expr->names.may_share(NameFilter(tensor))) return expr;
  return rewrite(expr, [&](const Expr& e) {
    if (e->kind != ExprKind::Load || e->name != tensor) return e;
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < box.size(); ++d) indices.push_back(simplify(box[d].position(e->operands[d])));
    return make_load(e->type.element(), tensor, std::move(indices), 1, e->component);
  });
}

bool contains_box(const Box& outer, const Box& inner) {
  for (std::size_t d = 0; d < outer.size(); ++d) {
    if (!can_prove(outer[d].min <= inner[d].min)) return false;
    if (!can_prove(inner[d].min + inner[d].extent <= outer[d].min + outer[d].extent)) return false;
  }
  return true;
}

}  // namespace

Stmt rebase(const Stmt& stmt, const std::string& tensor, const Box& box) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  const Stmt s = map_children(
      stmt, [&](const Expr& e) { return rebased_expr(e, tensor, box); },
      [&](const Stmt& child) { return rebase(child, tensor, box); });
  if (s->kind != StmtKind::Store || s->name != tensor) return s;
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < box.size(); ++d) indices.push_back(simplify(box[d].position(s->index(d))));
  return make_store(tensor, s->value(), std::move(indices), 1, s->component);
}

Box with_own_reads(const Producer& p, const Box& box) {
  constexpr int kMaxRounds = 8;
  Box grown = box;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Box before = grown;
    for (int stage = 1; stage < static_cast<int>(p.definitions.size()); ++stage) {
      const Definition& definition = p.definitions[static_cast<std::size_t>(stage)];
      if (reads_own_element_only(definition, p.function->name)) continue;
      const auto read = own_reads(p, stage, before);
      if (read && !contains_box(grown, *read)) grown = hull(grown, *read);
    }
    if (contains_box(before, grown)) return grown;
  }
  throw DefinitionError(fmt::format(
      "the updates of {0} need an unbounded range of {0}; read {0} at its pure variables", p.function->name));
}

Memory memory_of(std::optional<MemoryScope> scope) {
  if (!scope) return Memory::Auto;
  return *scope == Local ? Memory::Local : *scope == SubGroup ? Memory::SubGroup : Memory::Private;
}

Stmt allocated(const Producer& p, Memory memory, const std::vector<Expr>& extents, Stmt body) {
  for (const int component : p.function->components()) {
    body = make_allocate(buffer_name(p.function->name, component), p.function->type(component), extents,
                         memory, body);
  }
  return body;
}

}  // namespace tensordsl::lower
