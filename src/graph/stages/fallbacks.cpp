#include "graph/stages/fallbacks.h"

#include <algorithm>
#include <utility>

namespace tensordsl::graph {

bool Fallbacks::refuse(Refusal kind, std::set<std::string> tensors) {
  std::set<std::string>& known = refused_[kind];
  const std::size_t before = known.size();
  known.merge(tensors);
  if (known.size() == before) return false;
  new_ = new_ | kind;
  return true;
}

bool Fallbacks::refuse_strategy(const std::string& tensor, std::string_view strategy, std::string reason) {
  Strategies& known = strategies_[tensor];
  if (contains(known, strategy)) return false;
  known.push_back({strategy, std::move(reason)});
  new_ = new_ | Refusal::Strategy;
  return true;
}

bool Fallbacks::limit_items(const std::string& tensor, std::int64_t most) {
  const auto [known, is_first] = most_items_.try_emplace(tensor, most);
  if (!is_first && known->second <= most) return false;
  known->second = most;
  new_ = new_ | Refusal::WorkGroup;
  return true;
}

void Fallbacks::forget_schedules(const std::string& tensor) {
  strategies_.erase(tensor);
  most_items_.erase(tensor);
}

const std::set<std::string>& Fallbacks::refused(Refusal kind) const {
  static const std::set<std::string> kNone;
  const auto known = refused_.find(kind);
  return known == refused_.end() ? kNone : known->second;
}

const Fallbacks::Strategies& Fallbacks::strategies(const std::string& tensor) const {
  static const Strategies kNone;
  const auto known = strategies_.find(tensor);
  return known == strategies_.end() ? kNone : known->second;
}

std::optional<std::int64_t> Fallbacks::most_items(const std::string& tensor) const {
  const auto known = most_items_.find(tensor);
  return known == most_items_.end() ? std::nullopt : std::optional(known->second);
}

bool contains(const Fallbacks::Strategies& refused, std::string_view strategy) {
  return std::ranges::find(refused, strategy, &Fallbacks::RefusedStrategy::name) != refused.end();
}

Refusals Fallbacks::take_new() { return std::exchange(new_, {}); }

}  // namespace tensordsl::graph
