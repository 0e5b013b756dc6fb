#include "lower/cpu/work_group_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "ir/nodes/sub_groups.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/name_supply.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool has_load(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || e->kind == ExprKind::Load;
    return !found;
  });
  return found;
}

/// An array in which each work-item has a part.
struct ItemArray {
  Expr item;                // work-item whose part it is
  std::int64_t stride = 0;  // elements of a part
  bool is_register = false;
};

/// The context of a statement of one work-item.
struct Scope {
  std::vector<std::pair<std::string, Expr>> bindings;  // bindings of names that work-items compute, in order
  std::map<std::string, ItemArray> arrays;
};

/// Work-items that synchronize: the work-items of a group at barriers, of a sub-group at its operations.
struct MeetingLevel {
  std::vector<std::pair<std::string, int>> loops;  // over them, outermost first
  Expr item;                                       // index by the names of the loops
  int items = 1;
  bool (*meets)(const Stmt&) = nullptr;
};

class Serializer {
 public:
  Serializer(const LoweredKernel& kernel) : kernel_(kernel), names_(kernel.body) {}

  Stmt run() {
    MeetingLevel group{.loops = {}, .item = make_int(Int(32), 0), .items = 1, .meets = has_barrier};
    for (int d = 2; d >= 0; --d) {
      const int size = kernel_.group_size[static_cast<std::size_t>(d)];
      item_names_[static_cast<std::size_t>(d)] = names_.numbered("item");
      group.loops.emplace_back(item_names_[static_cast<std::size_t>(d)], size);
      group.item = group.item * size + make_var(group.loops.back().first);
      group.items *= size;
    }
    group.item = simplify(group.item);
    Substitution items;
    for (std::size_t d = 0; d < 3; ++d) items[kThreadNames[d]] = make_var(item_names_[d]);
    return serialize(substitute(kernel_.body, items), group, {});
  }

 private:
  /// Returns `stmt` for all work-items of the level.
  Stmt serialize(const Stmt& stmt, const MeetingLevel& level, const Scope& scope) {
    if (!level.meets(stmt)) return for_each_item(stmt, level, scope);
    switch (stmt->kind) {
      case StmtKind::Block:
        return serialize_block(*stmt, level, scope);
      case StmtKind::Let:
        return serialize_let(*stmt, level, scope);
      case StmtKind::Allocate:
        return serialize_allocation(*stmt, level, scope);
      case StmtKind::For:
        return serialize_loop(*stmt, level, scope);
      case StmtKind::If: {
        const Stmt otherwise = stmt->body.size() > 1 ? serialize(stmt->body[1], level, scope) : Stmt();
        const Stmt then = serialize(stmt->body[0], level, scope);
        return make_if(of_first_item(stmt->condition(), level, scope), then.defined() ? then : make_block({}),
                       otherwise);
      }
      case StmtKind::Store:
        return exchange(*stmt, level, scope);
      case StmtKind::Barrier:
        return {};
    }
    return {};
  }

  Stmt serialize_block(const StmtNode& block, const MeetingLevel& level, const Scope& scope) {
    std::vector<Stmt> result, run;
    const auto end_run = [&] {
      if (!run.empty()) result.push_back(for_each_item(make_block(std::exchange(run, {})), level, scope));
    };
    for (const Stmt& s : block.body) {
      if (!level.meets(s)) {
        run.push_back(s);
        continue;
      }
      end_run();
      if (const Stmt serial = serialize(s, level, scope); serial.defined()) result.push_back(serial);
    }
    end_run();
    return make_block(std::move(result));
  }

  Stmt serialize_let(const StmtNode& let, const MeetingLevel& level, Scope scope) {
    const Expr& value = let.value();
    if (!varies(value, level, scope)) return make_let(let.name, value, serialize(let.body[0], level, scope));
    if (!has_load(value)) {
      scope.bindings.emplace_back(let.name, value);
      return serialize(let.body[0], level, scope);
    }
    // Memory may change at the next barrier.
    const std::string kept = names_.numbered(let.name);
    const Type type = value.type();
    const Stmt first = for_each_item(make_store(kept, value, {make_int(Int(32), 0)}), level,
                                     with_register(scope, kept, type, level));
    scope = with_register(scope, kept, type, level);
    scope.bindings.emplace_back(let.name, in_arrays(make_load(type, kept, {make_int(Int(32), 0)}), scope));
    const Stmt rest = serialize(let.body[0], level, scope);
    return make_allocate(kept, type.element(), {make_int(Int(32), level.items * stride_of(type))},
                         Memory::Private, make_block({first, rest}));
  }

