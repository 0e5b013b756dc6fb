// Groups whose kernels a device refuses, and how they are computed instead when the passes run again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::graph {

/// A way to compute a tensor that a device may refuse.
enum class Refusal : unsigned {
  Together = 1,   ///< several tensors as one kernel
  Winograd = 2,   ///< a convolution in Winograd's domain
  Sliding = 4,    ///< a contraction with the windows that slide over it
  Images = 8,     ///< a tensor as an image
  Tuned = 16,     ///< the schedule that trials have found, or that the caller has given
  Strategy = 32,  ///< one of the strategies
  WorkGroup = 64  ///< work-groups of the chosen size
};

/// A set of these.
class Refusals {
 public:
  constexpr Refusals() = default;
  constexpr Refusals(Refusal kind) : bits_(static_cast<unsigned>(kind)) {}  // NOLINT: one is a set too

  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr bool meets(Refusals other) const { return (bits_ & other.bits_) != 0; }
  friend constexpr Refusals operator|(Refusals a, Refusals b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  unsigned bits_ = 0;
};

/// Tensors (DefinedTensor::name) that a device has refused.
class Fallbacks {
 public:
  struct RefusedStrategy {
    std::string_view name;
    std::string reason;
  };
  using Strategies = std::vector<RefusedStrategy>;  // in the order in which they were refused

  /// Each adds a refusal, and returns true if that is new. `kind`: neither Strategy nor WorkGroup.
  bool refuse(Refusal kind, std::set<std::string> tensors);
  bool refuse_strategy(const std::string& tensor, std::string_view strategy, std::string reason);
  bool limit_items(const std::string& tensor, std::int64_t most);
  /// Forgets the strategies and the limit of a tensor whose group is split: the remaining group is another
  /// one.
  void forget_schedules(const std::string& tensor);

  /// Returns the tensors with a refusal of that kind.
  const std::set<std::string>& refused(Refusal kind) const;
  bool is_refused(Refusal kind, const std::string& tensor) const { return refused(kind).contains(tensor); }
  /// Returns the strategies that are refused of a tensor.
  const Strategies& strategies(const std::string& tensor) const;
  /// Returns how many work-items the driver allows in the tensor's work-groups, if it has refused more.
  std::optional<std::int64_t> most_items(const std::string& tensor) const;

  /// Returns the kinds of the refusals that are new since the last call.
  Refusals take_new();

  std::vector<std::string> warnings;  ///< one warning for each refusal, for the caller that compiles the
                                      ///< graph

 private:
  std::map<Refusal, std::set<std::string>> refused_;
  std::map<std::string, Strategies> strategies_;
  std::map<std::string, std::int64_t> most_items_;
  Refusals new_;
};

/// True if the strategy is among those.
bool contains(const Fallbacks::Strategies& refused, std::string_view strategy);

}  // namespace tensordsl::graph
