#include "lower/passes/memory/contiguous_reads.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Lanes from which on vector units broadcast a scalar as they load it, at no cost; extracting a lane costs
/// an instruction.
constexpr int kRepeatedAsRead = 8;

/// A load of a row: its offsets from the base, and the first statement that contains it.
struct RowRead {
  Expr load;
  std::int64_t first = 0;
  std::size_t statement = 0;

  int lanes() const { return load.type().lanes; }
  std::int64_t end() const { return first + lanes(); }
};

/// Loads of one tensor at addresses that differ by constants.
struct Row {
  BlockRead base;  // the scalar at offset 0
  std::vector<RowRead> reads;
};

/// Consecutive offsets that are read at once.
struct Piece {
  std::int64_t first = 0;
  int lanes = 1;
  std::size_t statement = 0;  // the first that reads one of them

  std::int64_t end() const { return first + lanes; }
};

/// Replacement of a load, from statement `from` on.
struct Replacement {
  Expr value;
  std::size_t from = 0;
};

using Replacements = std::unordered_map<BlockRead, Replacement, BlockReadHash>;

/// Returns the index of a scalar, or of the first lane of a vector from consecutive addresses.
std::optional<Expr> first_index(const Expr& expr, const Images& images) {
  if (expr->kind != ExprKind::Load || expr->operands.size() != 1 || expr.type().is_bool() ||
      images.contains(expr->name))
    return std::nullopt;
  const Expr index = (*expr)[0];
  if (index.type() == Int(32)) return index;
  const bool is_consecutive = index->kind == ExprKind::Ramp && is_const((*index)[1], 1);
  return is_consecutive && (*index)[0].type() == Int(32) ? std::optional((*index)[0]) : std::nullopt;
}

/// Returns the rows in the order of their first reads.
std::vector<Row> rows_of(const std::vector<Stmt>& block, const KernelMemory& memory) {
  std::vector<Row> rows;
  std::unordered_map<BlockRead, std::size_t, BlockReadHash> numbers;
  std::unordered_set<BlockRead, BlockReadHash> seen;
  BlockReads reads(memory);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i]->kind == StmtKind::Store && block[i]->value().type().lanes < kRepeatedAsRead) {
      for (const BlockRead& read : reads.always_read(block[i])) {
        const auto first = first_index(read.expr, memory.images());
        if (!first || !seen.insert(read).second) continue;
        LinearForm index(*first);
        const std::int64_t constant = std::exchange(index.constant, 0);
        const auto base = to_expr(index, Int(32));
        if (!base) continue;
        const BlockRead at_base{make_load(read.expr.type().element(), read.expr->name, {*base}),
                                read.version};
        const auto [it, is_new] = numbers.emplace(at_base, rows.size());
        if (is_new) rows.push_back({at_base, {}});
        rows[it->second].reads.push_back({read.expr, constant, i});
      }
    }
    if (i + 1 < block.size()) reads.pass(block[i]);
  }
  return rows;
}

/// Returns pieces that cover the offsets of `reads`, each offset once. If the base is aligned, so is each
/// vector.
std::vector<Piece> pieces_of(const std::vector<RowRead>& reads) {
  std::map<std::int64_t, std::size_t> places;  // and the first statement that reads each
  for (const RowRead& read : reads) {
    for (std::int64_t place = read.first; place < read.end(); ++place) {
      const auto [it, is_new] = places.emplace(place, read.statement);
      if (!is_new) it->second = std::min(it->second, read.statement);
    }
  }
  constexpr int kBytes = 16;
  const int most = reads.empty() ? 1 : kBytes / static_cast<int>(reads.front().load.type().element().bytes());
  std::vector<Piece> pieces;
  for (auto it = places.begin(); it != places.end();) {
    Piece piece{it->first, 1, it->second};
    for (int wanted = 2; wanted <= most && piece.first % wanted == 0; wanted *= 2) {
      bool has_all = true;
      for (std::int64_t i = piece.lanes; i < wanted; ++i)
        has_all = has_all && places.contains(piece.first + i);
      if (!has_all) break;
      piece.lanes = wanted;
    }
    for (int lane = 0; lane < piece.lanes; ++lane, ++it)
      piece.statement = std::min(piece.statement, it->second);
    pieces.push_back(piece);
  }
  return pieces;
}

/// Loads that are made from pieces, and the pieces, by their offsets.
struct Plan {
  std::vector<RowRead> reads;
  std::vector<Piece> pieces;
};

using Reads = std::vector<RowRead>;

/// Returns the end of the vectors from `first` on of which each overlaps the one before.
Reads::const_iterator end_of_stretch(Reads::const_iterator first, Reads::const_iterator last) {
  std::int64_t end = first->end();
  auto next = std::next(first);
  for (; next != last && next->first < end; ++next) end = std::max(end, next->end());
  return next;
}

