#include "lower/passes/memory/coalesce_loads.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "lower/name_supply.h"
#include "lower/passes/memory/block_reads.h"
#include "lower/passes/memory/contiguous_reads.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class LoadSharing {
 public:
  LoadSharing(const Stmt& kernel, const Images& images) : memory_(kernel, images), names_(kernel) {}

  Stmt run(const Stmt& stmt) {
    if (stmt->kind == StmtKind::Store) return run_block({stmt});
    if (stmt->kind != StmtKind::Block) {
      return map_children(stmt, nullptr, [&](const Stmt& child) { return run(child); });
    }
    std::vector<Stmt> statements;
    for (const Stmt& s : stmt->body) statements.push_back(s->kind == StmtKind::Store ? s : run(s));
    return run_block(statements);
  }

 private:
  /// A read at statements `first` and `last`, and perhaps at others between them.
  struct Shared {
    std::size_t first = 0, last = 0;
    Expr variable;
  };
  using SharedReads = std::unordered_map<BlockRead, Shared, BlockReadHash>;

  Stmt run_block(const std::vector<Stmt>& written) {
    std::vector<NamedRead> named;
    const std::vector<Stmt> block = combine_contiguous_reads(written, memory_, names_, named);
    SharedReads shared = shared_reads(block);
    for (const NamedRead& vector : named) {
      const Expr variable = make_var(vector.name, vector.read.expr.type());
      shared[vector.read] = {vector.statement, block.size(), variable};
    }
    std::vector<Stmt> statements;
    BlockReads reads(memory_);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const bool is_store = block[i]->kind == StmtKind::Store;
      statements.push_back(is_store ? with_names(block[i], i, reads, shared, named) : block[i]);
      if (i + 1 < block.size()) reads.pass(block[i]);
    }
    std::stable_sort(named.begin(), named.end(),
                     [](const NamedRead& a, const NamedRead& b) { return a.statement < b.statement; });
    return bound(statements, named);
  }

  SharedReads shared_reads(const std::vector<Stmt>& block) const {
    SharedReads shared;
    BlockReads reads(memory_);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (block[i]->kind == StmtKind::Store) {
        for (const BlockRead& read : reads.always_read(block[i])) {
          const auto it = shared.emplace(read, Shared{i, i, Expr()}).first;
          it->second.last = i;
        }
      }
      if (i + 1 < block.size()) reads.pass(block[i]);
    }
    return shared;
  }

  /// Replaces a read by a variable, from the first statement on that reads it unconditionally.
  Stmt with_names(const Stmt& store, std::size_t i, BlockReads& reads, SharedReads& shared,
                  std::vector<NamedRead>& named) {
    const auto variable_of = [&](const BlockRead& read) {
      const auto it = shared.find(read);
      return it != shared.end() && it->second.first <= i ? it->second.variable : Expr();
    };
    for (const BlockRead& read : reads.always_read(store)) {
      Shared& here = shared.at(read);
      if (here.variable.defined() || here.first != i || here.last == i) continue;
      const Expr value = reads.replaced(read.expr, variable_of);
      here.variable = make_var(names_.numbered("t"), read.expr.type());
      named.push_back({i, here.variable->name, {value, read.version}});
    }
    return map_children(
        store, [&](const Expr& e) { return reads.replaced(e, variable_of); }, nullptr);
  }

  static Stmt bound(const std::vector<Stmt>& statements, std::vector<NamedRead>& named) {
    if (named.empty()) return make_block(statements);
    std::vector<Stmt> rest;  // from its end
    for (std::size_t i = statements.size(); i-- > 0;) {
      rest.push_back(statements[i]);
      for (; !named.empty() && named.back().statement == i; named.pop_back()) {
        rest = {
            make_let(named.back().name, named.back().read.expr, make_block({rest.rbegin(), rest.rend()}))};
      }
    }
    return make_block({rest.rbegin(), rest.rend()});
  }

  const KernelMemory memory_;
  NameSupply names_;
};

}  // namespace

Stmt coalesce_loads(const Stmt& stmt, const Images& images) { return LoadSharing(stmt, images).run(stmt); }

}  // namespace tensordsl::lower