  Stmt serialize_allocation(const StmtNode& allocation, const MeetingLevel& level, Scope scope) {
    const Expr& extent = allocation.extents()[0];
    if (allocation.memory == Memory::Local) {
      return make_allocate(allocation.name, allocation.type, {extent}, Memory::Private,
                           serialize(allocation.body[0], level, scope));
    }
    if (allocation.memory == Memory::Register) {
      scope = with_register(scope, allocation.name, allocation.type, level);
    } else {
      const std::int64_t* elements = as_int(extent);
      if (elements == nullptr)
        throw InternalError("as_work_group_loops: a private array has no constant size");
      scope.arrays[allocation.name] = {level.item, rounded_up(*elements), false};
    }
    return make_allocate(allocation.name, allocation.type.element(),
                         {make_int(Int(32), level.items * scope.arrays.at(allocation.name).stride)},
                         Memory::Private, serialize(allocation.body[0], level, scope));
  }

  Stmt serialize_loop(const StmtNode& loop, const MeetingLevel& level, Scope scope) {
    const Expr extent = of_first_item(loop.extent(), level, scope);
    if (!varies(loop.min(), level, scope)) {
      return make_for(loop.name, in_arrays(loop.min(), scope), extent, loop.loop,
                      serialize(loop.body[0], level, scope));
    }
    // All work-items run it equally often, but may start at different values.
    const std::string round = names_.numbered(loop.name);
    scope.bindings.emplace_back(loop.name, loop.min() + make_var(round));
    return make_for(round, make_int(Int(32), 0), extent, loop.loop, serialize(loop.body[0], level, scope));
  }

  /// Runs a statement without a meeting for all work-items of the level.
  Stmt for_each_item(const Stmt& stmt, const MeetingLevel& level, const Scope& scope) {
    if (has_sub_group_operation(stmt)) return for_each_sub_group(stmt, scope);
    Stmt body = in_arrays(without_local_memory(stmt), scope);
    for (auto binding = scope.bindings.rbegin(); binding != scope.bindings.rend(); ++binding) {
      if (uses_var(body, binding->first))
        body = make_let(binding->first, in_arrays(binding->second, scope), body);
    }
    for (auto loop = level.loops.rbegin(); loop != level.loops.rend(); ++loop) {
      const auto& [name, items] = *loop;
      body = items == 1
                 ? substitute(body, name, make_int(Int(32), 0))
                 : make_for(name, make_int(Int(32), 0), make_int(Int(32), items), LoopKind::Serial, body);
    }
    return body;
  }

