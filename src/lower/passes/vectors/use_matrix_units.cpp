#include "lower/passes/vectors/use_matrix_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "ir/nodes/sub_groups.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/lowered.h"
#include "lower/name_supply.h"
#include "lower/passes/vectors/flatten.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr MatrixTile kTile;
// The element positions of ir/nodes/sub_groups.h: the quotient and remainder of the lane give row and column.
constexpr int kQuarter = 4, kStep = 8, kPair = 2;

bool is_matrix_loop(const Stmt& s) { return s->kind == StmtKind::For && s->loop == LoopKind::Matrix; }

/// The three loops of a matrix product and its operands.
struct Product {
  std::string row, column, depth;
  Stmt store;
  Expr rows, columns;  // the factors, loads of f16
};

class MatrixUnits {
 public:
  MatrixUnits(const Stmt& kernel, std::string function) : function_(std::move(function)), names_(kernel) {}

  Stmt run(const Stmt& stmt) {
    if (is_matrix_loop(stmt)) return in_a_row({stmt});
    if (stmt->kind != StmtKind::Block)
      return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s); });
    std::vector<Stmt> flat, result, products;
    flatten(stmt, flat);
    const auto finish = [&] {
      if (!products.empty()) result.push_back(in_a_row(products));
      products.clear();
    };
    for (const Stmt& s : flat) {
      if (is_matrix_loop(s)) {
        products.push_back(s);
        continue;
      }
      finish();
      result.push_back(run(s));
    }
    finish();
    return make_block(std::move(result));
  }

  /// acc[ramp(0, 1, 2)] = v  acc[ramp(2, 1, 2)] = w   ->   acc[ramp(0, 1, 4)] = concat(v, w)
  /// Makes one variable of the four sums of a product.
  Stmt with_whole_stores(const Stmt& stmt) const {
    if (stmt->kind != StmtKind::Block)
      return map_children(stmt, nullptr, [&](const Stmt& s) { return with_whole_stores(s); });
    std::vector<Stmt> flat, result;
    flatten(stmt, flat);
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const auto first = first_of_pair(flat[i]);
      const auto next = first && i + 1 < flat.size() ? first_of_pair(flat[i + 1]) : std::nullopt;
      if (next && flat[i]->name == flat[i + 1]->name && *first % 4 == 0 && *next == *first + 2) {
        result.push_back(make_store(flat[i]->name, make_concat({flat[i]->value(), flat[i + 1]->value()}),
                                    {make_ramp(Expr(static_cast<int>(*first)), Expr(1), 4)}));
        ++i;
      } else {
        result.push_back(with_whole_stores(flat[i]));
      }
    }
    return make_block(std::move(result));
  }

 private:
  /// Returns the first index of a store of one value to two neighboring sums of products.
  std::optional<std::int64_t> first_of_pair(const Stmt& s) const {
    if (s->kind != StmtKind::Store || !sums_.contains(s->name) || s->index()->kind != ExprKind::Ramp)
      return std::nullopt;
    const bool is_pair = s->value().type().lanes == 2 && is_const((*s->index())[1], 1);
    const std::int64_t* first = as_int((*s->index())[0]);
    return is_pair && first && s->value()->kind == ExprKind::Broadcast ? std::optional(*first) : std::nullopt;
  }

  /// A part of a factor that has a name.
  struct Part {
    std::string name;
    Expr value;
  };

  Stmt in_a_row(const std::vector<Stmt>& loops) {
    std::vector<Part> parts;
    std::vector<Stmt> stores;
    for (const Stmt& loop : loops) stores.push_back(operation(product_of(loop), parts));
    Stmt result = make_block(std::move(stores));
    for (std::size_t i = parts.size(); i-- > 0;) result = make_let(parts[i].name, parts[i].value, result);
    return result;
  }

  [[noreturn]] void fail(const std::string& finding) const {
    throw ScheduleError(
        fmt::format("{}: matrix_multiply: {}; expected f(..) += f32(a(.., k))*f32(b(.., k)) with a and b of "
                    "f16, the rows of a indexed by the work-item's number / 4, the columns of b by its "
                    "number % 4, and k innermost in both",
                    function_, finding));
  }

  Stmt inner(const Stmt& stmt, std::string& name, std::int64_t extent) const {
    if (!is_matrix_loop(stmt)) fail("expected three loops");
    const std::int64_t* count = as_int(stmt->extent());
    if (!count || *count != extent)
      fail(fmt::format("the loop \"{}\" must have {} iterations", stmt->name, extent));
    name = stmt->name;
    if (is_const(stmt->min(), 0)) return stmt->body[0];
    return substitute(stmt->body[0], name, simplify(stmt->min() + make_var(name)));
  }

  Product product_of(const Stmt& loop) const {
    Product p;
    p.store = inner(inner(inner(loop, p.row, 2), p.column, 2), p.depth, kTile.depth);
    if (p.store->kind != StmtKind::Store) fail("the loops must contain only a sum of products");
    const Expr sum = p.store->value();
    const auto is_own = [&](const Expr& e) {
      return e->kind == ExprKind::Load && e->name == p.store->name && same((*e)[0], p.store->index());
    };
    if (sum->kind != ExprKind::Add || sum.type() != Float(32)) fail("the sum must be f32");
    const std::size_t own = is_own((*sum)[0]) ? 0 : 1;
    const Expr product = (*sum)[1 - own];
    if (!is_own((*sum)[own]) || product->kind != ExprKind::Mul) fail("the loops must add up products");
    for (const Expr& factor : product->operands) {
      const bool is_half = factor->kind == ExprKind::Cast && (*factor)[0]->kind == ExprKind::Load &&
                           (*factor)[0].type() == Float(16);
      if (!is_half) fail("both factors must be f16 in memory");
      const Expr load = (*factor)[0];
      (uses_var(load, p.column) || p.rows.defined() ? p.columns : p.rows) = load;
    }
    if (!p.rows.defined() || !p.columns.defined() || uses_var(p.rows, p.column) || uses_var(p.columns, p.row))
      fail("one factor must be indexed by rows, and the other by columns");
    return p;
  }

  static Expr lane() { return make_var(kThreadNames[0]); }

  /// True if the index, with the lane as quotient*4 + remainder, does not use one of these.
  static bool is_without(const Expr& index, const char* part) {
    const Bounds bounds{{"quotient", {0, kTile.lanes / kQuarter - 1}}, {"remainder", {0, kQuarter - 1}}};
    const Expr place = make_var("quotient") * kQuarter + make_var("remainder");
    return !uses_var(simplify(substitute(index, kThreadNames[0], place), bounds), part);
  }

  bool runs_along(const Expr& index, const std::string& depth) const {
    const Bounds bounds{{kThreadNames[0], {0, kTile.lanes - 1}}, {depth, {0, kTile.depth - 1}}};
    const Expr first = substitute(index, depth, Expr(0));
    return is_const(simplify(index - first - make_var(depth), bounds), 0);
  }

  /// Returns two neighbors along the depth, at this work-item's position from `step` on.
  Expr pair(const Expr& load, Substitution places, const std::string& depth, int step,
            std::vector<Part>& parts) {
    places.insert_or_assign(depth, lane() % kQuarter * kPair + step);
    const Bounds bounds{{kThreadNames[0], {0, kTile.lanes - 1}}};
    const Expr index = simplify(substitute((*load)[0], places), bounds);
    const Expr value = make_load(Float(16, kPair), load->name, {make_ramp(index, Expr(1), kPair)});
    const auto known = std::ranges::find_if(parts, [&](const Part& part) { return same(part.value, value); });
    if (known != parts.end()) return make_var(known->name, value.type());
    parts.push_back({names_.numbered("pair"), value});
    return make_var(parts.back().name, value.type());
  }

  Stmt operation(const Product& p, std::vector<Part>& parts) {
    const Expr of_rows = (*p.rows)[0], of_columns = (*p.columns)[0], of_sum = p.store->index();
    if (!is_without(of_rows, "remainder")) fail("the rows must be indexed by the work-item's number / 4");
    if (!is_without(of_columns, "quotient"))
      fail("the columns must be indexed by the work-item's number % 4");
    if (!runs_along(of_rows, p.depth) || !runs_along(of_columns, p.depth))
      fail("k must be the innermost dimension of both factors in memory");
    std::vector<Expr> a, b;
    for (const int step : {0, kStep}) {
      for (const int row : {0, 1}) a.push_back(pair(p.rows, {{p.row, Expr(row)}}, p.depth, step, parts));
      // Column l/4 is the first or second column of work-item l/8.
      const Substitution place{{kThreadNames[0], lane() / kStep}, {p.column, lane() / kQuarter % kPair}};
      b.push_back(pair(p.columns, place, p.depth, step, parts));
    }
    const Expr first = simplify(substitute(of_sum, Substitution{{p.row, Expr(0)}, {p.column, Expr(0)}}));
    const Expr apart = simplify(of_sum - first - make_var(p.row) * 2 - make_var(p.column));
    if (!is_const(apart, 0)) fail("the four sums of a work-item must be adjacent in memory");
    sums_.insert(p.store->name);
    const Expr places = make_ramp(first, Expr(1), 4);
    return make_store(
        p.store->name,
        make_intrinsic(Float(32, 4), "sub_group_multiply",
                       {make_concat(a), make_concat(b), make_load(Float(32, 4), p.store->name, {places})}),
        {places});
  }

  std::string function_;
  NameSupply names_;
  std::set<std::string> sums_;
};

}  // namespace

KernelBody use_matrix_units(const KernelBody& kernel, const PassContext& context) {
  bool has_any = false;
  // The nest has the loops of the kernel, and nothing of it is unrolled.
  visit(context.nest.body, [&](const Stmt& s) {
    has_any = has_any || is_matrix_loop(s);
    return !has_any;
  });
  if (!has_any) return kernel;
  const std::string& function = context.nest.function;
  if (context.options.sub_groups && !context.options.sub_groups->has_matrix_units) {
    throw ScheduleError(
        fmt::format("{}: matrix_multiply: the device has no matrix units (DeviceInfo::has_matrix_units); "
                    "leave its loops serial or vectorize them",
                    function));
  }
  if (kernel.group_size[0] != kTile.lanes) {
    throw ScheduleError(
        fmt::format("{}: matrix_multiply: {} work-items compute a product, but dimension 0 of the work-group "
                    "has {}; give gpu_threads a loop of {}",
                    function, kTile.lanes, kernel.group_size[0], kTile.lanes));
  }
  KernelBody result = kernel;
  MatrixUnits units(kernel.body, function);
  result.body = units.with_whole_stores(units.run(kernel.body));
  return result;
}

}  // namespace tensordsl::lower
