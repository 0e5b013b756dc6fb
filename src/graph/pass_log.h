// What passes over a graph tell of themselves: data, for reports. Nobody decides by it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl {

/// What a pass did to a tensor, or why it left it as it is. Tensors are by their names in the model.
struct PassNote {
  std::string tensor;
  std::string text;               ///< "went into the indices of %y"
  std::vector<std::string> into;  ///< tensors that its definition is part of now
};
using PassNotes = std::vector<PassNote>;

/// The tensors that a graph computes.
struct GraphSummary {
  std::vector<std::string> computed, movements;
};
GraphSummary summarize(const DefinitionGraph& graph);

/// Whether all that the tensor's definition does is to move elements.
bool is_movement(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t tensor);

struct PassRecord {
  std::string name;
  GraphSummary before, after;
  PassNotes notes;
};

using PassRecords = std::vector<PassRecord>;

/// Runs passes over a graph, one after the other, and notes what each did if somebody asks.
class LoggedPasses {
 public:
  LoggedPasses(DefinitionGraph graph, PassRecords* log) : graph_(std::move(graph)), log_(log) {}

  /// `pass`: from the graph, and notes or null, to the graph.
  template <typename Pass>
  void run(const char* name, const Pass& pass) {
    if (!log_) {
      graph_ = pass(std::move(graph_), nullptr);
      return;
    }
    PassRecord record{name, summarize(graph_), {}, {}};
    graph_ = pass(std::move(graph_), &record.notes);
    record.after = summarize(graph_);
    log_->push_back(std::move(record));
  }

  DefinitionGraph take() { return std::move(graph_); }

 private:
  DefinitionGraph graph_;
  PassRecords* log_;
};

}  // namespace tensordsl
