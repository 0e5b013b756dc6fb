#include "backends/opencl/emit/copied_registers.h"

#include <cmath>

namespace tensordsl::opencl {

using namespace ir;

namespace {

bool has_half_elements(Type type) { return type.element() == Float(16); }

/// Memories that have halves, and registers that could hold them.
struct Halves {
  std::set<std::string> memory, registers;
};

Halves halves_of(const Stmt& kernel, const std::set<std::string>& buffers) {
  Halves halves{buffers, {}};
  visit(kernel, [&](const Stmt& s) {
    if (s->kind != StmtKind::Allocate || !has_half_elements(s->type)) return true;
    if (s->memory == Memory::Local) halves.memory.insert(s->name);
    if (s->memory == Memory::Register && s->type.lanes > 1) halves.registers.insert(s->name);
    return true;
  });
  return halves;
}

}  // namespace

bool is_zero(const Expr& e) {
  if (e->kind == ExprKind::Broadcast || e->kind == ExprKind::Cast) return is_zero(Expr((*e)[0]));
  return e->kind == ExprKind::FloatImm && e->number == 0 && !std::signbit(e->number);
}

Expr without_border(const Expr& e) {
  const bool has_border = e->kind == ExprKind::Select && (*e)[0].type().lanes == 1 && is_zero((*e)[2]);
  return has_border ? Expr((*e)[1]) : e;
}

std::set<std::string> copied_registers(const Stmt& kernel, const std::set<std::string>& half_buffers) {
  Halves halves = halves_of(kernel, half_buffers);
  const auto give_up_reads = [&](const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load) halves.registers.erase(e->name);
      return true;
    });
  };
  visit(kernel, [&](const Stmt& s) {
    if (s->kind != StmtKind::Store) {
      for (const Expr& e : s->exprs) give_up_reads(e);
      return true;
    }
    const Expr value = without_border(s->value());
    const bool is_load = value->kind == ExprKind::Load;
    const bool is_from_memory = is_load && halves.memory.contains(value->name);
    const bool is_from_register =
        is_load && value.get() == s->value().get() && halves.registers.contains(value->name);
    if (!is_from_memory) halves.registers.erase(s->name);
    if (!is_from_register || !halves.memory.contains(s->name)) give_up_reads(s->value());
    for (const Expr& index : s->indices()) give_up_reads(index);
    return true;
  });
  return halves.registers;
}

}  // namespace tensordsl::opencl
