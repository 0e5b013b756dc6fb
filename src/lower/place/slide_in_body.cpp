#include "lower/place/slide_in_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lower/analyze/own_reads.h"
#include "lower/analyze/tensor_reads.h"
#include "lower/place/build_loop_nest.h"
#include "lower/place/infer_bounds.h"
#include "lower/place/loop_body_editor.h"
#include "lower/place/placement.h"
#include "lower/place/sliding_window.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Edits the bodies of the loop that read the Func, in order, each with the statements around it.
template <typename F>
Stmt edit_readers(const Stmt& stmt, const Producer& p, const std::string& loop, F edit) {
  const LoopBodyEditor* position = nullptr;
  LoopBodyEditor editor(loop, [&](const Stmt& body) {
    return reads(body, p.function->name) ? edit(body, position->path()) : body;
  });
  position = &editor;
  return editor.run(stmt);
}

/// Checks that all loops of the path are serial: work-items write shared storage together and private storage
/// each by itself, and lanes of a vector have no storage of their own. Throws ScheduleError otherwise.
void check_same_work_items(const Producer& p, const std::vector<Stmt>& path) {
  for (const Stmt& s : path) {
    const bool is_plain =
        s->kind != StmtKind::For || s->loop == LoopKind::Serial || s->loop == LoopKind::Unrolled;
    if (is_plain) continue;
    const char* kind = is_thread_loop(s->loop)  ? "gpu_threads"
                       : is_block_loop(s->loop) ? "gpu_blocks"
                                                : "vectorized";
    throw ScheduleError(
        fmt::format("{}.store_at({}, {}): the {} loop \"{}\" is between the loops of store_at and "
                    "compute_at; store it inside that loop, or reorder",
                    p.function->name, p.function->schedule.store_level->consumer,
                    p.function->schedule.store_level->axis, kind, s->name));
  }
}

/// Returns the nests of all stages of the Func over the box.
Stmt nests_over(const Producer& p, const Box& box, const std::string& call) {
  const Box rounded = round_up(p, box);
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (same(rounded[d].extent, box[d].extent)) continue;
    throw ScheduleError(
        fmt::format("{}: Tail::RoundUp computes more of {} than an iteration adds, and would overwrite "
                    "elements that store_at keeps; use Tail::Guard",
                    call, p.function->name));
  }
  std::vector<Stmt> nests;
  for (int stage = 0; stage < static_cast<int>(p.definitions.size()); ++stage)
    nests.push_back(build_loop_nest(p, stage, box));
  return make_block(std::move(nests));
}

/// True if each element depends only on itself and other Funcs, and is computed once.
bool makes_elements_alone(const Producer& p) {
  return std::ranges::all_of(p.definitions, [&](const Definition& definition) {
    for (std::size_t d = 0; d < definition.args.size(); ++d) {
      const ExprNode& arg = *definition.args[d];
      if (arg.kind != ExprKind::Var || arg.name != p.function->dims[d]) return false;
    }
    return reads_own_element_only(definition, p.function->name);
  });
}

/// Computes the warm-up in one iteration of the sliding loops, so that its producers are placed as in them.
Stmt warm_up(const Producer& p, const SlidingWindow& window, const std::vector<Stmt>& path,
             const std::string& call) {
  Stmt stmt = nests_over(p, *window.warm_up, call);
  for (std::size_t i = path.size(); i-- > window.loop;) {
    if (path[i]->kind == StmtKind::For)
      stmt = make_for(path[i]->name, path[i]->min(), Expr(1), LoopKind::Serial, stmt);
  }
  return window.runs.defined() ? make_if(window.runs, stmt) : stmt;
}

Stmt put_before(const Stmt& stmt, const std::string& loop, const Stmt& first, bool& is_done) {
  if (is_done) return stmt;
  if (stmt->kind == StmtKind::For && stmt->name == loop) {
    is_done = true;
    return make_block({first, stmt});
  }
  return map_children(stmt, nullptr,
                      [&](const Stmt& child) { return put_before(child, loop, first, is_done); });
}

/// Inserts `first` before the loop and before other warm-ups, which have the name of the loop, too.
Stmt put_before(const Stmt& stmt, const std::string& loop, const Stmt& first) {
  bool is_done = false;
  return put_before(stmt, loop, first, is_done);
}

}  // namespace

Stmt slide_in_body(const Producer& p, const Stmt& stored_in, const std::vector<Stmt>& around,
                   const std::string& loop, const std::string& call) {
  const std::string& name = p.function->name;
  const Memory memory = memory_of(p.function->schedule.scope);
  if (memory == Memory::SubGroup) {
    throw ScheduleError(
        fmt::format("{}.store_in(SubGroup): a sliding window must be in registers or local memory", name));
  }
  const Sharing sharing = memory == Memory::Local ? Sharing::Group : Sharing::None;
  std::vector<WindowUse> uses;
  const Stmt readers = edit_readers(stored_in, p, loop, [&](const Stmt& body, const std::vector<Stmt>& path) {
    check_same_work_items(p, path);
    std::vector<Stmt> whole = around;
    whole.insert(whole.end(), path.begin(), path.end());
    const auto needed = required_box(over_those_who_share(body, whole, sharing), name);
    if (!needed) return without_reads(body, name);
    uses.push_back({path, with_own_reads(p, *needed)});
    return body;
  });
  if (uses.empty()) return readers;
  const WindowUse last = uses.back();
  uses.pop_back();
  const SlidingWindow window = sliding_window(*p.function, last, uses, makes_elements_alone(p));
  std::vector<std::optional<Box>> computed = window.earlier;
  computed.push_back(window.computed);
  auto next = computed.begin();
  Stmt body = edit_readers(readers, p, loop, [&](const Stmt& reader, const std::vector<Stmt>&) {
    const std::optional<Box>& box = *next++;
    return box ? make_block({nests_over(p, *box, call), reader}) : reader;
  });
  if (window.warm_up)
    body = put_before(body, last.path[window.loop]->name, warm_up(p, window, last.path, call));
  std::vector<Expr> extents;
  for (const Range& r : window.stored) extents.push_back(r.fold > 0 ? Expr(r.fold) : r.extent);
  return allocated(p, memory, extents, rebase(body, name, window.stored));
}

}  // namespace tensordsl::lower
