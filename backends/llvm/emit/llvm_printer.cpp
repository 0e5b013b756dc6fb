#include "backends/llvm/emit/llvm_printer.h"

#include <fmt/format.h>

#include "backends/llvm/emit/llvm_functions.h"
#include "backends/llvm/emit/llvm_types.h"
#include "tensordsl/error.h"

namespace tensordsl::llvm_ir {

using namespace ir;

std::string LlvmPrinter::type_of(Type type) const { return value_type(type, half_arithmetic_); }
std::string LlvmPrinter::suffix_of(Type type) const { return suffix(type, half_arithmetic_); }
std::string LlvmPrinter::splat_of(Type type, const std::string& value) const {
  return splat(type, value, half_arithmetic_);
}

void LlvmPrinter::line(const std::string& instruction) {
  text_ += "  ";
  text_ += instruction;
  text_ += '\n';
}

LlvmPrinter::Operand LlvmPrinter::emit(const std::string& instruction) {
  Operand result = fmt::format("%t{}", count_++);
  line(fmt::format("{} = {}", result, instruction));
  return result;
}

std::string LlvmPrinter::new_label(std::string_view what) { return fmt::format("{}{}", what, count_++); }

void LlvmPrinter::begin_block(const std::string& label) {
  text_ += label + ":\n";
  block_ = label;
}

void LlvmPrinter::print(const Stmt& stmt) {
  known_.clear();
  switch (stmt->kind) {
    case StmtKind::Block:
      for (const Stmt& s : stmt->body) print(s);
      return;
    case StmtKind::For:
      return print_loop(*stmt);
    case StmtKind::If:
      return print_if(*stmt);
    case StmtKind::Let:
      values_[stmt->name] = value(stmt->value());
      return print(stmt->body[0]);
    case StmtKind::Store:
      return print_store(*stmt);
    case StmtKind::Allocate:
      return print_allocation(*stmt);
    case StmtKind::Barrier:
      break;
  }
  throw InternalError("LLVM: a barrier remains in the loops of a work-group");
}

void LlvmPrinter::print_loop(const StmtNode& loop) {
  const Operand first = value(loop.min());
  const Operand end = emit(fmt::format("add nsw i32 {}, {}", first, value(loop.extent())));
  const std::string before = block_, test = new_label("test"), body = new_label("body"),
                    next = new_label("next"), behind = new_label("behind");
  line("br label %" + test);
  begin_block(test);
  const Operand step = fmt::format("%t{}", count_++), following = fmt::format("%t{}", count_++);
  line(fmt::format("{} = phi i32 [ {}, %{} ], [ {}, %{} ]", step, first, before, following, next));
  const Operand goes_on = emit(fmt::format("icmp slt i32 {}, {}", step, end));
  line(fmt::format("br i1 {}, label %{}, label %{}", goes_on, body, behind));
  begin_block(body);
  values_[loop.name] = step;
  print(loop.body[0]);
  line("br label %" + next);
  begin_block(next);
  line(fmt::format("{} = add nsw i32 {}, 1", following, step));
  line("br label %" + test);
  begin_block(behind);
}

void LlvmPrinter::print_if(const StmtNode& stmt) {
  const Operand condition = value(stmt.condition());
  const bool has_other = stmt.body.size() > 1;
  const std::string then = new_label("then"), behind = new_label("behind"),
                    other = has_other ? new_label("else") : behind;
  line(fmt::format("br i1 {}, label %{}, label %{}", condition, then, other));
  begin_block(then);
  print(stmt.body[0]);
  line("br label %" + behind);
  if (has_other) {
    begin_block(other);
    print(stmt.body[1]);
    line("br label %" + behind);
  }
  begin_block(behind);
}

void LlvmPrinter::print_allocation(const StmtNode& allocation) {
  constexpr int kAlignment = 64;  // size of a vector of sixteen floats
  const Operand pointer = fmt::format("%t{}", count_++);
  Memory memory{.pointer = pointer, .element = allocation.type};
  if (allocation.memory == ir::Memory::Register) {
    memory.is_register = true;
    allocations_ += fmt::format("  {} = alloca {}\n", pointer, type_of(allocation.type));
  } else {
    // Memory of a single work-item may stay f32.
    const bool stays_float = allocation.type.is_float() && allocation.type.bits == 16 && !half_arithmetic_;
    memory.element = stays_float ? Float(32) : allocation.type.element();
    const std::int64_t* elements = as_int(allocation.extents()[0]);
    if (elements == nullptr) throw InternalError("LLVM: an array has no constant size");
    allocations_ += fmt::format("  {} = alloca [{} x {}], align {}\n", pointer, *elements,
                                memory_type(memory.element), kAlignment);
    allocated_bytes_ += *elements * memory.element.bytes();
  }
  memories_[allocation.name] = memory;
  print(allocation.body[0]);
}

}  // namespace tensordsl::llvm_ir
