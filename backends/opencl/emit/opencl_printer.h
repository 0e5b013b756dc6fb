// The OpenCL C 1.2 dialect of the C printer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "backends/opencl/emit/assigned_registers.h"
#include "backends/opencl/emit/dot_functions.h"
#include "backends/opencl/emit/half_conversions.h"
#include "backends/opencl/emit/index_bounds.h"
#include "backends/opencl/emit/streamed_reads.h"
#include "codegen/c_printer.h"
#include "lower/lowered.h"

namespace tensordsl::opencl {

class OpenCLPrinter : public codegen::CPrinter {
 public:
  /// Prints `kernel`, with its options `autobroadcast` and `half_arithmetic`. `has_dp4a`: the device has dot
  /// products of four bytes.
  OpenCLPrinter(codegen::CNames& names, const lower::LoweredKernel& kernel, bool has_dp4a);

  /// Returns the text that must precede the kernel: the sampler, floor division of a type.
  std::vector<std::string> helpers();
  /// Returns the declarations of local arrays, which OpenCL requires at the top of the kernel.
  std::string local_declarations() const;
  /// True if values of f64 were printed: an argument, a constant, or the operand or result of a cast.
  bool has_double() const { return has_double_; }
  /// Returns the alignment in bytes on which the printed accesses of a buffer rely.
  int alignment_of(const std::string& buffer) const;

 protected:
  std::string type_name(Type type) const override;
  Printed print_arithmetic(const ir::ExprNode& e) override;
  Printed print_load(const ir::ExprNode& load) override;
  std::string print_store(const ir::StmtNode& store) override;
  std::string declare(const ir::StmtNode& allocation) override;
  std::string declare_value(const ir::StmtNode& let) override;
  /// Returns a sum with the offset of the launch, which is 0; compilers do not know it, and they obey no hint
  /// against unrolling.
  std::string kept_end() const override { return " + (int)get_global_offset(0)"; }
  std::vector<std::string> first_lines(const ir::StmtNode& loop) override;
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
  /// Finds the names that are pairs of f16 as in memory, in kernels that multiply matrices.
  void find_pairs(const ir::Stmt& kernel);
  std::string bits_of_pair(const Expr& load);
  Printed print_product(const ir::ExprNode& call);
  /// True for a copy of f16 from memory to memory, which needs no conversion to float between.
  bool is_copied(const ir::StmtNode& store, Type stored) const;
  std::string copy_halves(const ir::StmtNode& store);
  /// True if a value of this type is a `half` in a register too.
  bool is_kept_half(Type value) const;
  /// True if a value of this type is f32 in a register and converted where it is loaded and stored.
  bool is_converted_half(Type stored) const;
  bool is_half_in_memory(const std::string& name) const;
  Printed print_float_cast(const ir::ExprNode& cast);
  Printed print_reinterpret(const ir::ExprNode& e);
  std::string mask_type(Type type) const;
  Type memory_type_of(const std::string& name, Type value) const;
  std::string pointer(const std::string& buffer, const Expr& index);
  /// Returns the first index of a ramp of stride 1.
  static const Expr& first_index(const Expr& index);
  /// Returns the number of lanes of a vector access that are read or written at once: all, parts of at least
  /// 16 bytes, or 1.
  static int lanes_at_once(Type stored, int lanes, std::int64_t alignment);
  /// Prints `lanes` elements at `index` as one object in memory.
  std::string whole_vector(const std::string& buffer, Type stored, int lanes, const Expr& index);
  /// Returns the alignment in bytes on which the accesses of an array of `element` in `stmt` rely.
  static int accessed_alignment(const ir::Stmt& stmt, const std::string& array, Type element);
  std::string load_vector(const ir::ExprNode& load, Type stored);
  std::string store_vector(const ir::StmtNode& store, Type stored);

  std::string coordinate(const std::vector<Expr>& texel);
  Printed read_texel(const ir::ExprNode& load, const lower::ImageShape& image);
  std::string write_texel(const ir::StmtNode& store);

  std::map<std::string, Type> memory_types_;
  std::map<std::string, std::string> spaces_;  // "__global const" of a buffer or an array
  std::map<std::string, int> alignments_;      // alignments in bytes of buffers that are accessed in whole
                                               // vectors
  lower::Images images_;
  bool autobroadcast_ = false;
  bool half_arithmetic_ = false;
  bool has_sampler_ = false;
  bool has_double_ = false;
  bool multiplies_ = false;       // matrices
  std::set<std::string> copied_;  // registers of halves in their form in memory
  std::set<std::string> pairs_;   // Lets
  std::set<std::string> registers_;
  std::unordered_set<const ir::StmtNode*> assigned_;  // registers that need no initial value
  struct LocalTile {
    std::int64_t elements = 0;
    int alignment = 1;
    std::string declaration;
  };
  std::map<std::string, LocalTile> local_;  // tiles by identifier
  std::set<std::string> division_types_;
  std::map<const ir::StmtNode*, std::vector<StreamedLine>> streams_;  // of loops
  IndexBounds index_bounds_;
  HalfConversions halves_;
  DotFunctions dots_;
};

}  // namespace tensordsl::opencl
