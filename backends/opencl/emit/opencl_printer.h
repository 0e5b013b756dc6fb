// The OpenCL C 1.2 dialect of the C printer.
#pragma once

#include <map>
#include <set>
#include <string>

#include "backends/opencl/emit/half_conversions.h"
#include "codegen/c_printer.h"
#include "lower/lowered.h"

namespace tensordsl::opencl {

class OpenCLPrinter : public codegen::CPrinter {
 public:
  /// `memory_types` has the element type of every buffer and image argument, `images` the images. Of the
  /// kernel it takes the ways to print: `autobroadcast`, `half_arithmetic`, `reduce_strength`.
  OpenCLPrinter(codegen::CNames& names, ir::Bounds bounds, std::map<std::string, Type> memory_types,
                lower::Images images, const lower::LoweredKernel& kernel)
      : CPrinter(names, std::move(bounds)),
        memory_types_(std::move(memory_types)),
        images_(std::move(images)),
        autobroadcast_(kernel.autobroadcast),
        half_arithmetic_(kernel.half_arithmetic),
        reduce_strength_(kernel.reduce_strength) {}

  /// What the text needs before the kernel: the sampler, floor division of a type.
  std::string helpers();
  /// Local arrays, which OpenCL wants at the top of the kernel.
  std::string local_declarations() const;

 protected:
  std::string type_name(Type type) const override;
  Printed print_arithmetic(const ir::ExprNode& e) override;
  Printed print_load(const ir::ExprNode& load) override;
  std::string print_store(const ir::StmtNode& store) override;
  std::string declare(const ir::StmtNode& allocation) override;
  std::string print_barrier(const ir::StmtNode& barrier) override;
  Printed print_intrinsic(const ir::ExprNode& call) override;
  Printed print_cast(const ir::ExprNode& cast) override;
  Printed print_division(const ir::ExprNode& division) override;
  Printed print_vector(const ir::ExprNode& e) override;
  Printed print_select(const ir::ExprNode& e) override;
  Printed print_logic(const ir::ExprNode& e) override;
  Printed print_constant(const ir::ExprNode& e) override;
  Printed print_minimum(const ir::ExprNode& e) override;

 private:
  bool is_register(const std::string& name) const { return registers_.contains(name); }
  /// Whether it is a `half` in a register too.
  bool is_kept_half(Type value) const;
  /// Whether it is held as f32 in a register and converted where it is loaded and stored.
  bool is_converted_half(Type stored) const;
  Printed print_float_cast(const ir::ExprNode& cast);
  std::string mask_type(Type type) const;
  Type memory_type_of(const std::string& name, Type value) const;
  std::string pointer(const std::string& buffer, const Expr& index);

  std::string coordinate(const std::vector<Expr>& texel);
  Printed read_texel(const ir::ExprNode& load, const lower::ImageShape& image);
  std::string write_texel(const ir::StmtNode& store);

  std::map<std::string, Type> memory_types_;
  lower::Images images_;
  bool autobroadcast_ = false;
  bool half_arithmetic_ = false;
  bool reduce_strength_ = true;
  bool has_sampler_ = false;
  std::set<std::string> registers_;
  std::map<std::string, std::string> local_;  // identifier -> declaration
  std::set<std::string> division_types_;
  HalfConversions halves_;
};

}  // namespace tensordsl::opencl
