// y = f(x), x := g(a)   ->   y = f(g(a)); outputs, counts and loops that named x now name its replacement
// Needs: tensors after those they read.  Gives: the graph with each reader of a replaced Func updated,
// without unused tensors.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/redirector.h"
#include "graph/stages/pass_log.h"

namespace tensordsl::graph {

/// Rewrites a graph tensor by tensor: the one way in which passes change definitions. A tensor that a pass
/// does not replace stays, and reads the replacements of its operands.
class GraphRewriter {
 public:
  /// `notes` gets a note for each replaced tensor; it may be null.
  GraphRewriter(definitions::DefinitionGraph graph, PassNotes* notes);
  GraphRewriter(const GraphRewriter&) = delete;

  /// Returns the graph before the rewrite.
  const definitions::DefinitionGraph& graph() const { return graph_; }
  const definitions::TensorFuncs& funcs() const { return funcs_; }
  /// Returns the tensors that read this one, in order. The first call computes the readers of all tensors, as
  /// few passes need them.
  const std::vector<std::size_t>& readers_of(std::size_t tensor) const;

  /// Calls `visit` with each tensor, in order, and rebuilds the tensors that it does not replace. Returns the
  /// new graph.
  definitions::DefinitionGraph run(const std::function<void(std::size_t tensor)>& visit);

  // For the tensor that is visited, or for what it reads:

  /// Replaces `func` by `by`, a Func over the graph before the rewrite, in all readers.
  void replace(const Func& func, const Func& by) { redirector_.replace(func, by); }
  /// From now on `func` is read as `by`, a Func over what there is now.
  void redirect(const Func& func, const Func& by) { redirector_.redirect(func, by); }
  /// Replaces a tensor by the last of `parts`. The parts are Funcs over the original graph, each after those
  /// it reads.
  void replace(std::size_t tensor, const std::vector<Func>& parts);
  /// The tensor is `other`, which comes before it, in all that reads it and wherever the graph names it.
  /// `text` says why, for notes; of constants nothing is noted.
  void merge(std::size_t tensor, std::size_t other, std::string text);
  /// Rebuilds `func` if one that it reads was replaced.
  void update(const Func& func) { redirector_.update(func); }
  /// Returns the Func that is read in place of `func`.
  Func now(const Func& func) const { return redirector_.now(func); }
  /// Returns the Func that replaced a Function; null if none did.
  const Func* replacement_of(const ir::Function& function) const {
    return redirector_.replacement_of(function);
  }

  /// The tensor that is visited, as it will be: its Func is the replacement of its former one.
  definitions::DefinedTensor& visited() { return visited_; }
  /// Puts a tensor before the one that is visited.
  void add(definitions::DefinedTensor tensor) { made_.push_back(std::move(tensor)); }

  /// Notes the effect on a tensor (PassNote).
  void note(std::size_t tensor, PassOutcome outcome, std::string text,
            std::vector<std::string> into = {}) const;

 private:
  definitions::DefinitionGraph graph_;
  PassNotes* notes_;
  definitions::TensorFuncs funcs_;
  mutable std::optional<std::vector<std::vector<std::size_t>>> readers_;
  definitions::Redirector redirector_;
  definitions::DefinedTensor visited_;
  std::vector<definitions::DefinedTensor> made_;
  std::map<std::size_t, std::size_t> merged_;  // by tensor, the one that it is
};

}  // namespace tensordsl::graph
