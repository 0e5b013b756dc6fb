#include "lower/passes/work_items/map_work_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/passes/work_items/place_barriers.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// The loops around a statement.
struct Surroundings {
  bool has_work = false;                 // a loop that is neither block nor thread
  const StmtNode* inner_loop = nullptr;  // the nearest such loop
  bool inside_allocation = false;
  std::array<bool, 3> block{}, thread{};
};

/// Returns the most iterations that a thread loop has. Where its extent is not constant, as of a tile at an
/// edge, a test keeps the other work-items away.
std::int64_t work_items(const StmtNode& loop, const Bounds& bounds) {
  return std::max<std::int64_t>(bounds_of(loop.extent(), bounds).high, 1);
}

class StructureChecker {
 public:
  StructureChecker(const std::string& function, const Bounds& bounds)
      : function_(function), bounds_(bounds) {}

  void run(const Stmt& stmt, Surroundings around) {
    if (stmt->kind == StmtKind::For) check_loop(*stmt, around);
    if (stmt->kind == StmtKind::Allocate) around.inside_allocation = true;
    // All work-items of the group compute shared tensors, whatever thread loops are around them.
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::Local) around.thread = {};
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::SubGroup) around.thread[0] = false;
    for (const Stmt& s : stmt->body) run(s, around);
  }

  bool has_threads() const { return has_threads_; }
  std::array<int, 3> group_size() const { return group_size_; }

 private:
  void check_loop(const StmtNode& loop, Surroundings& around) {
    if (is_block_loop(loop.loop)) {
      const auto d = static_cast<std::size_t>(gpu_dimension(loop.loop));
      if (around.inside_allocation || around.block[d]) {
        fail(loop, "gpu_blocks",
             "is inside another Func's work-group; a Func that is computed there cannot have block loops");
      }
      if (around.has_work || around.thread[0] || around.thread[1] || around.thread[2]) {
        fail(loop, "gpu_blocks",
             around.has_work
                 ? fmt::format(
                       "is inside the loop \"{}\"; block loops must be outermost, so reorder them first",
                       around.inner_loop->name)
                 : std::string(
                       "is inside a thread loop; block loops must be outermost, so reorder them first"));
      }
      around.block[d] = true;
    } else if (is_thread_loop(loop.loop)) {
      const auto d = static_cast<std::size_t>(gpu_dimension(loop.loop));
      if (around.thread[d]) {
        fail(loop, "gpu_threads",
             fmt::format("is inside a loop over the same work-items (dimension {}); compute it further "
                         "out, between the block and the thread loops, or leave its loops serial",
                         d));
      }
      if (around.has_work && (around.inner_loop->loop == LoopKind::Vectorized)) {
        fail(loop, "gpu_threads",
             fmt::format("is inside the vectorized loop \"{}\"; reorder them", around.inner_loop->name));
      }
      const std::int64_t extent = work_items(loop, bounds_);
      if (extent > INT32_MAX / 2) {
        fail(loop, "gpu_threads",
             fmt::format("has the extent {}, which has no constant bound; split it by a constant first",
                         tensordsl::to_string(loop.extent())));
      }
      if (extent > 4096) {
        fail(loop, "gpu_threads",
             fmt::format("has {} iterations, more work-items than any device has in a group; split it",
                         extent));
      }
      around.thread[d] = true;
      has_threads_ = true;
      group_size_[d] = std::max(group_size_[d], static_cast<int>(extent));
    } else {
      around.has_work = true;
      around.inner_loop = &loop;
    }
  }

  [[noreturn]] void fail(const StmtNode& loop, std::string_view directive, const std::string& finding) const {
    throw ScheduleError(fmt::format("{}: the {} loop \"{}\" {}", function_, directive, loop.name, finding));
  }

  const std::string& function_;
  const Bounds& bounds_;
  bool has_threads_ = false;
  std::array<int, 3> group_size_{1, 1, 1};
};

/// Decides each allocation's memory: private inside the thread loops, local outside of them.
Stmt place_memory(const Stmt& stmt, bool in_work_item) {
  const bool inner = in_work_item || (stmt->kind == StmtKind::For && is_thread_loop(stmt->loop));
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& body) { return place_memory(body, inner); });
  if (s->kind != StmtKind::Allocate || s->memory != Memory::Auto) return s;
  return make_allocate(s->name, s->type, s->extents(), in_work_item ? Memory::Private : Memory::Local,
                       s->body[0]);
}

class Mapper {
 public:
  /// `copies`: tensors of which each work-item reads only elements that it wrote itself.
  Mapper(std::array<int, 3> group_size, const std::set<std::string>& copies)
      : group_size_(group_size), copies_(copies), groups_{Expr(1), Expr(1), Expr(1)} {}