  Stmt for_each_sub_group(const Stmt& stmt, const Scope& scope) {
    const int size = kernel_.sub_group_size;
    const std::string lane = names_.numbered("lane"), sub_group = names_.numbered("sub_group");
    MeetingLevel level{
        .loops = {{lane, size}}, .item = make_var(lane), .items = size, .meets = has_sub_group_operation};
    Scope inner;
    Expr rest = make_var(sub_group) * size + make_var(lane);
    int items = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      inner.bindings.emplace_back(item_names_[d], simplify(rest % kernel_.group_size[d]));
      rest = rest / kernel_.group_size[d];
      items *= kernel_.group_size[d];
    }
    inner.arrays = scope.arrays;
    inner.bindings.insert(inner.bindings.end(), scope.bindings.begin(), scope.bindings.end());
    return make_for(sub_group, make_int(Int(32), 0), make_int(Int(32), items / size), LoopKind::Serial,
                    serialize(stmt, level, inner));
  }

  /// Lowers a Store of the result of a sub-group operation.
  Stmt exchange(const StmtNode& store, const MeetingLevel& level, const Scope& scope) {
    const SubGroupOperation& operation = *sub_group_operation_of(store);
    const Expr& call = store.value();
    if (operation.kind == SubGroupOperationKind::Multiply) {
      throw ScheduleError(
          fmt::format("kernel {}: matrix_multiply needs a device with matrix units for sub-groups; drop it "
                      "for this device",
                      kernel_.name));
    }
    const Type type = (*call)[0].type();
    const std::string values = names_.numbered("exchanged");
    const auto value_of = [&](const Expr& lane) { return make_load(type, values, {lane}); };
    const auto store_of = [&](const Expr& value) {
      return for_each_item(make_store(store.name, value, store.indices(), store.alignment), level, scope);
    };
    std::vector<Stmt> steps{for_each_item(make_store(values, (*call)[0], {level.item}), level, scope)};
    if (operation.kind == SubGroupOperationKind::Reduce) {
      const std::string total = names_.numbered("total"), lane = names_.numbered("lane");
      const Expr zero = make_int(Int(32), 0), one = make_int(Int(32), 1);
      const Expr so_far = make_load(type, total, {zero});
      const Stmt combine =
          make_store(total, make_binary(operation.combined_by, so_far, value_of(make_var(lane))), {zero});
      steps.push_back(make_allocate(
          total, type, {one}, Memory::Register,
          make_block({make_store(total, value_of(zero), {zero}),
                      make_for(lane, one, make_int(Int(32), level.items - 1), LoopKind::Serial, combine),
                      store_of(so_far)})));
    } else {
      steps.push_back(store_of(value_of((*call)[1])));
    }
    return make_allocate(values, type, {make_int(Int(32), level.items)}, Memory::Private,
                         make_block(std::move(steps)));
  }

  /// True if the value of `expr` may differ between work-items.
  static bool varies(const Expr& expr, const MeetingLevel& level, const Scope& scope) {
    bool found = false;
    const auto is_own = [&](const std::string& name) {
      const auto is_it = [&](const auto& named) { return named.first == name; };
      return std::ranges::any_of(level.loops, is_it) || std::ranges::any_of(scope.bindings, is_it);
    };
    visit(expr, [&](const Expr& e) {
      found = found || (e->kind == ExprKind::Var && is_own(e->name)) ||
              (e->kind == ExprKind::Load && scope.arrays.contains(e->name));
      return !found;
    });
    return found;
  }

  /// Returns the value of a uniform expression, for the first work-item.
  static Expr of_first_item(Expr expr, const MeetingLevel& level, const Scope& scope) {
    expr = in_arrays(expr, scope);
    for (auto binding = scope.bindings.rbegin(); binding != scope.bindings.rend(); ++binding)
      expr = substitute(expr, binding->first, in_arrays(binding->second, scope));
    for (const auto& [name, items] : level.loops) expr = substitute(expr, name, make_int(Int(32), 0));
    return simplify(expr);
  }

  static std::int64_t rounded_up(std::int64_t elements) {
    constexpr std::int64_t kWidest = 64;  // lanes of a vector, whose alignment parts are to keep
    return (elements + kWidest - 1) / kWidest * kWidest;
  }
  static std::int64_t stride_of(Type type) { return type.lanes == 3 ? 4 : type.lanes; }

  static Scope with_register(Scope scope, const std::string& name, Type type, const MeetingLevel& level) {
    scope.arrays[name] = {level.item, stride_of(type), true};
    return scope;
  }

  static Expr index_in(const ItemArray& array, const Expr& index, Type value) {
    const Expr first = array.item * static_cast<int>(array.stride);
    if (array.is_register)
      return value.lanes == 1 ? first : make_ramp(first, make_int(Int(32), 1), value.lanes);
    if (index->kind == ExprKind::Ramp) return make_ramp((*index)[0] + first, (*index)[1], index.type().lanes);
    return index.type().lanes == 1 ? index + first : index + make_broadcast(first, index.type().lanes);
  }

  static std::int64_t alignment_in(const ItemArray& array, Type value, std::int64_t alignment) {
    if (array.is_register) return value.lanes == 3 ? 1 : value.lanes;
    return std::gcd(alignment, array.stride);
  }

  static Expr in_arrays(const Expr& expr, const Scope& scope) {
    if (scope.arrays.empty()) return expr;
    return rewrite(expr, [&](const Expr& e) {
      const auto array = e->kind == ExprKind::Load ? scope.arrays.find(e->name) : scope.arrays.end();
      if (array == scope.arrays.end()) return e;
      return make_load(e.type(), e->name, {simplify(index_in(array->second, (*e)[0], e.type()))},
                       alignment_in(array->second, e.type(), e->value), e->component);
    });
  }

  static Stmt in_arrays(const Stmt& stmt, const Scope& scope) {
    if (scope.arrays.empty()) return stmt;
    const auto on_expr = [&](const Expr& e) { return in_arrays(e, scope); };
    const std::function<Stmt(const Stmt&)> on_stmt = [&](const Stmt& s) {
      const auto array = s->kind == StmtKind::Store ? scope.arrays.find(s->name) : scope.arrays.end();
      if (array == scope.arrays.end()) return map_children(s, on_expr, on_stmt);
      const Type type = s->value().type();
      return make_store(s->name, on_expr(s->value()),
                        {simplify(index_in(array->second, on_expr(s->index()), type))},
                        alignment_in(array->second, type, s->alignment), s->component);
    };
    return on_stmt(stmt);
  }

  static Stmt without_local_memory(const Stmt& stmt) {
    const std::function<Stmt(const Stmt&)> on_stmt = [&](const Stmt& s) {
      const Stmt mapped = map_children(
          s, [](const Expr& e) { return e; }, on_stmt);
      if (s->kind != StmtKind::Allocate || s->memory != Memory::Local) return mapped;
      return make_allocate(s->name, s->type, s->extents(), Memory::Private, mapped->body[0]);
    };
    return on_stmt(stmt);
  }

  const LoweredKernel& kernel_;
  NameSupply names_;
  std::array<std::string, 3> item_names_;  // the names of a work-item's indices in its group
};

}  // namespace

LoweredKernel as_work_group_loops(const LoweredKernel& kernel) {
  LoweredKernel result = kernel;
  if (kernel.body.defined()) result.body = simplify(Serializer(kernel).run());
  result.group_size = {1, 1, 1};
  result.sub_group_size = 0;
  return result;
}

}  // namespace tensordsl::lower