/// Returns the pieces of each run of overlapping vectors with its scalars, if they are no more than its
/// loads; and of all other scalars.
std::vector<Plan> plans_of(const Row& row) {
  Reads scalars, vectors;
  for (const RowRead& read : row.reads) (read.lanes() == 1 ? scalars : vectors).push_back(read);
  std::ranges::stable_sort(vectors, {}, &RowRead::first);
  std::vector<Plan> plans;
  for (auto it = vectors.cbegin(); it != vectors.cend();) {
    const auto end = end_of_stretch(it, vectors.cend());
    Plan plan{{it, end}, {}};
    it = end;
    if (plan.reads.size() < 2) continue;
    const std::int64_t first = plan.reads.front().first;
    const std::int64_t last = std::ranges::max_element(plan.reads, {}, &RowRead::end)->end();
    const auto is_there = [&](const RowRead& read) { return first <= read.first && read.first < last; };
    std::ranges::copy_if(scalars, std::back_inserter(plan.reads), is_there);
    plan.pieces = pieces_of(plan.reads);
    if (plan.pieces.size() > plan.reads.size()) continue;
    std::erase_if(scalars, is_there);
    plans.push_back(std::move(plan));
  }
  plans.push_back({scalars, pieces_of(scalars)});
  return plans;
}

/// Returns the index of offset `place` of `row`, in the form of the one of `reads` that begins there, if one
/// does.
Expr index_of(const Row& row, const Reads& reads, std::int64_t place, const Images& images) {
  const auto there = std::ranges::find(reads, place, &RowRead::first);
  return there != reads.end() ? *first_index(there->load, images)
                              : simplify((*row.base.expr)[0] + static_cast<int>(place));
}

/// Returns lanes of `vector`, which has the offsets of `piece`, from `first` on.
Expr lanes_of(const Expr& vector, const Piece& piece, std::int64_t first, std::int64_t end) {
  if (first == piece.first && end == piece.end()) return vector;
  return make_slice(vector, static_cast<int>(first - piece.first), static_cast<int>(end - first));
}

void replace_reads(const Row& row, const Plan& plan, const Images& images, NameSupply& names,
                   std::vector<NamedRead>& named, Replacements& replacements) {
  const Type type = row.base.expr.type();
  std::vector<Expr> values;
  for (const Piece& piece : plan.pieces) {
    const Expr index = index_of(row, plan.reads, piece.first, images);
    if (piece.lanes == 1) {
      values.push_back(make_load(type, row.base.expr->name, {index}));
      continue;
    }
    const Expr vector = make_load(type.with_lanes(piece.lanes), row.base.expr->name,
                                  {make_ramp(index, Expr(1), piece.lanes)});
    values.push_back(make_var(names.numbered("t"), vector.type()));
    named.push_back({piece.statement, values.back()->name, {vector, row.base.version}});
  }
  for (const RowRead& read : plan.reads) {
    std::vector<Expr> parts;
    std::size_t from = 0;
    for (auto piece = std::ranges::upper_bound(plan.pieces, read.first, {}, &Piece::first) - 1;
         piece != plan.pieces.end() && piece->first < read.end(); ++piece) {
      const std::int64_t first = std::max(read.first, piece->first), end = std::min(read.end(), piece->end());
      parts.push_back(
          lanes_of(values[static_cast<std::size_t>(piece - plan.pieces.begin())], *piece, first, end));
      from = std::max(from, piece->statement);
    }
    const Expr value = parts.size() == 1 ? parts.front() : make_concat(parts);
    if (!same(value, read.load)) replacements[{read.load, row.base.version}] = {value, from};
  }
}

}  // namespace

std::vector<Stmt> combine_contiguous_reads(const std::vector<Stmt>& block, const KernelMemory& memory,
                                           NameSupply& names, std::vector<NamedRead>& named) {
  Replacements found;
  for (const Row& row : rows_of(block, memory)) {
    for (const Plan& plan : plans_of(row)) replace_reads(row, plan, memory.images(), names, named, found);
  }
  if (found.empty()) return block;
  std::vector<Stmt> result;
  BlockReads reads(memory);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto replacement = [&](const BlockRead& read) {
      const auto it = found.find(read);
      return it != found.end() && it->second.from <= i ? it->second.value : Expr();
    };
    const auto replace = [&](const Expr& e) { return reads.replaced(e, replacement); };
    const bool is_store = block[i]->kind == StmtKind::Store;
    result.push_back(is_store ? map_children(block[i], replace, nullptr) : block[i]);
    if (i + 1 < block.size()) reads.pass(block[i]);
  }
  return result;
}

}  // namespace tensordsl::lower
