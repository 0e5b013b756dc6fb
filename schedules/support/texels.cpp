#include "schedules/support/texels.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using classify::IndexMap;
using definitions::StoredGroup;

bool is_in_prologue(const StoredGroup& group, const Func& func) {
  return std::ranges::any_of(group.prologue,
                             [&](const Func& other) { return other.shared() == func.shared(); });
}

/// True if an index is a multiple of four where `along` is: along + 4 * (anything).
bool begins_at_fours(const IndexMap& index, const std::string& along) {
  if (index.is_clamped || index.kind == classify::IndexKind::DataDependent) return false;
  if (index.coefficient_of(along) != 1 || index.form.constant % kTexel != 0) return false;
  return std::ranges::all_of(index.form.terms(), [&](const ir::Term& term) {
    if (term.atom->kind == ir::ExprKind::Var && term.atom->name == along) return true;
    if (term.coefficient % kTexel != 0) return false;
    if (term.atom->kind == ir::ExprKind::Var) return true;
    // A quotient by a multiple of four is one number for all four.
    const std::int64_t* divisor =
        term.atom->kind == ir::ExprKind::Div ? ir::as_int((*term.atom)[1]) : nullptr;
    return divisor && *divisor % kTexel == 0 && (*term.atom)[0]->kind == ir::ExprKind::Var;
  });
}

class ReadFinder {
 public:
  explicit ReadFinder(const StoredGroup& group) : group_(group) {}

  std::vector<OperandRead> of(const ir::FunctionPtr& tensor) const {
    std::vector<OperandRead> found;
    for (const auto* funcs : {&group_.prologue, &group_.anchors, &group_.epilogue}) {
      for (const Func& func : *funcs) {
        for (const classify::Access& read : group_.class_of(func).reads) {
          if (read.tensor == tensor) add(func, read, found);
        }
      }
    }
    return found;
  }

 private:
  void add(const Func& reader, const classify::Access& read, std::vector<OperandRead>& found) const {
    if (!is_in_prologue(group_, reader)) {
      OperandRead own{reader, {}};
      for (const IndexMap& index : read.indices) own.indices.emplace_back(index);
      found.push_back(std::move(own));
      return;
    }
    // Composes the read with each read of this Func, which is inlined into its readers.
    const std::vector<std::string>& dims = reader.contents().dims;
    for (const OperandRead& outer : of(reader.shared())) {
      OperandRead inner{outer.reader, {}};
      for (const IndexMap& index : read.indices) {
        const auto dim = std::ranges::find_if(dims, [&](const std::string& name) {
          return index.index->kind == ir::ExprKind::Var && index.index->name == name;
        });
        auto composed =
            dim == dims.end() ? std::nullopt : outer.indices[static_cast<std::size_t>(dim - dims.begin())];
        if (composed && index.is_clamped) composed->is_clamped = true;
        inner.indices.push_back(std::move(composed));
      }
      found.push_back(std::move(inner));
    }
  }

  const StoredGroup& group_;
};

}  // namespace

std::vector<OperandRead> reads_of_operand(const StoredGroup& group, std::size_t operand) {
  return ReadFinder(group).of(group.operands[operand].input.shared());
}

int innermost_dim(const Layout& layout) { return layout.terms().back().dim; }

std::optional<std::string> texel_axis(const StoredGroup& group, const OperandRead& read, int dim) {
  const ir::Function& function = read.reader.contents();
  const auto& index = read.indices[static_cast<std::size_t>(dim)];
  if (!index || function.definitions.size() != 2 || function.definitions[1].domain.empty())
    return std::nullopt;
  const ir::ReductionAxis& axis = function.definitions[1].domain.back();
  const std::int64_t *first = ir::as_int(axis.min), *steps = ir::as_int(axis.extent);
  if (!first || !steps || *first % kTexel != 0 || *steps % kTexel != 0 || *steps == 0) return std::nullopt;
  const auto is_window = [&](const classify::Window& window) { return window.axis == axis.name; };
  if (std::ranges::any_of(group.class_of(function).windows, is_window)) return std::nullopt;
  return begins_at_fours(*index, axis.name) ? std::optional(axis.name) : std::nullopt;
}

bool reads_in_fours(const StoredGroup& group, std::size_t operand, bool has_axes) {
  const int dim = innermost_dim(group.operands[operand].stored.layout);
  const auto lanes = static_cast<std::size_t>(memory_order(group.stored[0].layout).back());
  const std::vector<OperandRead> reads = reads_of_operand(group, operand);
  return !reads.empty() && std::ranges::all_of(reads, [&](const OperandRead& read) {
    const auto& index = read.indices[static_cast<std::size_t>(dim)];
    const std::vector<std::string>& dims = read.reader.contents().dims;
    if (!index || dims.size() != group.stored[0].extents.size()) return false;
    return begins_at_fours(*index, dims[lanes]) || (has_axes && texel_axis(group, read, dim));
  });
}

namespace {

/// Returns the bound of an index that is a dimension or an axis, which starts at 0; nullopt if it is neither.
std::optional<std::int64_t> reach(const StoredGroup& group, const ir::Function& reader,
                                  const IndexMap& index) {
  if (index.is_clamped) return std::nullopt;
  if (index.index->kind != ir::ExprKind::Var) {
    const std::int64_t* at = ir::as_int(index.index);
    return at && *at >= 0 ? std::optional(*at + 1) : std::nullopt;
  }
  const std::string& name = index.index->name;
  const auto number = [](const Expr& e) {
    const std::int64_t* value = ir::as_int(e);
    return value ? std::optional(*value) : std::nullopt;
  };
  const std::vector<Expr>& extents = group.stored[0].extents;
  const auto dim = std::ranges::find(reader.dims, name);
  if (dim != reader.dims.end()) {
    if (reader.dims.size() != extents.size()) return std::nullopt;
    return number(extents[static_cast<std::size_t>(dim - reader.dims.begin())]);
  }
  for (const ir::Definition& definition : reader.definitions) {
    for (const ir::ReductionAxis& axis : definition.domain) {
      if (axis.name == name && ir::is_const(axis.min, 0)) return number(axis.extent);
    }
  }
  return std::nullopt;
}

}  // namespace

bool stays_within(const StoredGroup& group, std::size_t operand) {
  const std::vector<Expr>& extents = group.operands[operand].stored.extents;
  return std::ranges::all_of(reads_of_operand(group, operand), [&](const OperandRead& read) {
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const std::int64_t* extent = ir::as_int(extents[d]);
      const auto end =
          read.indices[d] ? reach(group, read.reader.contents(), *read.indices[d]) : std::nullopt;
      if (!extent || !end || *end > *extent) return false;
    }
    return true;
  });
}

std::set<int> window_dims(const StoredGroup& group, std::size_t operand) {
  std::set<int> dims;
  for (const OperandRead& read : reads_of_operand(group, operand)) {
    for (const classify::Window& window : group.class_of(read.reader).windows) {
      for (std::size_t d = 0; d < read.indices.size(); ++d) {
        if (read.indices[d] && read.indices[d]->coefficient_of(window.axis) != 0)
          dims.insert(static_cast<int>(d));
      }
    }
  }
  return dims;
}

}  // namespace tensordsl::schedules
