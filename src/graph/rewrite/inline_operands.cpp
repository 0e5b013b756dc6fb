#include "graph/rewrite/inline_operands.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "classify/classify.h"
#include "graph/rewrite/composed_funcs.h"
#include "graph/rewrite/epilogues.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using namespace ir;
using classify::Class;

namespace {

constexpr std::size_t kMostParts = 8;
constexpr std::size_t kMostPartTensors = 32;
// Devices promise a kernel few arguments.
constexpr std::size_t kMostOperands = 12;

class PartComposer {
 public:
  PartComposer(const definitions::DefinitionGraph& graph, const std::set<std::string>& kept,
               const std::set<std::string>& apart)
      : graph_(graph), funcs_(graph), readers_(funcs_.readers()), epilogues_(graph, funcs_, readers_) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      const definitions::DefinedTensor& t = graph.tensors[i];
      const bool may_be = !t.func.is_input() && !kept.contains(t.origin.kind) && !apart.contains(t.name) &&
                          funcs_.funcs_of(i).size() == 1 && !t.func.contents().is_tuple();
      kinds_.push_back(may_be ? std::optional(classify::classify(t.func.contents()).kind) : std::nullopt);
      if (kinds_[i] && *kinds_[i] != Class::Pointwise && *kinds_[i] != Class::Movement) kinds_[i].reset();
      moved_sums_.push_back(kinds_[i] == Class::Movement && is_mover(i) && moves_sum(i));
    }
  }

  std::map<std::size_t, Composition> run() const {
    std::map<std::size_t, Composition> compositions;
    std::set<std::size_t> taken;
    for (std::size_t i = graph_.tensors.size(); i-- > 0;) {
      if (taken.contains(i) || !kinds_[i]) continue;
      std::set<std::size_t> tensors{i};
      add_sources(i, false, tensors);
      if (tensors.size() < 2 || operands_of(tensors) > kMostOperands) continue;
      taken.insert(tensors.begin(), tensors.end());
      compositions.emplace(i, Composition{std::move(tensors), "is inlined into"});
    }
    return compositions;
  }

 private:
  /// True if the tensor only moves an accumulated tensor that nothing else reads, which may then be computed
  /// at the moved indices.
  bool moves_sum(std::size_t tensor) const {
    return std::ranges::any_of(funcs_.reads_of({graph_.tensors[tensor].func}), [&](std::size_t source) {
      return readers_[source].size() == 1 &&
             (funcs_.funcs_of(source).size() > 1 || moved_sums_[source] || epilogues_.contains(source));
    });
  }

  /// A select among several tensors.
  bool is_whole(std::size_t tensor) const {
    return kinds_[tensor] == Class::Movement && funcs_.reads_of({graph_.tensors[tensor].func}).size() > 1;
  }

  /// One read of another tensor.
  bool is_mover(std::size_t tensor) const { return kinds_[tensor] == Class::Movement && !is_whole(tensor); }

  void add_sources(std::size_t reader, bool is_part, std::set<std::size_t>& tensors) const {
    // A layout transformation by itself goes into the indices of its reader, or stays.
    if (is_mover(reader) && !is_part) return;
    const std::vector<std::size_t> reads = funcs_.reads_of({graph_.tensors[reader].func});
    std::vector<std::size_t> sources;
    std::ranges::copy_if(reads, std::back_inserter(sources), [&](std::size_t source) {
      return may_be_in(source, reader, is_part || is_whole(reader));
    });
    if (is_whole(reader) && (sources.size() < reads.size() || reads.size() > kMostParts)) return;
    // A chain is a group without it.
    if (!is_whole(reader) && !is_part && sources.size() == 1) return;
    for (const std::size_t source : sources) {
      if (tensors.size() >= kMostPartTensors && !is_whole(reader)) return;
      tensors.insert(source);
      add_sources(source, is_part || is_whole(reader), tensors);
    }
  }

  /// True if only one read of the reader needs it.
  bool may_be_in(std::size_t source, std::size_t reader, bool is_part) const {
    if (!kinds_[source] || graph_.is_read_by_host(source) || epilogues_.contains(source)) return false;
    if (readers_[source] != std::vector<std::size_t>{reader} || reads_in(reader, source) != 1) return false;
    if (is_mover(source)) return is_part && !moved_sums_[source];
    if (is_whole(source) && is_part) return false;  // indices would be written out in indices
    return is_whole(reader) || is_mover(reader) ||
           classify::reads_in_place(graph_.tensors[reader].func.contents(),
                                    graph_.tensors[source].func.name());
  }

  /// Returns the number of other tensors that these read.
  std::size_t operands_of(const std::set<std::size_t>& tensors) const {
    std::set<std::size_t> operands;
    for (const std::size_t tensor : tensors) {
      for (const std::size_t read : funcs_.reads_of({graph_.tensors[tensor].func})) {
        if (!tensors.contains(read)) operands.insert(read);
      }
    }
    return operands.size();
  }

  int reads_in(std::size_t reader, std::size_t source) const {
    int reads = 0;
    for (const Expr& value : graph_.tensors[reader].func.contents().definitions[0].expressions()) {
      visit(value, [&](const Expr& e) {
        reads += e->kind == ExprKind::Call && e->function == graph_.tensors[source].func.shared() ? 1 : 0;
        return true;
      });
    }
    return reads;
  }

  const definitions::DefinitionGraph& graph_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  Epilogues epilogues_;
  std::vector<bool> moved_sums_;
  std::vector<std::optional<Class>> kinds_;  // of element-wise tensors
};

}  // namespace

void inline_operands(Graph& graph, const GraphContext& context) {
  const auto compositions =
      PartComposer(graph.definitions, context.options.on_host, graph.fallbacks.refused(Refusal::Together))
          .run();
  graph.definitions = with_compositions(std::move(graph.definitions), compositions, context.notes);
}

}  // namespace tensordsl::graph
