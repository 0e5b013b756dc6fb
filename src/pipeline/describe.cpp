#include "pipeline/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>
#include <utility>

#include "ir/simplify/simplify.h"
#include "ir/text/print.h"

namespace tensordsl {
namespace {

std::vector<std::string> printed(const std::vector<Expr>& exprs) {
  std::vector<std::string> text;
  for (const Expr& e : exprs) text.push_back(ir::print(e));
  return text;
}

/// Prints expressions, with sub-expressions that are met again as names where the whole would be too long:
/// written out in full the text can double with each level.
class DefinitionPrinter {
 public:
  std::string print(const Expr& expr) {
    constexpr double kLongest = 2000;
    if (size(expr) <= kLongest) return ir::print(expr);
    uses_.clear();
    named_.clear();
    ir::visit(expr, [&](const Expr& e) {
      for (const Expr& operand : e->operands) ++uses_[operand.get()];
      return true;
    });
    return ir::print(with_names(expr));
  }

  /// The names that the text printed so far uses, and their values.
  std::string take_lets() { return std::exchange(text_, {}); }

 private:
  /// Counts the nodes of the tree; a shared one counts for each use.
  double size(const Expr& expr) {
    const auto [it, is_new] = sizes_.try_emplace(expr.get(), 1.0);
    if (!is_new) return it->second;
    double total = 1;
    for (const Expr& e : expr->operands) total += size(e);
    return sizes_[expr.get()] = total;
  }

  Expr with_names(const Expr& expr) {
    if (expr->operands.empty()) return expr;
    if (const auto known = named_.find(expr.get()); known != named_.end()) return known->second;
    Expr result = ir::map_operands(expr, [this](const Expr& e) { return with_names(e); });
    if (uses_[expr.get()] > 1) {
      const std::string name = fmt::format("t.{}", lets_++);
      text_ += fmt::format("let {} = {}\n", name, ir::print(result));
      result = ir::make_var(name, result.type());
    }
    named_.emplace(expr.get(), result);
    return result;
  }

  std::unordered_map<const ir::ExprNode*, double> sizes_;
  std::unordered_map<const ir::ExprNode*, int> uses_;
  std::unordered_map<const ir::ExprNode*, Expr> named_;
  std::string text_;
  int lets_ = 0;
};

std::string_view name_of(KernelArgument::Access access) {
  switch (access) {
    case KernelArgument::Access::ReadOnly:
      return "read";
    case KernelArgument::Access::WriteOnly:
      return "write";
    case KernelArgument::Access::ReadWrite:
      return "read and write";
  }
  return "?";
}

}  // namespace

std::string describe_definitions(const std::vector<ir::FunctionPtr>& outputs) {
  std::string text;
  DefinitionPrinter printer;
  for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
    if (f->is_input()) {
      text += fmt::format("input {}({}): {} [{}]\n", f->name, fmt::join(f->dims, ", "), to_string(f->type()),
                          fmt::join(printed(f->shape), ", "));
      continue;
    }
    for (const ir::Definition& d : f->definitions) {
      std::vector<std::string> values;
      for (const Expr& value : d.values) values.push_back(printer.print(value));
      text += printer.take_lets();
      text += fmt::format(fmt::runtime(f->is_tuple() ? "{}({}) = {{{}}}" : "{}({}) = {}"), f->name,
                          fmt::join(printed(d.args), ", "), fmt::join(values, ", "));
      for (const ir::ReductionAxis& axis : d.domain) {
        text += fmt::format("\n  for {} in [{}, {})", axis.name, ir::print(axis.min),
                            ir::print(ir::simplify(axis.min + axis.extent)));
      }
      if (d.predicate.defined()) text += fmt::format("\n  where {}", ir::print(d.predicate));
      text += "\n";
    }
  }
  return text;
}

std::string describe_kernel(const lower::LoweredKernel& kernel) {
  std::string text = fmt::format("kernel {}: groups [{}, {}, {}] of [{}] work-items\n", kernel.name,
                                 ir::print(kernel.groups[0]), ir::print(kernel.groups[1]),
                                 ir::print(kernel.groups[2]), fmt::join(kernel.group_size, ", "));
  for (const lower::BufferArgument& b : kernel.buffers) {
    text += fmt::format("  buffer {}: {} [{}], {}\n", b.name, to_string(b.type), ir::print(b.elements),
                        name_of(b.access));
  }
  for (const lower::ScalarArgument& s : kernel.scalars)
    text += fmt::format("  scalar {}: {}\n", s.name, to_string(s.type));
  return kernel.body.defined() ? text + ir::print(kernel.body, 1) : text;
}

}  // namespace tensordsl
