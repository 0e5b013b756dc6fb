#include "lower/inlined_producers.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "ir/simplify.h"
#include "ir/substitute.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr int kMaxNodes = 20000;

class Inliner {
 public:
  /// False if the definitions have become too large.
  bool add(Producer& producer) {
    for (Definition& definition : producer.definitions) {
      for (Expr& arg : definition.args) arg = inlined(arg);
      definition.value = inlined(definition.value);
      if (is_too_large_) return false;
    }
    if (producer.definitions.size() == 1) inlined_.emplace(producer.function->name, producer);
    return true;
  }

 private:
  Expr inlined(const Expr& expr) {
    const Expr result = rewrite(expr, [this](const Expr& e) {
      const auto callee =
          e->kind == ExprKind::Load && !is_too_large_ ? inlined_.find(e->name) : inlined_.end();
      return callee == inlined_.end() ? e : value_at(callee->second, e);
    });
    int nodes = 0;
    visit(result, [&](const Expr&) { return ++nodes <= kMaxNodes; });
    is_too_large_ = is_too_large_ || nodes > kMaxNodes;
    return result;
  }

  Expr value_at(const Producer& callee, const Expr& load) {
    const Expr place = map_operands(load, [](const Expr& index) { return simplify(index); });
    if (const auto known = values_.find(place); known != values_.end()) return known->second;
    const Expr& value = callee.definitions[0].value;
    is_too_large_ = is_too_large_ || place->levels + value->levels > kMaxLevelsDefined;
    if (is_too_large_) return load;
    Substitution indices;
    for (std::size_t d = 0; d < callee.function->dims.size(); ++d)
      indices[callee.function->dims[d]] = (*place)[d];
    return values_[place] = substitute(value, indices);
  }

  std::map<std::string, Producer> inlined_;
  std::unordered_map<Expr, Expr, ExprHash, ExprSame> values_;
  bool is_too_large_ = false;
};

}  // namespace

std::optional<std::vector<Producer>> with_all_inlined(const std::vector<Producer>& producers) {
  std::vector<Producer> result = producers;
  Inliner inliner;
  for (Producer& producer : result) {
    if (!inliner.add(producer)) return std::nullopt;
  }
  const Producer output = result.back();
  std::erase_if(
      result, [&](const Producer& p) { return p.definitions.size() == 1 && p.function != output.function; });
  return result;
}

}  // namespace tensordsl::lower
