// Reads from memory in the statements of a block, versioned by the stores between them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

/// The tensors of a kernel that are memory, and the ones among them that it writes.
class KernelMemory {
 public:
  KernelMemory(const ir::Stmt& kernel, const Images& images);

  /// False for arrays and variables of a work-item.
  bool is_memory(const std::string& tensor) const { return !own_.contains(tensor); }
  /// Returns the memory that `stmt` may change: the targets of its stores and, for a barrier, all that the
  /// kernel writes.
  std::set<std::string> changed_by(const ir::Stmt& stmt) const;
  const Images& images() const { return images_; }

 private:
  const Images& images_;
  std::set<std::string> own_, written_;
};

/// A read before a statement of a block. Two that are equal give the same value.
struct BlockRead {
  Expr expr;
  std::int64_t version = 0;  // the number of statements up to the last one that changes memory that it loads

  friend bool operator==(const BlockRead& a, const BlockRead& b) {
    return a.version == b.version && same(a.expr, b.expr);
  }
};

struct BlockReadHash {
  std::size_t operator()(const BlockRead& read) const {
    return ir::ExprHash{}(read.expr) ^ static_cast<std::size_t>(read.version);
  }
};

/// A read is a load from memory; or, where only one side of a select, && or || loads, all of that operation.
class BlockReads {
 public:
  /// Collects the reads of a block, whose statements are passed to pass() one after the other.
  explicit BlockReads(const KernelMemory& memory) : memory_(memory) {}

  /// Returns the unconditional reads of `store`, operands first, each once.
  std::vector<BlockRead> always_read(const ir::Stmt& store);
  /// Replaces reads in `expr` by `found(read)`, where that is defined; the largest reads first.
  Expr replaced(const Expr& expr, const std::function<Expr(const BlockRead&)>& found);
  /// Notes that `stmt` is executed: later reads of the tensors that it changes are not the same as earlier
  /// ones.
  void pass(const ir::Stmt& stmt);

 private:
  /// Cached facts about an expression, valid until something changes.
  struct Facts {
    bool loads = false;          // a load that may not be made anywhere
    bool has_lazy_load = false;  // the expression evaluates some of these conditionally
    bool is_memory = true;       // all its loads are of memory
    std::int64_t version = 0;
  };

  const Facts& facts_of(const Expr& expr);
  bool is_read(const Expr& expr);
  void collect(const Expr& expr, std::vector<BlockRead>& reads,
               std::unordered_set<const ir::ExprNode*>& seen);

  const KernelMemory& memory_;
  std::int64_t passed_ = 0;                       // statements
  std::map<std::string, std::int64_t> versions_;  // versions of tensors that were changed
  std::unordered_map<const ir::ExprNode*, Facts> facts_;
};

}  // namespace tensordsl::lower
