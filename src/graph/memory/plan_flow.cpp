#include "graph/memory/plan_flow.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>
#include <numeric>
#include <optional>

namespace tensordsl::graph {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Edge = Traits::edge_descriptor;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, int,
                    boost::property<boost::edge_residual_capacity_t, int,
                                    boost::property<boost::edge_reverse_t, Edge,
                                                    boost::property<boost::edge_weight_t, std::int64_t>>>>>;

/// A tensor x is two vertices: it gives its slot away at left(x), and needs one at right(x).
class SlotNetwork {
 public:
  explicit SlotNetwork(const std::vector<Lifetime>& lives) : count_(lives.size()), network_(2 * count_ + 2) {
    const std::size_t source = 2 * count_, sink = 2 * count_ + 1;
    for (std::size_t x = 0; x < count_; ++x) {
      add(source, right(x), lives[x].bytes);
      add(source, left(x), 0);
      add(right(x), sink, 0);
      for (std::size_t y = 0; y < count_; ++y) {
        if (lives[x].last < lives[y].first)
          add(left(x), right(y), std::max<std::int64_t>(0, lives[y].bytes - lives[x].bytes));
      }
    }
    boost::successive_shortest_path_nonnegative_weights(network_, source, sink);
  }

  /// Returns the tensor that takes over the slot of x.
  std::optional<std::size_t> next(std::size_t x) const {
    for (const Edge& edge : boost::make_iterator_range(boost::out_edges(left(x), network_))) {
      const bool is_own = boost::get(boost::edge_capacity, network_, edge) == 1;
      if (is_own && boost::get(boost::edge_residual_capacity, network_, edge) == 0)
        return boost::target(edge, network_) - count_;
    }
    return std::nullopt;
  }

 private:
  std::size_t left(std::size_t x) const { return x; }
  std::size_t right(std::size_t x) const { return count_ + x; }

  void add(std::size_t from, std::size_t to, std::int64_t cost) {
    const Edge edge = boost::add_edge(from, to, network_).first,
               back = boost::add_edge(to, from, network_).first;
    boost::put(boost::edge_capacity, network_, edge, 1);
    boost::put(boost::edge_capacity, network_, back, 0);
    boost::put(boost::edge_weight, network_, edge, cost);
    boost::put(boost::edge_weight, network_, back, -cost);
    boost::put(boost::edge_reverse, network_, edge, back);
    boost::put(boost::edge_reverse, network_, back, edge);
  }

  std::size_t count_;
  Network network_;
};

}  // namespace

MemoryPlan plan_flow(const std::vector<Lifetime>& lives, const MemoryLimits&) {
  const SlotNetwork network(lives);
  std::vector<std::size_t> order(lives.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return lives[i].first; });
  MemoryPlan plan;
  plan.places.resize(lives.size());
  for (const std::size_t first : order) {
    if (plan.places[first].slot >= 0) continue;
    const auto slot = plan.slot_bytes.size();
    plan.slot_bytes.push_back(0);
    for (std::optional<std::size_t> x = first; x; x = network.next(*x)) {
      plan.places[*x].slot = static_cast<int>(slot);
      plan.slot_bytes[slot] = std::max(plan.slot_bytes[slot], lives[*x].bytes);
    }
  }
  return plan;
}

}  // namespace tensordsl::graph
