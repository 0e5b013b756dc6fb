// Loads and stores of buffers, arrays, registers and images.
#include <fmt/format.h>

#include "backends/llvm/emit/llvm_functions.h"
#include "backends/llvm/emit/llvm_printer.h"
#include "backends/llvm/emit/llvm_types.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::llvm_ir {

using namespace ir;

LlvmPrinter::Operand LlvmPrinter::stored(const Operand& value, Type type, Type element) {
  const Type in_memory = element.with_lanes(type.lanes);
  if (type.is_bool())
    return emit(fmt::format("zext {} {} to {}", type_of(type), value, memory_type(in_memory)));
  if (is_half(element) && !half_arithmetic_)
    return emit(fmt::format("fptrunc {} {} to {}", type_of(type), value, memory_type(in_memory)));
  return value;
}

LlvmPrinter::Operand LlvmPrinter::fenced(const Operand& operand, const std::string& type,
                                         const std::string& suffix) {
  const std::string name = "llvm.arithmetic.fence." + suffix;
  declarations_.insert(fmt::format("declare {} @{}({})", type, name, type));
  return emit(fmt::format("call {} @{}({} {})", type, name, type, operand));
}

LlvmPrinter::Operand LlvmPrinter::loaded(const Operand& bits, Type type, Type element) {
  const Type in_memory = element.with_lanes(type.lanes);
  if (type.is_bool())
    return emit(fmt::format("icmp ne {} {}, zeroinitializer", memory_type(in_memory), bits));
  if (is_half(element) && !half_arithmetic_)
    return fenced(emit(fmt::format("fpext {} {} to {}", memory_type(in_memory), bits, type_of(type))),
                  type_of(type), suffix_of(Float(32, type.lanes)));
  return bits;
}

LlvmPrinter::Operand LlvmPrinter::element_pointer(const Memory& memory, const Expr& index) {
  Expr first = index;
  if (index.type().lanes > 1) {
    if (index->kind != ExprKind::Ramp || !is_const((*index)[1], 1))
      throw InternalError(fmt::format("LLVM: vector access at {} is not consecutive", ir::print(index)));
    first = (*index)[0];
  }
  if (is_const(first, 0)) return memory.pointer;
  return emit(fmt::format("getelementptr inbounds {}, ptr {}, {} {}", memory_type(memory.element.element()),
                          memory.pointer, type_of(first.type()), value(first)));
}

LlvmPrinter::Operand LlvmPrinter::load(const ExprNode& e) {
  if (images_.contains(e.name)) return read_texel(e);
  const Memory& memory = memories_.at(e.name);
  if (memory.is_register) return emit(fmt::format("load {}, ptr {}", type_of(e.type), memory.pointer));
  const Type element = memory.element.element();
  const Operand pointer = element_pointer(memory, e[0]);
  return loaded(emit(fmt::format("load {}, ptr {}, align {}", memory_type(element.with_lanes(e.type.lanes)),
                                 pointer, element.bytes())),
                e.type, element);
}

void LlvmPrinter::print_store(const StmtNode& store) {
  if (images_.contains(store.name)) return write_texel(store);
  const Memory& memory = memories_.at(store.name);
  const Type type = store.value().type();
  const Operand operand = value(store.value());
  if (memory.is_register)
    return line(fmt::format("store {} {}, ptr {}", type_of(type), operand, memory.pointer));
  const Type element = memory.element.element();
  const Operand pointer = element_pointer(memory, store.index());
  const Operand bits = stored(operand, type, element);
  line(fmt::format("store {} {}, ptr {}, align {}", memory_type(element.with_lanes(type.lanes)), bits,
                   pointer, element.bytes()));
}

LlvmPrinter::Texel LlvmPrinter::find_texel(const Image& image, const std::vector<Expr>& coordinates) {
  const Operand* extents[] = {&image.operands.layers, &image.operands.height, &image.operands.width};
  Texel texel{.first = "0", .is_inside = "true"};
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Operand at = value(coordinates[i]);
    const Operand& extent = *extents[3 - coordinates.size() + i];
    const Operand is_inside = emit(fmt::format("icmp ult i32 {}, {}", at, extent));
    texel.is_inside = emit(fmt::format("and i1 {}, {}", texel.is_inside, is_inside));
    const Operand row =
        emit(fmt::format("mul i64 {}, {}", texel.first, emit(fmt::format("zext i32 {} to i64", extent))));
    texel.first = emit(fmt::format("add i64 {}, {}", row, emit(fmt::format("zext i32 {} to i64", at))));
  }
  if (image.argument->image->channels != 1)
    texel.first = emit(fmt::format("mul i64 {}, {}", texel.first, image.argument->image->channels));
  return texel;
}

LlvmPrinter::Operand LlvmPrinter::read_texel(const ExprNode& e) {
  const Image& image = images_.at(e.name);
  const Type element = image.argument->type;
  const Texel texel = find_texel(image, e.operands);
  const std::string outside = block_, inside = new_label("inside"), behind = new_label("behind");
  line(fmt::format("br i1 {}, label %{}, label %{}", texel.is_inside, inside, behind));
  begin_block(inside);
  const std::string type = memory_type(element.with_lanes(e.type.lanes));
  const Operand pointer = emit(fmt::format("getelementptr inbounds {}, ptr {}, i64 {}", memory_type(element),
                                           image.operands.texels, texel.first));
  const Operand read = emit(fmt::format("load {}, ptr {}, align {}", type, pointer, element.bytes()));
  line("br label %" + behind);
  begin_block(behind);
  const Operand bits =
      emit(fmt::format("phi {} [ {}, %{} ], [ zeroinitializer, %{} ]", type, read, inside, outside));
  return loaded(bits, e.type, element);
}

void LlvmPrinter::write_texel(const StmtNode& store) {
  const Image& image = images_.at(store.name);
  const Type element = image.argument->type, type = store.value().type();
  const Operand bits = stored(value(store.value()), type, element);
  const Texel texel = find_texel(image, store.indices());
  const std::string inside = new_label("inside"), behind = new_label("behind");
  line(fmt::format("br i1 {}, label %{}, label %{}", texel.is_inside, inside, behind));
  begin_block(inside);
  const Operand pointer = emit(fmt::format("getelementptr inbounds {}, ptr {}, i64 {}", memory_type(element),
                                           image.operands.texels, texel.first));
  line(fmt::format("store {} {}, ptr {}, align {}", memory_type(element.with_lanes(type.lanes)), bits,
                   pointer, element.bytes()));
  line("br label %" + behind);
  begin_block(behind);
}

}  // namespace tensordsl::llvm_ir
