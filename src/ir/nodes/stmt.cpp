#include "ir/nodes/stmt.h"

#include <fmt/format.h>

#include "ir/nodes/work_counter.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

Stmt finished_stmt(StmtNode node) {
  WorkCounter::count();
  if (!node.name.empty()) node.names = NameFilter(node.name);
  for (const Expr& e : node.exprs) {
    if (e.defined()) node.names.add(e->names);
  }
  for (const Stmt& s : node.body) node.names.add(s->names);
  return Stmt(std::make_shared<const StmtNode>(std::move(node)));
}

void flatten_into(std::vector<Stmt>& out, const Stmt& stmt) {
  if (!stmt.defined()) return;
  WorkCounter::count();
  if (stmt->kind == StmtKind::Block) {
    for (const Stmt& s : stmt->body) flatten_into(out, s);
  } else {
    out.push_back(stmt);
  }
}

/// Expression `i` of a statement that must be of one of two kinds.
const Expr& expr_of(const StmtNode& stmt, std::size_t i, StmtKind kind, StmtKind or_kind) {
  if ((stmt.kind == kind || stmt.kind == or_kind) && i < stmt.exprs.size()) return stmt.exprs[i];
  throw InternalError(fmt::format("a statement of kind {} does not have the expression {} of kind {}",
                                  static_cast<int>(stmt.kind), i, static_cast<int>(kind)));
}

}  // namespace

const Expr& StmtNode::min() const { return expr_of(*this, 0, StmtKind::For, StmtKind::For); }
const Expr& StmtNode::extent() const { return expr_of(*this, 1, StmtKind::For, StmtKind::For); }
const Expr& StmtNode::condition() const { return expr_of(*this, 0, StmtKind::If, StmtKind::If); }
const Expr& StmtNode::value() const { return expr_of(*this, 0, StmtKind::Let, StmtKind::Store); }
const Expr& StmtNode::index(std::size_t dimension) const {
  return expr_of(*this, dimension + 1, StmtKind::Store, StmtKind::Store);
}
std::vector<Expr> StmtNode::indices() const {
  if (kind != StmtKind::Store) throw InternalError("only a store has indices");
  return {exprs.begin() + 1, exprs.end()};
}
const std::vector<Expr>& StmtNode::extents() const {
  if (kind != StmtKind::Allocate) throw InternalError("only an allocation has extents");
  return exprs;
}

Stmt make_block(std::vector<Stmt> statements) {
  std::vector<Stmt> flat;
  for (const Stmt& s : statements) flatten_into(flat, s);
  if (flat.empty()) return Stmt();
  if (flat.size() == 1) return flat[0];
  StmtNode node;
  node.kind = StmtKind::Block;
  node.body = std::move(flat);
  return finished_stmt(std::move(node));
}

Stmt make_for(const std::string& name, Expr min, Expr extent, LoopKind loop, Stmt body) {
  if (!body.defined()) return body;
  StmtNode node;
  node.kind = StmtKind::For;
  node.name = name;
  node.exprs = {std::move(min), std::move(extent)};
  node.loop = loop;
  node.body = {std::move(body)};
  return finished_stmt(std::move(node));
}

Stmt make_if(Expr condition, Stmt then, Stmt otherwise) {
  if (!then.defined()) {
    if (!otherwise.defined()) return Stmt();
    return make_if(make_unary(ExprKind::Not, std::move(condition)), std::move(otherwise));
  }
  StmtNode node;
  node.kind = StmtKind::If;
  node.exprs = {std::move(condition)};
  node.body = {std::move(then)};
  if (otherwise.defined()) node.body.push_back(std::move(otherwise));
  return finished_stmt(std::move(node));
}

Stmt make_let(const std::string& name, Expr value, Stmt body) {
  if (!body.defined()) return body;
  StmtNode node;
  node.kind = StmtKind::Let;
  node.name = name;
  node.exprs = {std::move(value)};
  node.body = {std::move(body)};
  return finished_stmt(std::move(node));
}

Stmt make_store(const std::string& buffer, Expr value, std::vector<Expr> indices, std::int64_t alignment,
                int component) {
  int lanes = 1;
  for (const Expr& i : indices) lanes = std::max<int>(lanes, i.type().lanes);
  // A vector value at scalar indices is a whole register; otherwise value and indices get the same lanes.
  if (lanes > 1 || value.type().lanes == 1) {
    for (Expr& i : indices) {
      if (i.type().lanes == 1) i = make_broadcast(i, lanes);
    }
    if (value.type().lanes == 1) value = make_broadcast(value, lanes);
  }
  StmtNode node;
  node.kind = StmtKind::Store;
  node.name = buffer;
  node.exprs.push_back(std::move(value));
  for (Expr& i : indices) node.exprs.push_back(std::move(i));
  node.alignment = alignment;
  node.component = component;
  return finished_stmt(std::move(node));
}

