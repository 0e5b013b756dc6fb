#include "graph/take_in_sums.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "classify/digits.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

// A window of 5 x 5.
constexpr std::int64_t kMostTakenTerms = 25;
// An attention's: of scores, the highest, the weights, and the weighted ones.
constexpr std::size_t kSumsOfAttention = 4;

/// How many terms a Func sums; more than the most if that is open.
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

/// Whether the read takes each element of what it reads once, as its reader is computed at `extents`.
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

class Taker {
 public:
  Taker(const DefinitionGraph& graph, std::vector<Group> groups, const KeptApart& apart)
      : graph_(graph), groups_(std::move(groups)), apart_(apart), funcs_(graph), readers_(readers_of(graph)) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const std::size_t tensor : groups_[i].stored_tensors) group_of_[tensor] = i;
    }
  }

  std::vector<Group> run() {
    for (Group& group : groups_) {
      if (group.anchors.size() < kSumsOfAttention) continue;
      for (const std::size_t member : std::vector(group.tensors)) {
        const Func& func = graph_.tensors[member].func;
        for (const classify::Access& read : classify::classify(func.contents()).reads) {
          if (const auto sum = sum_read(read, member)) take_in(group, *sum);
        }
      }
    }
    std::vector<Group> left;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!taken_.contains(i)) left.push_back(std::move(groups_[i]));
    }
    return left;
  }

 private:
  /// The group of the sum that `member` takes each element of once.
  std::optional<std::size_t> sum_read(const classify::Access& read, std::size_t member) const {
    const auto source = funcs_.tensor_of(*read.tensor);
    if (!source || graph_.is_read_by_host(*source) || readers_[*source].size() != 1) return std::nullopt;
    if (!apart_.may_meet(graph_, *source, member)) return std::nullopt;
    const auto found = group_of_.find(*source);
    if (found == group_of_.end() || taken_.contains(found->second)) return std::nullopt;
    const Group& group = groups_[found->second];
    const bool is_sum = group.anchors.size() == 1 && group.anchors[0].updates() > 0 &&
                        count_terms(group.anchors[0]) <= kMostTakenTerms;
    const DefinedTensor& reader = graph_.tensors[member];
    if (!is_sum ||
        !takes_each_once(read, reader.func.contents(), reader.extents(), graph_.tensors[*source].extents()))
      return std::nullopt;
    return found->second;
  }

  void take_in(Group& group, std::size_t sum) {
    const Group& other = groups_[sum];
    std::vector<Func> prologue = other.prologue;
    prologue.insert(prologue.end(), other.anchors.begin(), other.anchors.end());
    prologue.insert(prologue.end(), other.epilogue.begin(), other.epilogue.end());
    group.prologue.insert(group.prologue.begin(), prologue.begin(), prologue.end());
    group.tensors.insert(group.tensors.begin(), other.tensors.begin(), other.tensors.end());
    group.label = other.label + "+" + group.label;
    taken_.insert(sum);
  }

  const DefinitionGraph& graph_;
  std::vector<Group> groups_;
  const KeptApart& apart_;
  TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::map<std::size_t, std::size_t> group_of_;  // by tensor that is stored
  std::set<std::size_t> taken_;
};

}  // namespace

std::vector<Group> take_in_sums(const DefinitionGraph& graph, std::vector<Group> groups,
                                const KeptApart& apart) {
  return Taker(graph, std::move(groups), apart).run();
}

}  // namespace tensordsl
