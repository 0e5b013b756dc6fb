#include "graph/stages/graph_pass.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

class PassRunner {
 public:
  PassRunner(std::span<const GraphPass> passes, Graph& graph, const CompileOptions& options, bool logs)
      : passes_(passes), graph_(graph), options_(options), logs_(logs) {}

  void run() {
    for (std::size_t i = 0; i < passes_.size();) {
      const GraphPass& pass = passes_[i];
      if (!pass.goes_by.is_empty()) before_.insert_or_assign(i, graph_);
      if (!pass.is_enabled || pass.is_enabled(options_)) run(pass);
      const Refusals refused = graph_.fallbacks.take_new();
      i = refused.is_empty() ? i + 1 : go_back(refused);
    }
  }

 private:
  void run(const GraphPass& pass) {
    if (!logs_) return pass.run(graph_, {options_});
    PassRecord record{std::string(pass.name), summarize(graph_.definitions, graph_.groups), {}, {}};
    pass.run(graph_, {options_, &record.notes});
    record.after = summarize(graph_.definitions, graph_.groups);
    graph_.log.push_back(std::move(record));
  }

  /// Restores the graph before the first pass that goes by one of these. Returns that pass.
  std::size_t go_back(Refusals refused) {
    const auto first = std::ranges::find_if(
        before_, [&](const auto& entry) { return passes_[entry.first].goes_by.meets(refused); });
    if (first == before_.end())
      throw InternalError(
          "a pass reported a refusal that no earlier pass depends on; mark the pass that does in the list of "
          "passes");
    Fallbacks fallbacks = std::move(graph_.fallbacks);
    graph_ = first->second;
    graph_.fallbacks = std::move(fallbacks);
    before_.erase(std::next(first), before_.end());
    return first->first;
  }

  std::span<const GraphPass> passes_;
  Graph& graph_;
  const CompileOptions& options_;
  bool logs_;
  std::map<std::size_t, Graph> before_;  // the graph before each pass that goes by refusals
};

}  // namespace

void run_passes(std::span<const GraphPass> passes, Graph& graph, const CompileOptions& options, bool logs) {
  PassRunner(passes, graph, options, logs).run();
}

}  // namespace tensordsl::graph
