#include "lower/contiguous_reads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/linear_form.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A statement of so many lanes is for vector units that repeat a scalar as they read it, at no cost. A lane
/// of a vector takes them an instruction.
constexpr int kRepeatedAsRead = 8;

/// Scalars of one tensor at places that differ by constants.
struct Row {
  BlockRead any;                                               // at `base`
  std::map<std::int64_t, std::pair<Expr, std::size_t>> reads;  // by constant: the load, its first statement
};

/// A lane of a vector that is read before statement `from`.
struct Lane {
  Expr value;
  std::size_t from = 0;
};

using Lanes = std::unordered_map<BlockRead, Lane, BlockReadHash>;

bool is_scalar_of_buffer(const Expr& expr, const Images& images) {
  return expr->kind == ExprKind::Load && expr->operands.size() == 1 && expr.type().lanes == 1 &&
         (*expr)[0].type() == Int(32) && !expr.type().is_bool() && !images.contains(expr->name);
}

/// In the order of their first reads.
std::vector<Row> rows_of(const std::vector<Stmt>& block, const KernelMemory& memory) {
  std::vector<Row> rows;
  std::unordered_map<BlockRead, std::size_t, BlockReadHash> numbers;
  BlockReads reads(memory);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i]->kind == StmtKind::Store && block[i]->value().type().lanes < kRepeatedAsRead) {
      for (const BlockRead& read : reads.always_read(block[i])) {
        if (!is_scalar_of_buffer(read.expr, memory.images())) continue;
        LinearForm index((*read.expr)[0]);
        const std::int64_t constant = std::exchange(index.constant, 0);
        const auto base = to_expr(index, Int(32));
        if (!base) continue;
        const BlockRead at_base{make_load(read.expr.type(), read.expr->name, {*base}), read.version};
        const auto [it, is_new] = numbers.emplace(at_base, rows.size());
        if (is_new) rows.push_back({at_base, {}});
        rows[it->second].reads.emplace(constant, std::pair(read.expr, i));
      }
    }
    if (i + 1 < block.size()) reads.pass(block[i]);
  }
  return rows;
}

/// How many of the consecutive places from `first` on are read at once: where the base is aligned, so is the
/// vector.
int lanes_from(const Row& row, std::int64_t first) {
  constexpr int kBytes = 16;
  const int most = kBytes / static_cast<int>(row.any.expr.type().bytes());
  int lanes = 1;
  for (int wanted = 2; wanted <= most && first % wanted == 0; wanted *= 2) {
    bool has_all = true;
    for (std::int64_t i = lanes; i < wanted; ++i) has_all = has_all && row.reads.contains(first + i);
    if (!has_all) break;
    lanes = wanted;
  }
  return lanes;
}

}  // namespace

std::vector<Stmt> combine_contiguous_reads(const std::vector<Stmt>& block, const KernelMemory& memory,
                                           NameSupply& names, std::vector<NamedRead>& named) {
  Lanes found;
  for (const Row& row : rows_of(block, memory)) {
    for (auto it = row.reads.begin(); it != row.reads.end();) {
      const int lanes = lanes_from(row, it->first);
      if (lanes == 1) {
        ++it;
        continue;
      }
      const auto& [load, statement] = it->second;
      const Type type = load.type().with_lanes(lanes);
      const Expr vector = make_load(type, load->name, {make_ramp((*load)[0], Expr(1), lanes)});
      const Expr variable = make_var(names.numbered("t"), type);
      std::size_t first = statement;
      for (auto lane = std::next(it, 1); lane != std::next(it, lanes); ++lane)
        first = std::min(first, lane->second.second);
      for (int lane = 0; lane < lanes; ++lane, ++it)
        found[{it->second.first, row.any.version}] = {make_slice(variable, lane, 1), first};
      named.push_back({first, variable->name, {vector, row.any.version}});
    }
  }
  if (found.empty()) return block;
  std::vector<Stmt> result;
  BlockReads reads(memory);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto lane_of = [&](const BlockRead& read) {
      const auto it = found.find(read);
      return it != found.end() && it->second.from <= i ? it->second.value : Expr();
    };
    const auto replace = [&](const Expr& e) { return reads.replaced(e, lane_of); };
    const bool is_store = block[i]->kind == StmtKind::Store;
    result.push_back(is_store ? map_children(block[i], replace, nullptr) : block[i]);
    if (i + 1 < block.size()) reads.pass(block[i]);
  }
  return result;
}

}  // namespace tensordsl::lower
