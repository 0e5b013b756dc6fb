#include "graph/fuse/fuse_producers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "classify/classify.h"
#include "classify/digits.h"
#include "graph/stages/group_editor.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::AttentionForm;
using definitions::FusedGroup;

// A window of 5 x 5.
constexpr std::int64_t kMostTakenTerms = 25;

/// Returns the number of terms that a Func sums; more than the limit if that is open.
std::int64_t count_terms(const Func& sum) {
  std::int64_t terms = 1;
  for (const ir::Definition& definition : sum.contents().definitions) {
    for (const ir::ReductionAxis& axis : definition.domain) {
      const std::int64_t* extent = ir::as_int(axis.extent);
      if (!extent || *extent > kMostTakenTerms) return kMostTakenTerms + 1;
      terms *= *extent;
    }
  }
  return terms;
}

/// True if the read takes each element of its tensor once, as its reader is computed at `extents`.
bool takes_each_once(const classify::Access& read, const ir::Function& reader,
                     const std::vector<Expr>& extents, const std::vector<Expr>& of_source) {
  std::vector<classify::Axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t* extent = ir::as_int(extents[d]);
    if (!extent) return false;
    axes.push_back({reader.dims[d], *extent});
  }
  std::vector<classify::Digit> all;
  for (std::size_t d = 0; d < read.indices.size(); ++d) {
    const auto digits = classify::digits_of(read.indices[d].index, axes);
    const std::int64_t* extent = ir::as_int(of_source[d]);
    if (!digits || !extent || classify::value_count(*digits) != *extent) return false;
    all.insert(all.end(), digits->begin(), digits->end());
  }
  return classify::use_each_once(axes, all);
}

/// Returns the sum's dimension that is the `element` of `reader`, which reads the sum or a copy of it.
std::optional<int> dim_of_element(const FusedGroup& group, const Func& reader, const Func& sum,
                                  const std::string& element) {
  for (const classify::Access& read : classify::classify(reader.contents()).reads) {
    const auto of_prologue =
        std::ranges::find_if(group.prologue, [&](const Func& f) { return f.shared() == read.tensor; });
    if (of_prologue == group.prologue.end()) continue;
    const bool is_it =
        of_prologue->shared() == sum.shared() ||
        (of_prologue->updates() == 0 && classify::reads_in_place(of_prologue->contents(), sum.name()));
    if (!is_it) continue;
    for (std::size_t d = 0; d < read.indices.size(); ++d) {
      if (read.indices[d].coefficient_of(element) == 1) return static_cast<int>(d);
    }
  }
  return std::nullopt;
}

/// The sums of the prologue. `element`: the dimension of the output.
std::vector<AttentionForm::Added> added_to(const FusedGroup& group, int element) {
  std::vector<AttentionForm::Added> all;
  for (const Func& sum : group.prologue) {
    if (sum.updates() == 0) continue;
    AttentionForm::Added added{sum, std::nullopt};
    for (const Func& func : group.epilogue) {
      const std::vector<std::string>& dims = func.contents().dims;
      if (!added.element && dims.size() == group.outputs[0].contents().dims.size())
        added.element = dim_of_element(group, func, sum, dims[static_cast<std::size_t>(element)]);
    }
    all.push_back(added);
  }
  return all;
}

class Taker {
 public:
  Taker(const definitions::DefinitionGraph& graph, std::vector<FusedGroup> groups,
        const FusionBarriers& apart)
      : graph_(graph), editor_(graph, std::move(groups)), apart_(apart) {}

  std::vector<FusedGroup> run() {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      FusedGroup& group = groups_[i];
      auto* attention = std::get_if<AttentionForm>(&group.form);
      if (!attention) continue;
      for (const std::size_t member : std::vector(group.tensors)) {
        const Func& func = graph_.tensors[member].func;
        for (const classify::Access& read : classify::classify(func.contents()).reads) {
          if (const auto sum = sum_read(read, member)) take_in(i, *sum);
        }
      }
      attention->added = added_to(group, attention->element);
    }
    return editor_.take();
  }

 private:
  /// The group of the sum that `member` takes each element of once.
  std::optional<std::size_t> sum_read(const classify::Access& read, std::size_t member) const {
    const auto source = editor_.funcs().tensor_of(*read.tensor);
    if (!source || graph_.is_read_by_host(*source) || editor_.readers()[*source].size() != 1)
      return std::nullopt;
    if (!apart_.may_meet(graph_, *source, member)) return std::nullopt;
    const auto found = editor_.group_of(*source);
    if (!found) return std::nullopt;
    const FusedGroup& group = groups_[*found];
    const bool is_sum = group.anchors.size() == 1 && group.anchors[0].updates() > 0 &&
                        count_terms(group.anchors[0]) <= kMostTakenTerms;
    const definitions::DefinedTensor& reader = graph_.tensors[member];
    if (!is_sum ||
        !takes_each_once(read, reader.func.contents(), reader.extents(), graph_.tensors[*source].extents()))
      return std::nullopt;
    return found;
  }

  void take_in(std::size_t taker, std::size_t sum) {
    const FusedGroup& other = groups_[sum];
    std::vector<Func> prologue = other.prologue;
    prologue.insert(prologue.end(), other.anchors.begin(), other.anchors.end());
    prologue.insert(prologue.end(), other.epilogue.begin(), other.epilogue.end());
    std::vector<Func>& own = groups_[taker].prologue;
    own.insert(own.begin(), prologue.begin(), prologue.end());
    editor_.join(sum, taker);
  }

  const definitions::DefinitionGraph& graph_;
  GroupEditor editor_;
  std::vector<FusedGroup>& groups_ = editor_.groups();
  const FusionBarriers& apart_;
};

}  // namespace

void fuse_producers(Graph& graph, const GraphContext&) {
  const FusionBarriers barriers = barriers_of(graph, graph.fallbacks.refused(Refusal::Together));
  graph.groups = Taker(graph.definitions, std::move(graph.groups), barriers).run();
}

}  // namespace tensordsl::graph
