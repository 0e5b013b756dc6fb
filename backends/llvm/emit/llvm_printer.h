// Statements and expressions as instructions of LLVM's assembly language, in SSA form but for loops'
// registers and arrays, which LLVM makes values of.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lower/lowered.h"

namespace tensordsl::llvm_ir {

/// An image as the kernel has it: its texels, and how many there are of each coordinate.
struct ImageOperands {
  std::string texels, width, height, layers;
};

class LlvmPrinter {
 public:
  /// Prints a kernel whose groups have one work-item. With `half_arithmetic` values of f16 are held as such,
  /// not as f32.
  explicit LlvmPrinter(bool half_arithmetic) : half_arithmetic_(half_arithmetic) {}

  /// Sets the operand, "%n", that a free variable or a buffer of the kernel is in the text.
  void define_value(const std::string& name, const std::string& operand) { values_[name] = operand; }
  void define_buffer(const std::string& name, Type element, const std::string& pointer) {
    memories_[name] = {pointer, element};
  }
  void define_image(const lower::BufferArgument& argument, const ImageOperands& operands) {
    images_[argument.name] = {&argument, operands};
  }

  void print(const ir::Stmt& stmt);

  /// Returns the instructions, with the label of every block but the first. The last block is open.
  const std::string& text() const { return text_; }
  /// Returns the allocations of registers and arrays, for the first block of the function.
  const std::string& allocations() const { return allocations_; }
  std::int64_t allocated_bytes() const { return allocated_bytes_; }
  /// Lines that declare LLVM's intrinsics, and functions of mathematics (math_function.h).
  const std::set<std::string>& declarations() const { return declarations_; }
  /// Definitions of this kernel's own small functions, by their names.
  const std::map<std::string, std::string>& functions() const { return functions_; }

 private:
  struct Memory {
    std::string pointer;
    Type element;
    bool is_register = false;
  };
  struct Image {
    const lower::BufferArgument* argument = nullptr;
    ImageOperands operands;
  };
  /// An operand of an instruction, without its type.
  using Operand = std::string;

  Operand value(const Expr& e);
  Operand computed(const ir::ExprNode& e);
  Operand binary(const ir::ExprNode& e, std::string_view instruction);
  Operand arithmetic(const ir::ExprNode& e);
  Operand division(const ir::ExprNode& e);
  Operand truncating_division(const ir::ExprNode& e, bool is_division);
  Operand extremum(const ir::ExprNode& e);
  Operand comparison(const ir::ExprNode& e);
  Operand logic(const ir::ExprNode& e);
  Operand select(const ir::ExprNode& e);
  Operand cast(const ir::ExprNode& e);
  Operand float_cast(const ir::ExprNode& e);
  Operand reinterpretation(const ir::ExprNode& e);
  Operand ramp(const ir::ExprNode& e);
  Operand slice(const ir::ExprNode& e);
  Operand concat(const ir::ExprNode& e);
  Operand load(const ir::ExprNode& e);
  Operand read_texel(const ir::ExprNode& e);
  Operand intrinsic(const ir::ExprNode& e);
  Operand dot_product(const ir::ExprNode& e);
  Operand math(const ir::ExprNode& e);

  void print_store(const ir::StmtNode& store);
  void write_texel(const ir::StmtNode& store);
  void print_loop(const ir::StmtNode& loop);
  void print_if(const ir::StmtNode& stmt);
  void print_allocation(const ir::StmtNode& allocation);

  /// Converts a value to its form in memory, and back.
  Operand stored(const Operand& value, Type type, Type element);
  Operand loaded(const Operand& bits, Type type, Type element);
  /// Returns the value after a fence that LLVM's optimizer does not see through. Without it LLVM would do
  /// comparisons of former halves in halves, lane by lane on processors without them, and LLVM 15 crashes on
  /// their maximum.
  Operand fenced(const Operand& operand, const std::string& type, const std::string& suffix);
  Operand broadcast(const Operand& scalar, Type type);
  /// Prints a branch, with `on_true` and `on_false` in blocks of their own.
  Operand choose(const Operand& condition, const Expr& on_true, const Expr& on_false);
  Operand element_pointer(const Memory& memory, const Expr& index);
  /// Prints a call of one of LLVM's intrinsics whose operands have the type of its result.
  Operand call_intrinsic(std::string_view name, Type type, const std::vector<Operand>& operands,
                         std::string_view last = "");
  Operand call(const std::string& function, Type type, const std::vector<Operand>& operands,
               std::string_view last = "");
  /// Offset of a texel in the image, in elements, and the condition that it is inside.
  struct Texel {
    Operand first, is_inside;
  };
  Texel find_texel(const Image& image, const std::vector<Expr>& coordinates);

  std::string type_of(Type type) const;
  std::string suffix_of(Type type) const;
  std::string splat_of(Type type, const std::string& value) const;
  Operand emit(const std::string& instruction);
  void line(const std::string& instruction);
  std::string new_label(std::string_view what);
  void begin_block(const std::string& label);

  const bool half_arithmetic_;
  std::map<std::string, Memory> memories_;  // buffers and allocations
  std::map<std::string, Image> images_;
  std::map<std::string, Operand> values_;
  struct Known {
    Expr expr;  // kept, as another one could take its address
    Operand operand;
  };
  std::unordered_map<const ir::ExprNode*, Known> known_;  // values of the current statement
  std::string text_, allocations_, block_ = "entry";
  std::int64_t allocated_bytes_ = 0;
  int count_ = 0;
  std::set<std::string> declarations_;
  std::map<std::string, std::string> functions_;
};

}  // namespace tensordsl::llvm_ir
