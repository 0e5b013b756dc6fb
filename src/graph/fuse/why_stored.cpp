#include "graph/fuse/why_stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using classify::Class;

StoredReasons::StoredReasons(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                             const std::vector<std::vector<std::size_t>>& readers,
                             const FusionBarriers& apart, const PrologueFinder* prologue,
                             const std::vector<definitions::FusedGroup>& groups)
    : graph_(graph), funcs_(funcs), readers_(readers), apart_(apart), prologue_(prologue) {
  for (const definitions::FusedGroup& group : groups) {
    for (const std::size_t tensor : group.tensors) together_with_.emplace(tensor, group.tensors.front());
  }
}

std::string StoredReasons::why_stored(std::size_t tensor) const {
  constexpr std::size_t kMostNamed = 3;
  std::string text = graph_.is_read_by_host(tensor) ? "it is an output" : "";
  const std::vector<std::size_t>& readers = readers_[tensor];
  for (std::size_t i = 0; i < std::min(readers.size(), kMostNamed); ++i) {
    text += fmt::format("{}%{} {}", text.empty() ? "" : "; ", graph_.tensors[readers[i]].name,
                        why_not_in(tensor, readers[i]));
  }
  if (readers.size() > kMostNamed) text += fmt::format("; read by {} more", readers.size() - kMostNamed);
  return text;
}

std::string StoredReasons::why_not_in(std::size_t tensor, std::size_t reader) const {
  const std::vector<std::string>& on_host = apart_.on_host;
  if (!on_host.empty() && on_host[reader] != on_host[tensor])
    return on_host[reader].empty() ? "is not computed by the host" : "is computed by the host";
  if (!apart_.may_meet(graph_, tensor, reader)) return "was refused by the device in one kernel with it";
  const std::vector<Func> funcs = funcs_.funcs_of(reader);
  std::optional<Class> other;  // than arithmetic on each element
  for (const Func& func : funcs) {
    const Class kind = classify::classify(func.contents()).kind;
    if (kind == Class::Contraction) return why_not_factor_of(tensor, reader);
    if (kind != Class::Pointwise && (!other || kind > *other)) other = kind;
  }
  if (other) return fmt::format("is a {}", classify::to_string(*other));
  if (!std::ranges::equal(graph_.tensors[reader].extents(), graph_.tensors[tensor].extents(), ir::ExprSame()))
    return "has another shape";
  if (!classify::reads_in_place(graph_.tensors[reader].func.contents(), graph_.tensors[tensor].func.name()))
    return "reads it at other indices than it writes";
  if (const std::size_t first = together_with_.at(reader); first != reader)
    return fmt::format("is computed with %{}", graph_.tensors[first].name);
  return readers_[tensor].size() > 1 ? "is one of several readers" : "is a separate kernel";
}

std::string StoredReasons::why_not_factor_of(std::size_t tensor, std::size_t reader) const {
  if (prologue_ && !graph_.is_read_by_host(tensor) && readers_[tensor].size() == 1) {
    const std::string reason = prologue_->why_no_factor(tensor, reader);
    if (!reason.empty()) return reason;
  }
  return "is a contraction";
}

}  // namespace tensordsl::graph
