// Statements: immutable trees, like expressions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

enum class StmtKind : std::uint8_t {
  Block,     // body: the statements in order
  For,       // name; exprs: min, extent; loop; body[0]
  If,        // exprs: condition (scalar Bool); body[0], and body[1] if there is an else
  Let,       // name; exprs: value; body[0]: scope of an immutable name
  Store,     // name: the buffer; exprs: value, indices...; alignment, component: as of a Load
  Allocate,  // name; type; exprs: extents; memory; body[0]
  Barrier,   // work-group barrier; memory: Local or Global
};

enum class LoopKind : std::uint8_t {
  Serial,
  Unrolled,
  Vectorized,
  Block0,
  Block1,
  Block2,  // get_group_id(0..2); dimension 0 varies fastest
  Thread0,
  Thread1,
  Thread2,  // get_local_id(0..2)
  Kept,     // serial, and the device's compiler must not unroll it: keep_loops
  Matrix,   // registers of a product of matrices that a sub-group computes: use_matrix_units
};

enum class Memory : std::uint8_t {
  Auto,      // not decided yet
  Global,    // a buffer argument
  Local,     // shared by the work-group
  SubGroup,  // spread over the work-items of a sub-group: lower_sub_group_storage makes it Private
  Private,   // an indexed array of the work-item
  Register,  // a named variable of the work-item: one index, always 0, lanes of the type
};

struct StmtNode;

class Stmt {
 public:
  Stmt() = default;
  explicit Stmt(std::shared_ptr<const StmtNode> node) : node_(std::move(node)) {}
  bool defined() const { return node_ != nullptr; }
  const StmtNode* operator->() const { return node_.get(); }
  const StmtNode& operator*() const { return *node_; }
  const StmtNode* get() const { return node_.get(); }

 private:
  std::shared_ptr<const StmtNode> node_;
};

struct StmtNode {
  StmtKind kind = StmtKind::Block;
  std::string name;
  std::vector<Expr> exprs;
  std::vector<Stmt> body;
  LoopKind loop = LoopKind::Serial;
  Memory memory = Memory::Auto;
  Type type;
  std::int64_t alignment = 1;
  int component = kWhole;
  NameFilter names;  // names in the statement, whether bound or used

  // Accessors of `exprs` by meaning. On another kind of statement each throws InternalError.
  const Expr& min() const;                             // For
  const Expr& extent() const;                          // For: iterations, not the last one
  const Expr& condition() const;                       // If
  const Expr& value() const;                           // Let, Store
  std::vector<Expr> indices() const;                   // Store
  const Expr& index(std::size_t dimension = 0) const;  // Store; the only one where addresses are linear
  const std::vector<Expr>& extents() const;            // Allocate
};

Stmt make_block(std::vector<Stmt> statements);  // flattens nested blocks; one statement stays itself
Stmt make_for(const std::string& name, Expr min, Expr extent, LoopKind loop, Stmt body);
Stmt make_if(Expr condition, Stmt then, Stmt otherwise = Stmt());
Stmt make_let(const std::string& name, Expr value, Stmt body);
Stmt make_store(const std::string& buffer, Expr value, std::vector<Expr> indices, std::int64_t alignment = 1,
                int component = kWhole);
Stmt make_allocate(const std::string& name, Type type, std::vector<Expr> extents, Memory memory, Stmt body);
Stmt make_barrier(Memory memory);

/// Rebuilds `stmt` with each direct expression and sub-statement mapped; itself if nothing changed.
/// A body mapped to an undefined Stmt is dropped (a Block loses it; a For, If, Let or Allocate whose only
/// body is gone becomes undefined itself).
Stmt map_children(const Stmt& stmt, const std::function<Expr(const Expr&)>& on_expr,
                  const std::function<Stmt(const Stmt&)>& on_stmt);

/// Calls `on_stmt` on `stmt` and everything below, parents first (false skips the children), and `on_expr` on
/// every direct expression of the visited statements. Either may be null.
void visit(const Stmt& stmt, const std::function<bool(const Stmt&)>& on_stmt,
           const std::function<void(const Expr&)>& on_expr = nullptr);

/// True if an expression of the statement uses the variable.
bool uses_var(const Stmt& stmt, const std::string& name);

bool is_block_loop(LoopKind kind);
bool is_thread_loop(LoopKind kind);
int gpu_dimension(LoopKind kind);  // 0..2 of a block or thread loop
LoopKind block_loop(int dimension);
LoopKind thread_loop(int dimension);

bool same(const Stmt& a, const Stmt& b);

}  // namespace tensordsl::ir