  /// `loops`: the dimensions of the thread loops around `stmt`, outermost first; `allocated`: each allocation
  /// around it, with the number of thread loops around that.
  struct Storage {
    Memory memory = Memory::Global;
    std::size_t loops = 0;
  };
  using Allocated = std::map<std::string, Storage>;

  Stmt run(const Stmt& stmt, std::vector<std::size_t> loops, Allocated allocated) {
    if (stmt->kind == StmtKind::For && is_block_loop(stmt->loop)) {
      const auto d = static_cast<std::size_t>(gpu_dimension(stmt->loop));
      groups_[d] = simplify(stmt->extent());
      return run(bind(*stmt, kBlockNames[d]), loops, allocated);
    }
    if (stmt->kind == StmtKind::For && is_thread_loop(stmt->loop)) {
      const auto d = static_cast<std::size_t>(gpu_dimension(stmt->loop));
      loops.push_back(d);
      const Stmt body = run(bind(*stmt, kThreadNames[d]), loops, allocated);
      const std::int64_t* extent = as_int(stmt->extent());
      if (extent && *extent == group_size_[d]) return body;
      return make_if(make_var(kThreadNames[d]) < stmt->extent(), body);
    }
    if (stmt->kind == StmtKind::Allocate) allocated[stmt->name] = {stmt->memory, loops.size()};
    // The values of a tuple belong to their stores: the storing work-item reads them.
    const bool is_update = stmt->kind == StmtKind::Let && reads_memory(stmt->value());
    if (stmt->kind == StmtKind::Store || is_update) {
      const std::string& stored = is_update ? stored_in(stmt) : stmt->name;
      const auto it = allocated.find(stored);
      const Storage storage = it == allocated.end() ? Storage{} : it->second;
      const std::vector<std::size_t> spread(loops.begin() + static_cast<std::ptrdiff_t>(storage.loops),
                                            loops.end());
      if (storage.memory == Memory::Local || storage.memory == Memory::Global)
        return keep_to_one(stmt, stored, spread);
      if (storage.memory == Memory::SubGroup) {
        check_is_in_row(stored, spread);
        return stmt;
      }
      // Each work-item holds all of it, so each computes all of it.
      if (storage.loops != loops.size() && !copies_.contains(stored)) fail_to_share(stored);
      return stmt;
    }
    return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s, loops, allocated); });
  }

  const std::array<Expr, 3>& groups() const { return groups_; }

 private:
  static Stmt bind(const StmtNode& loop, const char* index) {
    return substitute(loop.body[0], loop.name, simplify(loop.min() + make_var(index)));
  }

  /// Returns the tensor that the stores inside a Let go to.
  static const std::string& stored_in(const Stmt& stmt) {
    return stmt->kind == StmtKind::Store ? stmt->name : stored_in(stmt->body[0]);
  }

  [[noreturn]] static void fail_to_share(const std::string& function) {
    throw ScheduleError(
        fmt::format("{}: it is computed inside a gpu_threads loop, where each work-item has its own storage, "
                    "but its own gpu_threads loop spreads it over work-items; compute it in a loop further "
                    "out, or leave its loops serial",
                    function));
  }

  /// Each sub-group, a row of the group, holds all of the tensor.
  static void check_is_in_row(const std::string& function, const std::vector<std::size_t>& spread) {
    if (std::all_of(spread.begin(), spread.end(), [](std::size_t d) { return d == 0; })) return;
    throw ScheduleError(
        fmt::format("{}.store_in(SubGroup): it is spread over the work-items of dimension 0, but its "
                    "gpu_threads loops use another dimension; give gpu_threads one loop",
                    function));
  }

  /// Guards a store that no loop spreads over a dimension of the group: its first work-item does it.
  Stmt keep_to_one(Stmt store, const std::string& stored, const std::vector<std::size_t>& spread) const {
    for (std::size_t d = 0; d < 3; ++d) {
      const auto loops = std::count(spread.begin(), spread.end(), d);
      if (loops > 1) fail_to_share(stored);
      if (group_size_[d] > 1 && loops == 0) store = make_if(make_var(kThreadNames[d]) == Expr(0), store);
    }
    return store;
  }

  std::array<int, 3> group_size_;
  const std::set<std::string>& copies_;
  std::array<Expr, 3> groups_;
};

}  // namespace

KernelBody map_work_items(const KernelBody& kernel, const std::string& function, const Bounds& bounds) {
  StructureChecker checker(function, bounds);
  checker.run(kernel.body, {});
  KernelBody result = kernel;
  result.group_size = checker.group_size();
  Stmt body = place_memory(kernel.body, !checker.has_threads());
  if (checker.has_threads()) body = place_barriers(body, kernel.synchronized, kernel.exchanged);
  Mapper mapper(result.group_size, kernel.private_copies);
  result.body = mapper.run(body, {}, {});
  result.groups = mapper.groups();
  return result;
}

}  // namespace tensordsl::lower
