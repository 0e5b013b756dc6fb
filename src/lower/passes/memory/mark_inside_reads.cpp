#include "lower/passes/memory/mark_inside_reads.h"

#include "ir/simplify/simplifier.h"
#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class InsideReads {
 public:
  InsideReads(const Images& images, const Bounds& bounds) : images_(images), known_(bounds) {}

  Stmt run(const Stmt& stmt) {
    switch (stmt->kind) {
      case StmtKind::For: {
        const Expr min = marked(stmt->min()), extent = marked(stmt->extent());
        const Simplifier::Scope scope(known_);
        known_.enter_loop(stmt->name, known_.simplify(stmt->min()), known_.simplify(stmt->extent()));
        return make_for(stmt->name, min, extent, stmt->loop, run(stmt->body[0]));
      }
      case StmtKind::If: {
        const Expr condition = marked(stmt->condition());
        const Stmt then = under(stmt->condition(), true, stmt->body[0]);
        if (stmt->body.size() == 1) return make_if(condition, then);
        return make_if(condition, then, under(stmt->condition(), false, stmt->body[1]));
      }
      case StmtKind::Let: {
        const Expr value = marked(stmt->value());
        const Simplifier::Scope scope(known_);
        if (value.type() == Int(32)) known_.define(stmt->name, known_.simplify(stmt->value()));
        return make_let(stmt->name, value, run(stmt->body[0]));
      }
      default:
        return map_children(
            stmt, [this](const Expr& e) { return marked(e); }, [this](const Stmt& s) { return run(s); });
    }
  }

 private:
  Stmt under(const Expr& condition, bool truth, const Stmt& branch) {
    const Simplifier::Scope scope(known_);
    known_.assume_stable(known_.simplify(condition), truth);
    return run(branch);
  }

  Expr marked(const Expr& expr) {
    return rewrite(expr, [this](const Expr& e) {
      if (e->kind != ExprKind::Load || e->value == kInside || !is_read_anywhere(*e, images_)) return e;
      const std::vector<Expr>& extents = images_.at(e->name).extents;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        if (!is_inside(e->operands[i], extents[i])) return e;
      }
      return make_load(e.type(), e->name, e->operands, kInside);
    });
  }

  bool is_inside(const Expr& coordinate, const Expr& extent) {
    return known_.proves_not_negative(known_.simplify(coordinate)) &&
           known_.proves_not_negative(known_.simplify(extent - 1 - coordinate));
  }

  const Images& images_;
  Simplifier known_;
};

}  // namespace

Stmt mark_inside_reads(const Stmt& stmt, const Images& images, const Bounds& bounds) {
  return images.empty() ? stmt : InsideReads(images, bounds).run(stmt);
}

}  // namespace tensordsl::lower
