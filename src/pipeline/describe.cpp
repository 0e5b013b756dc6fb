#include "pipeline/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/print.h"

namespace tensordsl {
namespace {

std::vector<std::string> printed(const std::vector<Expr>& exprs) {
  std::vector<std::string> text;
  for (const Expr& e : exprs) text.push_back(ir::print(e));
  return text;
}

std::string_view name_of(KernelArgument::Access access) {
  switch (access) {
    case KernelArgument::Access::ReadOnly: return "read";
    case KernelArgument::Access::WriteOnly: return "write";
    case KernelArgument::Access::ReadWrite: return "read and write";
  }
  return "?";
}

}  // namespace

std::string describe_definitions(const ir::FunctionPtr& output) {
  std::string text;
  for (const ir::FunctionPtr& f : ir::reachable(output)) {
    if (f->is_input()) {
      text += fmt::format("input {}({}): {} [{}]\n", f->name, fmt::join(f->dims, ", "), to_string(f->type),
                          fmt::join(printed(f->shape), ", "));
      continue;
    }
    for (const ir::Definition& d : f->definitions) {
      text += fmt::format("{}({}) = {}", f->name, fmt::join(printed(d.args), ", "), ir::print(d.value));
      for (const ir::ReductionAxis& axis : d.domain) {
        text += fmt::format("\n  for {} in [{}, {})", axis.name, ir::print(axis.min), ir::print(axis.extent));
      }
      text += "\n";
    }
  }
  return text;
}

std::string describe_kernel(const lower::LoweredKernel& kernel) {
  std::string text = fmt::format("kernel {}: groups [{}, {}, {}] of [{}] work-items\n", kernel.name,
                                 ir::print(kernel.groups[0]), ir::print(kernel.groups[1]), ir::print(kernel.groups[2]),
                                 fmt::join(kernel.group_size, ", "));
  for (const lower::BufferArgument& b : kernel.buffers) {
    text += fmt::format("  buffer {}: {} [{}], {}\n", b.name, to_string(b.type), ir::print(b.elements), name_of(b.access));
  }
  for (const lower::ScalarArgument& s : kernel.scalars) text += fmt::format("  scalar {}: {}\n", s.name, to_string(s.type));
  return kernel.body.defined() ? text + ir::print(kernel.body, 1) : text;
}

}  // namespace tensordsl
