#include "lower/place/loop_body_editor.h"

#include <algorithm>
#include <set>

#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A group of block (or thread) loops has one body, the innermost loop's.
bool is_same_group(LoopKind a, LoopKind b) {
  return (is_block_loop(a) && is_block_loop(b)) || (is_thread_loop(a) && is_thread_loop(b));
}

/// True if different work-items among those that share run the loop's iterations. A sub-group is a row of the
/// group.
bool is_over_sharers(const StmtNode& loop, Sharing sharing) {
  return sharing == Sharing::Group ? is_thread_loop(loop.loop)
                                   : sharing == Sharing::SubGroup && loop.loop == LoopKind::Thread0;
}

/// Returns the names of the path whose values may differ between the work-items that share.
std::set<std::string> varying_names(const std::vector<Stmt>& path, Sharing sharing) {
  std::set<std::string> varying;
  for (const Stmt& around : path) {
    if (around->kind != StmtKind::For && around->kind != StmtKind::Let) continue;
    bool varies = around->kind == StmtKind::For && is_over_sharers(*around, sharing);
    for (const Expr& e : around->exprs) {
      for (const std::string& name : varying) varies = varies || uses_var(e, name);
    }
    if (varies) varying.insert(around->name);
  }
  return varying;
}

}  // namespace

Stmt LoopBodyEditor::run(const Stmt& stmt) {
  const bool is_target = stmt->kind == StmtKind::For && stmt->name == name_;
  found_ = found_ || is_target;
  return inside(stmt, [&](const Stmt& s) { return is_target ? enter(s, stmt->loop) : run(s); });
}

Stmt LoopBodyEditor::enter(const Stmt& stmt, LoopKind group) {
  // The values of a tuple belong to the stores after them.
  const bool opens =
      stmt->kind == StmtKind::If || (stmt->kind == StmtKind::Let && !reads_memory(stmt->value()));
  const bool deeper = stmt->kind == StmtKind::For && is_same_group(group, stmt->loop);
  if ((opens && stmt->body.size() == 1) || deeper) {
    return inside(stmt, [&](const Stmt& body) { return enter(body, group); });
  }
  return edit_(stmt);
}

Stmt over_those_who_share(Stmt body, const std::vector<Stmt>& path, Sharing sharing) {
  const std::set<std::string> varying = varying_names(path, sharing);
  if (varying.empty()) return body;
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const StmtNode& around = **it;
    if (around.kind == StmtKind::Let) body = make_let(around.name, around.value(), body);
    if (around.kind == StmtKind::If && around.body.size() == 1) body = make_if(around.condition(), body);
    if (around.kind == StmtKind::For && varying.contains(around.name)) {
      body = make_for(around.name, around.min(), around.extent(), LoopKind::Serial, body);
    }
  }
  return body;
}

const StmtNode* repeating_loop(const std::vector<Stmt>& path) {
  const StmtNode& last_loop =
      **std::find_if(path.rbegin(), path.rend(), [](const Stmt& s) { return s->kind == StmtKind::For; });
  return last_loop.loop == LoopKind::Serial ? &last_loop : nullptr;
}

}  // namespace tensordsl::lower
