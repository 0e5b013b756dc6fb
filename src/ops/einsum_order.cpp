#include "ops/einsum_order.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tensordsl::ops {
namespace {

using Label = EinsumEquation::Label;
using Labels = std::vector<Label>;

bool contains(const Labels& labels, Label label) { return std::ranges::count(labels, label) > 0; }

/// Operands that are left, and the steps that made some of them.
class StepOrder {
 public:
  explicit StepOrder(const EinsumEquation& equation) : equation_(equation) {
    for (std::size_t i = 0; i < equation.inputs.size(); ++i) left_.push_back({i, equation.inputs[i]});
    next_ = left_.size();
    double largest = 2;
    for (const auto& [label, extent] : equation.extents) {
      letters_[label] = letter(letters_.size());
      if (extent.is_known()) largest = std::max(largest, static_cast<double>(extent.value()));
    }
    for (const auto& [label, extent] : equation.extents)
      extents_[label] = extent.is_known() ? static_cast<double>(extent.value()) : largest;
  }

  std::vector<EinsumStep> run() {
    sum_lone_labels();
    if (left_.size() == 2 && steps_.empty()) return {};
    while (left_.size() > 2) {
      const auto [a, b] = cheapest_pair();
      multiply(a, b, labels_to_keep(a, b));
    }
    multiply(0, 1, equation_.output);
    return std::move(steps_);
  }

 private:
  struct Operand {
    std::size_t number;
    Labels labels;
  };

  static char letter(std::size_t i) {
    return static_cast<char>(i < 26 ? 'a' + static_cast<int>(i) : 'A' + static_cast<int>(i) - 26);
  }

  std::string term(const Labels& labels) const {
    std::string text;
    for (const Label label : labels) text += letters_.at(label);
    return text;
  }

  /// True if the result or an operand other than `a` and `b` has the label.
  bool is_needed_beside(std::size_t a, std::size_t b, Label label) const {
    if (contains(equation_.output, label)) return true;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (i != a && i != b && contains(left_[i].labels, label)) return true;
    }
    return false;
  }

  /// Returns the labels of the operands `a` and `b`, each once: first those that both have, so that a
  /// product is one of matrices in a batch.
  Labels labels_to_keep(std::size_t a, std::size_t b) const {
    const Labels &of_a = left_[a].labels, &of_b = left_[b].labels;
    Labels kept;
    const auto keep = [&](const Labels& labels, bool are_shared) {
      for (const Label label : labels) {
        const bool is_shared = contains(of_a, label) && contains(of_b, label);
        if (is_shared == are_shared && !contains(kept, label) && is_needed_beside(a, b, label))
          kept.push_back(label);
      }
    };
    keep(of_a, true);
    keep(of_a, false);
    keep(of_b, false);
    return kept;
  }

  double elements(const Labels& labels) const {
    double count = 1;
    for (const Label label : labels) count *= extents_.at(label);
    return count;
  }

  void sum_lone_labels() {
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const Labels kept = labels_to_keep(i, i);
      const bool has_lone =
          std::ranges::any_of(left_[i].labels, [&](Label label) { return !is_needed_beside(i, i, label); });
      if (!has_lone) continue;
      steps_.push_back({{left_[i].number}, term(left_[i].labels) + "->" + term(kept)});
      left_[i] = {next_++, kept};
    }
  }

  std::pair<std::size_t, std::size_t> cheapest_pair() const {
    struct Choice {
      bool is_outer;
      double growth;
      std::size_t a, b;
    };
    std::optional<Choice> best;
    for (std::size_t a = 0; a < left_.size(); ++a) {
      for (std::size_t b = a + 1; b < left_.size(); ++b) {
        const Labels &of_a = left_[a].labels, &of_b = left_[b].labels;
        const Choice choice{std::ranges::none_of(of_a, [&](Label label) { return contains(of_b, label); }),
                            elements(labels_to_keep(a, b)) - elements(of_a) - elements(of_b), a, b};
        const bool is_better =
            !best || (choice.is_outer != best->is_outer ? best->is_outer : choice.growth < best->growth);
        if (is_better) best = choice;
      }
    }
    return {best->a, best->b};
  }

  /// Needs: a < b.
  void multiply(std::size_t a, std::size_t b, const Labels& kept) {
    steps_.push_back({{left_[a].number, left_[b].number},
                      term(left_[a].labels) + "," + term(left_[b].labels) + "->" + term(kept)});
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(b));
    left_[a] = {next_++, kept};
  }

  const EinsumEquation& equation_;
  std::vector<Operand> left_;
  std::vector<EinsumStep> steps_;
  std::map<Label, char> letters_;
  std::map<Label, double> extents_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<EinsumStep> einsum_steps(const EinsumEquation& equation) {
  constexpr std::size_t kLetters = 52;
  if (equation.inputs.size() < 2 || equation.extents.size() > kLetters) return {};
  return StepOrder(equation).run();
}

}  // namespace tensordsl::ops
