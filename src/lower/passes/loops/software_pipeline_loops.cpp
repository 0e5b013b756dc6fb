#include "lower/passes/loops/software_pipeline_loops.h"

#include <algorithm>
#include <vector>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/loop_carried_dependence.h"
#include "lower/analyze/stores.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A tile with the loops that load it.
struct Tile {
  Stmt allocation;
  Stmt load;
  std::string next;  // the name of the private copy
};

/// Returns the loops of a load that each work-item runs itself: the dimensions of its private copy.
struct OwnLoops {
  std::vector<Expr> indices, extents;
};

class Prefetching {
 public:
  Prefetching(KernelBody& kernel, const std::set<std::string>& tiles)
      : kernel_(kernel), tiles_(tiles), bounds_(constant_loops(kernel.body)), names_(kernel.body) {}

  Stmt run(const Stmt& s) {
    if (s->kind == StmtKind::For && s->loop == LoopKind::Serial) {
      std::vector<Tile> tiles;
      const Stmt use = without_loads(s->body[0], *s, tiles);
      if (!tiles.empty()) return overlapped(*s, tiles, run(use));
    }
    return map_children(s, nullptr, [&](const Stmt& child) { return run(child); });
  }

 private:
  /// Returns the body of a loop without the tiles that it loads first, which it adds to `tiles`.
  Stmt without_loads(const Stmt& body, const StmtNode& loop, std::vector<Tile>& tiles) {
    if (body->kind != StmtKind::Allocate || !tiles_.contains(body->name) || uses(body->extents(), loop.name))
      return body;
    // If the named loop ran once and is gone, this may be a loop further out.
    if (has_loop_carried_dependence(loop, body->name, bounds_)) return body;
    const Stmt& inside = body->body[0];
    if (inside->kind != StmtKind::Block || inside->body.size() < 2 ||
        !is_plain_load(inside->body[0], body->name))
      return body;
    if (uses(own_loops(inside->body[0]).extents, loop.name)) return body;
    for (std::size_t i = 1; i < inside->body.size(); ++i) {
      if (stores_to(inside->body[i], body->name)) return body;
    }
    tiles.push_back({body, inside->body[0], names_.named(body->name + ".next")});
    return without_loads(make_block({inside->body.begin() + 1, inside->body.end()}), loop, tiles);
  }

  static bool uses(const std::vector<Expr>& exprs, const std::string& name) {
    return std::any_of(exprs.begin(), exprs.end(), [&](const Expr& e) { return uses_var(e, name); });
  }

  /// True if `load` is loops and tests around one store to the tile, of values from outside the kernel.
  bool is_plain_load(const Stmt& load, const std::string& tile) const {
    const Stmt* s = &load;
    while ((*s)->kind == StmtKind::For || ((*s)->kind == StmtKind::If && (*s)->body.size() == 1))
      s = &(*s)->body[0];
    if ((*s)->kind != StmtKind::Store || (*s)->name != tile) return false;
    bool reads_inside = false;
    visit(load, nullptr, [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        reads_inside = reads_inside || (e->kind == ExprKind::Load && is_allocated(e->name));
        return !reads_inside;
      });
    });
    return !reads_inside;
  }

  bool is_allocated(const std::string& name) const {
    bool found = false;
    visit(kernel_.body, [&](const Stmt& s) {
      found = found || (s->kind == StmtKind::Allocate && s->name == name);
      return !found;
    });
    return found;
  }

  Stmt overlapped(const StmtNode& loop, const std::vector<Tile>& tiles, const Stmt& use) {
    const Expr next = make_var(loop.name) + 1, end = loop.min() + loop.extent();
    std::vector<Stmt> first, reads, keeps;
    for (const Tile& tile : tiles) {
      first.push_back(substitute(tile.load, loop.name, loop.min()));
      const Stmt load = substitute(tile.load, loop.name, next);
      const std::vector<Expr> place = own_loops(load).indices;
      reads.push_back(with_store(
          load, [&](const StmtNode& store) { return make_store(tile.next, store.value(), place); }));
      keeps.push_back(with_store(load, [&](const StmtNode& store) {
        return make_store(store.name, make_load(tile.allocation->type, tile.next, place), store.indices());
      }));
    }
    Stmt body = make_block({make_if(next < end, make_block(std::move(reads))), use,
                            make_if(next < end, make_block(std::move(keeps)))});
    for (const Tile& tile : tiles) {
      body = make_allocate(tile.next, tile.allocation->type, own_loops(tile.load).extents, Memory::Private,
                           body);
      kernel_.private_copies.insert(tile.next);
      kernel_.synchronized.insert(tile.allocation->name);
    }
    // A loop without iterations must not load a first tile, whose elements may not exist.
    first = {make_if(Expr(0) < loop.extent(), make_block(std::move(first))), make_barrier(Memory::Local)};
    first.push_back(make_for(loop.name, loop.min(), loop.extent(), loop.loop,
                             make_block({body, make_barrier(Memory::Local)})));
    Stmt result = make_block(std::move(first));
    for (const Tile& tile : tiles) {
      result = make_allocate(tile.allocation->name, tile.allocation->type, tile.allocation->extents(),
                             tile.allocation->memory, result);
    }
    return result;
  }

  static bool is_own(const StmtNode& loop) {
    return loop.kind == StmtKind::For && !is_thread_loop(loop.loop);
  }

  /// The vectorized loop comes last, so that a vector is one variable.
  static OwnLoops own_loops(const Stmt& load) {
    OwnLoops loops, vectors;
    visit(load, [&](const Stmt& s) {
      if (!is_own(*s)) return true;
      OwnLoops& place = s->loop == LoopKind::Vectorized ? vectors : loops;
      place.indices.push_back(simplify(make_var(s->name) - s->min()));
      place.extents.push_back(s->extent());
      return true;
    });
    loops.indices.insert(loops.indices.end(), vectors.indices.begin(), vectors.indices.end());
    loops.extents.insert(loops.extents.end(), vectors.extents.begin(), vectors.extents.end());
    if (loops.indices.empty()) return {{Expr(0)}, {Expr(1)}};
    return loops;
  }

  /// Returns `load` with its store rewritten by `f`.
  template <typename F>
  static Stmt with_store(const Stmt& load, F f) {
    if (load->kind == StmtKind::Store) return f(*load);
    return map_children(load, nullptr, [&](const Stmt& child) { return with_store(child, f); });
  }

  KernelBody& kernel_;
  const std::set<std::string>& tiles_;
  Bounds bounds_;  // bounds of the loops
  NameSupply names_;
};

}  // namespace

KernelBody software_pipeline_loops(const KernelBody& kernel, const std::set<std::string>& tiles) {
  KernelBody result = kernel;
  if (!tiles.empty()) result.body = Prefetching(result, tiles).run(kernel.body);
  return result;
}

}  // namespace tensordsl::lower
