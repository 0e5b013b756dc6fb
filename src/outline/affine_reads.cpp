#include "outline/affine_reads.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/linear_form.h"
#include "predict/function_cost.h"
#include "schedule/func_schedule.h"

namespace tensordsl::outline {
namespace {

using ir::ExprKind;

/// True for a number or an expression of numbers only.
bool is_literal(const Expr& e) {
  if (e->operands.empty()) return ir::is_const(e);
  return e->kind != ExprKind::Call && std::ranges::all_of(e->operands, is_literal);
}

/// min(max(index, low), high)   ->   index
const Expr& without_clamp(const Expr& index) {
  const bool is_limit = index->kind == ExprKind::Min || index->kind == ExprKind::Max;
  if (is_limit && is_literal((*index)[1])) return without_clamp((*index)[0]);
  if (is_limit && is_literal((*index)[0])) return without_clamp((*index)[1]);
  return index;
}

Affine affine_of(const Expr& index, const Names& names) {
  Affine sum;
  const ir::LinearForm form(without_clamp(index));
  sum.constant = static_cast<double>(form.constant);
  for (const ir::Term& term : form.terms()) {
    const auto coefficient = static_cast<double>(term.coefficient);
    const Expr& atom = term.atom;
    if (atom->kind == ExprKind::Var) {
      if (const auto known = names.find(atom->name); known != names.end())
        sum.add(known->second, coefficient);
      continue;
    }
    if (atom->kind == ExprKind::Min || atom->kind == ExprKind::Max) {
      if (&without_clamp(atom) != &atom) sum.add(affine_of(atom, names), coefficient);
      continue;
    }
    if (atom->kind != ExprKind::Div && atom->kind != ExprKind::Mod) continue;
    const std::int64_t* divisor = ir::as_int((*atom)[1]);
    const double share = atom->kind == ExprKind::Div && divisor ? static_cast<double>(*divisor) : 1;
    sum.add(affine_of((*atom)[0], names), coefficient / share);
  }
  return sum;
}

/// True for select(inside, x, 0): tests of borders are eliminated, or made by the image's sampler.
bool is_border(const ir::ExprNode& node) {
  return node.kind == ExprKind::Select && (is_literal(node[1]) || is_literal(node[2])) &&
         !node[0]->operands.empty() && !node[0]->operands[0].type().is_float();
}

void count_operation(const ir::ExprNode& node, Operations& operations) {
  const double divisions = predict::divisions_of(node);
  const bool adds = node.kind == ExprKind::Add || node.kind == ExprKind::Sub;
  const auto is_product = [](const Expr& operand) { return operand->kind == ExprKind::Mul; };
  if (divisions > 0) {
    operations.special += divisions;
  } else if (adds && std::ranges::any_of(node.operands, is_product)) {
    operations.multiply_adds += 1;
    operations.others -= 1;  // the product, which is counted on its own
  } else if (node.kind == ExprKind::MinOrNan || node.kind == ExprKind::MaxOrNan) {
    operations.others += 4;  // two comparisons, their disjunction and a selection
  } else if (!is_border(node)) {
    operations.others += 1;
  }
}

bool is_same(const Read& a, const Read& b) {
  const auto same_index = [](const Affine& x, const Affine& y) {
    return x.constant == y.constant && x.terms == y.terms;
  };
  return a.tensor == b.tensor && a.component == b.component &&
         std::ranges::equal(a.indices, b.indices, same_index);
}

/// Collects what an expression reads and computes. An inlined Func that is read twice at the same place is
/// computed once.
class Collector {
 public:
  Collector(std::vector<Read>& reads, Operations& operations) : reads_(reads), operations_(operations) {}

  void run(const Expr& expr, const Names& names) { collect(expr, names, operations_); }

 private:
  void collect(const Expr& expr, const Names& names, Operations& operations) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call) {
        const bool compares = ir::is_comparison(e->kind) && (*e)[0].type().is_float();
        if (!e->operands.empty() && (e.type().is_float() || compares) && !is_literal(e))
          count_operation(*e, operations);
        return true;
      }
      if (e->function) collect_call(*e, names, operations);
      return false;
    });
  }

  void collect_call(const ir::ExprNode& call, const Names& names, Operations& operations) {
    Read read{call.function, call.component, {}};
    for (const Expr& index : call.operands) {
      read.indices.push_back(affine_of(index, names));
      read.is_bordered = read.is_bordered || &without_clamp(index) != &index;
      Operations of_index;
      collect(index, names, of_index);
    }
    const auto* made = dynamic_cast<const schedule::ScheduledFunction*>(call.function.get());
    const bool is_inlined = made && !made->is_input() && made->is_substituted();
    std::vector<Read>& known = is_inlined ? inlined_ : reads_;
    if (std::ranges::any_of(known, [&](const Read& other) { return is_same(other, read); })) return;
    known.push_back(read);
    if (!is_inlined) return;
    Names inner;
    for (std::size_t d = 0; d < made->dims.size(); ++d) inner[made->dims[d]] = std::move(read.indices[d]);
    const std::vector<Expr>& values = made->definitions[0].values;
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (call.component == ir::kWhole || static_cast<std::size_t>(call.component) == c)
        collect(values[c], inner, operations);
    }
  }

  std::vector<Read>& reads_;
  Operations& operations_;
  std::vector<Read> inlined_;
};

}  // namespace

void Affine::add(const Affine& other, double factor) {
  constant += factor * other.constant;
  for (const auto& [variable, coefficient] : other.terms) {
    const auto own = std::ranges::find(terms, variable, &std::pair<int, double>::first);
    if (own != terms.end()) {
      own->second += factor * coefficient;
    } else {
      terms.emplace_back(variable, factor * coefficient);
    }
  }
}

double Affine::coefficient_of(int variable) const {
  const auto own = std::ranges::find(terms, variable, &std::pair<int, double>::first);
  return own == terms.end() ? 0 : own->second;
}

void collect(const std::vector<Expr>& values, const Names& names, std::vector<Read>& reads,
             Operations& operations) {
  Collector collector(reads, operations);
  for (const Expr& value : values) collector.run(value, names);
}

}  // namespace tensordsl::outline
