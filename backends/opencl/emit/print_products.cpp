// Products of matrices, whose factors are pairs of f16 in their form in memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/opencl/emit/opencl_printer.h"
#include "backends/opencl/emit/opencl_types.h"
#include "backends/opencl/emit/product_function.h"
#include "ir/nodes/sub_groups.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {

using namespace ir;
using codegen::CPrinter;
using codegen::Precedence;

namespace {

bool is_product(const ExprNode& e) {
  if (e.kind != ExprKind::Intrinsic) return false;
  const SubGroupOperation* operation = find_sub_group_operation(e.name);
  return operation && operation->kind == SubGroupOperationKind::Multiply;
}

}  // namespace

std::string product_function() {
  return R"(float4 sub_group_multiply(uint4 a, uint2 b, float4 c) {
  float4 d;
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w));
  return d;
}
)";
}

void OpenCLPrinter::find_pairs(const Stmt& kernel) {
  visit(kernel, [&](const Stmt& s) {
    if (s->kind != StmtKind::Store || !is_product(*s->value())) return true;
    multiplies_ = true;
    for (const std::size_t factor : {0U, 1U}) {
      for (const Expr& part : (*s->value())[factor]->operands) {
        if (part->kind == ExprKind::Var) pairs_.insert(part->name);
      }
    }
    return true;
  });
}

std::string OpenCLPrinter::bits_of_pair(const Expr& load) {
  const bool is_pair = load->kind == ExprKind::Load && load.type() == Float(16, 2);
  if (!is_pair || images_.contains(load->name) || !is_half_in_memory(load->name))
    throw InternalError("OpenCL: a part of a matrix is not a pair of f16 in memory");
  return fmt::format("as_uint({})", load_vector(*load, Float(16)));
}

std::string OpenCLPrinter::declare_value(const StmtNode& let) {
  index_bounds_.note_value(let);
  if (!pairs_.contains(let.name)) return CPrinter::declare_value(let);
  return fmt::format("const uint {} = {};", names_.variable(let.name), bits_of_pair(let.value()));
}

CPrinter::Printed OpenCLPrinter::print_product(const ExprNode& call) {
  std::vector<std::string> operands;
  for (const std::size_t factor : {0U, 1U}) {
    std::vector<std::string> parts;
    for (const Expr& part : call[factor]->operands)
      parts.push_back(part->kind == ExprKind::Var ? names_.variable(part->name) : bits_of_pair(part));
    operands.push_back(fmt::format("(uint{})({})", parts.size(), fmt::join(parts, ", ")));
  }
  return {fmt::format("sub_group_multiply({}, {}, {})", operands[0], operands[1],
                      expr(call[2], Precedence::Conditional)),
          Precedence::Primary};
}

}  // namespace tensordsl::opencl