Stmt make_allocate(const std::string& name, Type type, std::vector<Expr> extents, Memory memory, Stmt body) {
  if (!body.defined()) return body;
  StmtNode node;
  node.kind = StmtKind::Allocate;
  node.name = name;
  node.type = type;
  node.exprs = std::move(extents);
  node.memory = memory;
  node.body = {std::move(body)};
  return finished_stmt(std::move(node));
}

Stmt make_barrier(Memory memory) {
  StmtNode node;
  node.kind = StmtKind::Barrier;
  node.memory = memory;
  return finished_stmt(std::move(node));
}

Stmt map_children(const Stmt& stmt, const std::function<Expr(const Expr&)>& on_expr,
                  const std::function<Stmt(const Stmt&)>& on_stmt) {
  WorkCounter::count();
  bool changed = false;
  std::vector<Expr> exprs;
  exprs.reserve(stmt->exprs.size());
  for (const Expr& e : stmt->exprs) {
    exprs.push_back(on_expr ? on_expr(e) : e);
    changed |= exprs.back().get() != e.get();
  }
  std::vector<Stmt> body;
  body.reserve(stmt->body.size());
  for (const Stmt& s : stmt->body) {
    body.push_back(on_stmt ? on_stmt(s) : s);
    changed |= body.back().get() != s.get();
  }
  if (!changed) return stmt;
  switch (stmt->kind) {
    case StmtKind::Block:
      return make_block(std::move(body));
    case StmtKind::For:
      return make_for(stmt->name, exprs[0], exprs[1], stmt->loop, body[0]);
    case StmtKind::If:
      return make_if(exprs[0], body[0], body.size() > 1 ? body[1] : Stmt());
    case StmtKind::Let:
      return make_let(stmt->name, exprs[0], body[0]);
    case StmtKind::Store:
      return make_store(stmt->name, exprs[0], {exprs.begin() + 1, exprs.end()}, stmt->alignment,
                        stmt->component);
    case StmtKind::Allocate:
      return make_allocate(stmt->name, stmt->type, std::move(exprs), stmt->memory, body[0]);
    case StmtKind::Barrier:
      return stmt;
  }
  throw InternalError("map_children: unknown statement");
}

void visit(const Stmt& stmt, const std::function<bool(const Stmt&)>& on_stmt,
           const std::function<void(const Expr&)>& on_expr) {
  WorkCounter::count();
  if (on_stmt && !on_stmt(stmt)) return;
  if (on_expr) {
    for (const Expr& e : stmt->exprs) on_expr(e);
  }
  for (const Stmt& s : stmt->body) visit(s, on_stmt, on_expr);
}

bool is_block_loop(LoopKind kind) { return kind >= LoopKind::Block0 && kind <= LoopKind::Block2; }
bool is_thread_loop(LoopKind kind) { return kind >= LoopKind::Thread0 && kind <= LoopKind::Thread2; }

int gpu_dimension(LoopKind kind) {
  if (is_block_loop(kind)) return static_cast<int>(kind) - static_cast<int>(LoopKind::Block0);
  if (is_thread_loop(kind)) return static_cast<int>(kind) - static_cast<int>(LoopKind::Thread0);
  throw InternalError("gpu_dimension: not a block or thread loop");
}

LoopKind block_loop(int dimension) {
  return static_cast<LoopKind>(static_cast<int>(LoopKind::Block0) + dimension);
}
LoopKind thread_loop(int dimension) {
  return static_cast<LoopKind>(static_cast<int>(LoopKind::Thread0) + dimension);
}

bool uses_var(const Stmt& stmt, const std::string& name) {
  bool found = false;
  visit(
      stmt, [&](const Stmt&) { return !found; }, [&](const Expr& e) { found = found || uses_var(e, name); });
  return found;
}

bool same(const Stmt& a, const Stmt& b) {
  if (a.get() == b.get()) return true;
  if (!a.defined() || !b.defined()) return false;
  if (a->kind != b->kind || a->name != b->name || a->loop != b->loop || a->memory != b->memory ||
      a->type != b->type || a->alignment != b->alignment || a->component != b->component ||
      a->exprs.size() != b->exprs.size() || a->body.size() != b->body.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a->exprs.size(); ++i) {
    if (!same(a->exprs[i], b->exprs[i])) return false;
  }
  for (std::size_t i = 0; i < a->body.size(); ++i) {
    if (!same(a->body[i], b->body[i])) return false;
  }
  return true;
}

}  // namespace tensordsl::ir
