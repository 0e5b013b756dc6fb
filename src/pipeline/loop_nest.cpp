#include "pipeline/loop_nest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "ir/simplify/simplify.h"
#include "ir/text/print.h"

namespace tensordsl {

using namespace ir;

namespace {

bool has_threads(const Stmt& stmt) {
  bool found = false;
  visit(stmt, [&](const Stmt& s) {
    found = found || (s->kind == StmtKind::For && is_thread_loop(s->loop));
    return !found;
  });
  return found;
}

/// "conv.1.xo" -> "xo"
std::string short_name(const std::string& loop) {
  const std::size_t dot = loop.find('.');
  if (dot == std::string::npos) return loop;
  std::size_t start = dot + 1;
  const std::size_t digits = loop.find_first_not_of("0123456789", start);
  if (digits != std::string::npos && digits > start && loop[digits] == '.') start = digits + 1;
  return loop.substr(start);
}

std::string kind_of(LoopKind loop) {
  if (is_block_loop(loop)) return fmt::format("block {}:", gpu_dimension(loop));
  if (is_thread_loop(loop)) return fmt::format("thread {}:", gpu_dimension(loop));
  if (loop == LoopKind::Matrix) return "matrix";
  return loop == LoopKind::Serial ? "for" : loop == LoopKind::Unrolled ? "unrolled" : "vectorized";
}

class Drawing {
 public:
  explicit Drawing(bool has_threads) : has_threads_(has_threads) {}

  void draw(const Stmt& stmt, int indent, bool in_work_item) {
    if (!stmt.defined()) return;
    switch (stmt->kind) {
      case StmtKind::For:
        line(indent, fmt::format("{} {} in [{}, {})", kind_of(stmt->loop), short_name(stmt->name),
                                 print(stmt->min()), print(simplify(stmt->min() + stmt->extent()))));
        draw(stmt->body[0], indent + 1, in_work_item || is_thread_loop(stmt->loop));
        return;
      case StmtKind::If:
        line(indent, fmt::format("if {}", tensordsl::to_string(stmt->condition())));
        draw(stmt->body[0], indent + 1, in_work_item);
        if (stmt->body.size() == 1 || !stmt->body[1].defined()) return;
        line(indent, "else");
        draw(stmt->body[1], indent + 1, in_work_item);
        return;
      case StmtKind::Allocate: {
        const bool is_shared =
            stmt->memory == Memory::Local || (stmt->memory == Memory::Auto && has_threads_ && !in_work_item);
        std::vector<std::string> extents;
        for (const Expr& e : stmt->exprs) extents.push_back(print(e));
        const std::string_view memory = is_shared                          ? "local"
                                        : stmt->memory == Memory::SubGroup ? "sub_group"
                                                                           : "private";
        line(indent, fmt::format("{} {}: {} [{}]", memory, stmt->name, tensordsl::to_string(stmt->type),
                                 fmt::join(extents, ", ")));
        draw(stmt->body[0], indent + 1, in_work_item);
        return;
      }
      case StmtKind::Store:
        line(indent, assignment(*stmt));
        return;
      case StmtKind::Barrier:
        line(indent, "barrier");
        return;
      case StmtKind::Block:
      case StmtKind::Let:
        for (const Stmt& s : stmt->body) draw(s, indent, in_work_item);
        return;
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void line(int indent, const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(indent) * 2, ' ') + text + "\n";
  }

  /// Returns one line for a store: the target and the sources of its value.
  static std::string assignment(const StmtNode& store) {
    std::vector<std::string> reads;
    for (const Expr& expr : store.exprs) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Load && std::find(reads.begin(), reads.end(), e->name) == reads.end())
          reads.push_back(e->name);
        return true;
      });
    }
    for (std::string& name : reads) name += "(...)";
    return fmt::format("{}(...) = {}{}", store.name, reads.empty() ? "..." : "... ", fmt::join(reads, ", "));
  }

  bool has_threads_;
  std::string text_;
};

}  // namespace

std::string draw_loop_nest(const std::string& kernel, const Stmt& nest) {
  Drawing drawing(has_threads(nest));
  drawing.draw(nest, 1, false);
  return fmt::format("kernel {}\n{}", kernel, drawing.take());
}

}  // namespace tensordsl
