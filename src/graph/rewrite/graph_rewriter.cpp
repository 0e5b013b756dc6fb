#include "graph/rewrite/graph_rewriter.h"

#include <utility>

#include "graph/rewrite/remove_dead_tensors.h"
#include "graph/rewrite/renumber_tensors.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

GraphRewriter::GraphRewriter(DefinitionGraph graph, PassNotes* notes)
    : graph_(std::move(graph)), notes_(notes), funcs_(graph_) {}

const std::vector<std::size_t>& GraphRewriter::readers_of(std::size_t tensor) const {
  if (!readers_) readers_ = funcs_.readers();
  return readers_->at(tensor);
}

DefinitionGraph GraphRewriter::run(const std::function<void(std::size_t tensor)>& visit) {
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
    visited_ = graph_.tensors[i];
    visit(i);
    if (!redirector_.replacement_of(graph_.tensors[i].func.contents())) {
      for (const Func& func : funcs_.funcs_of(i)) redirector_.update(func);
    }
    visited_.func = redirector_.now(visited_.func);
    place.push_back(made_.size());
    made_.push_back(std::move(visited_));
  }
  DefinitionGraph result = graph_;
  result.tensors = std::move(made_);
  // A tensor that became another one is named no more, but as an input of the model.
  std::vector<std::size_t> named = place;
  for (const auto& [tensor, other] : merged_) named[tensor] = named[other];
  const std::vector<std::size_t> inputs = result.inputs;
  renumber_tensors(result, named);
  for (std::size_t i = 0; i < inputs.size(); ++i) result.inputs[i] = place[inputs[i]];
  return remove_dead_tensors(std::move(result));
}

void GraphRewriter::replace(std::size_t tensor, const std::vector<Func>& parts) {
  for (const Func& part : parts) redirector_.update(part);
  redirector_.redirect(graph_.tensors[tensor].func, redirector_.now(parts.back()));
}

void GraphRewriter::merge(std::size_t tensor, std::size_t other, std::string text) {
  redirector_.redirect(graph_.tensors[tensor].func, redirector_.now(graph_.tensors[other].func));
  merged_.emplace(tensor, other);
  if (!graph_.tensors[tensor].constant)
    note(tensor, PassOutcome::Same, std::move(text), {graph_.tensors[other].name});
}

void GraphRewriter::note(std::size_t tensor, PassOutcome outcome, std::string text,
                         std::vector<std::string> into) const {
  if (notes_) notes_->push_back({graph_.tensors[tensor].name, outcome, std::move(text), std::move(into)});
}

}  // namespace tensordsl::graph
