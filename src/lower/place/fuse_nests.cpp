#include "lower/place/fuse_nests.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ir/print.h"
#include "ir/simplify.h"
#include "ir/substitute.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// The outer loops of a nest, and what is inside, with the names and tests that stood between them.
struct Loops {
  std::vector<const StmtNode*> loops;
  std::vector<const StmtNode*> between;  // Lets and Ifs, outermost first
  Stmt body;

  bool takes(const Stmt& s) {
    const bool is_one_of_them = s->kind == StmtKind::Let || (s->kind == StmtKind::If && s->body.size() == 1);
    if (!is_one_of_them) return false;
    between.push_back(s.get());
    return true;
  }

  Stmt inside() const {
    Stmt result = body;
    for (std::size_t i = between.size(); i-- > 0;) {
      const StmtNode& s = *between[i];
      result = s.kind == StmtKind::Let ? make_let(s.name, s.value(), result) : make_if(s.condition(), result);
    }
    return result;
  }
};

class Fusion {
 public:
  explicit Fusion(const std::string& call) : call_(call) {}

  Stmt run(const Stmt& other, const Stmt& nest, const std::string& axis) const {
    const Loops first = loops_of(other, [&](const Loops& l) { return l.loops.back()->name == axis; });
    const Loops second = loops_of(nest, [&](const Loops& l) { return l.loops.size() == first.loops.size(); });
    check_has_all_blocks(first.body);
    check_has_all_blocks(second.body);
    Stmt own = first.inside(), added = second.inside();
    Substitution places;
    std::vector<Expr> extents;
    for (std::size_t i = 0; i < first.loops.size(); ++i) {
      const StmtNode &a = *first.loops[i], &b = *second.loops[i];
      if (a.loop != b.loop) {
        fail(fmt::format("loop \"{}\" is {} and \"{}\" is {}; give both the same kind", b.name,
                         name_of(b.loop), a.name, name_of(a.loop)));
      }
      const Expr step = simplify(make_var(a.name) - a.min());
      places[b.name] = simplify(b.min() + step);
      extents.push_back(a.extent());
      if (can_prove(a.extent() == b.extent())) continue;
      extents.back() = simplify(max(a.extent(), b.extent()));
      if (!can_prove(b.extent() <= a.extent())) own = make_if(simplify(step < a.extent()), own);
      if (!can_prove(a.extent() <= b.extent())) added = make_if(simplify(step < b.extent()), added);
    }
    Stmt body = make_block({own, substitute(added, places)});
    for (std::size_t i = first.loops.size(); i-- > 0;) {
      const StmtNode& loop = *first.loops[i];
      body = make_for(loop.name, loop.min(), extents[i], loop.loop, body);
    }
    return body;
  }

 private:
  [[noreturn]] void fail(const std::string& finding) const {
    throw ScheduleError(fmt::format("{}: {}", call_, finding));
  }

  /// Work-groups are made once for the whole kernel.
  void check_has_all_blocks(const Stmt& body) const {
    visit(body, [&](const Stmt& s) {
      if (s->kind != StmtKind::For || !is_block_loop(s->loop)) return true;
      fail(fmt::format(
          "the gpu_blocks loop \"{}\" is inside; the stages share all loops over work-groups, so name "
          "the innermost one, or one further in",
          s->name));
    });
  }

  template <typename IsComplete>
  Loops loops_of(const Stmt& nest, IsComplete is_complete) const {
    Loops result;
    for (Stmt at = nest;; at = at->body[0]) {
      if (!result.loops.empty() && is_complete(result)) {
        result.body = at;
        return result;
      }
      if (at->kind == StmtKind::For) {
        for (const StmtNode* s : result.between) {
          const bool is_used =
              s->kind == StmtKind::Let && (uses_var(at->min(), s->name) || uses_var(at->extent(), s->name));
          if (is_used) fail(fmt::format("the ends of loop \"{}\" depend on \"{}\"", at->name, s->name));
        }
        result.loops.push_back(at.get());
      } else if (!result.takes(at)) {
        fail(at->kind == StmtKind::Allocate
                 ? fmt::format("{} is computed between the loops; compute it further in or out", at->name)
                 : "there are not as many loops, one directly in the other");
      }
    }
  }

  const std::string& call_;
};

}  // namespace

Stmt fused_nests(const Stmt& other, const Stmt& nest, const std::string& axis, const std::string& call) {
  return Fusion(call).run(other, nest, axis);
}

}  // namespace tensordsl::lower
