#include "onnx/rewrite/order_nodes.h"

#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using Dependences = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// A topological sort by finishing time. Unlike boost::topological_sort it can say where a cycle is.
struct OrderByFinish : boost::default_dfs_visitor {
  OrderByFinish(const Graph& g, std::vector<std::size_t>& o) : graph(&g), order(&o) {}

  void back_edge(Dependences::edge_descriptor edge, const Dependences&) {
    throw ModelError(fmt::format("{} depends on its own output: the graph has a cycle",
                                 label(graph->nodes[edge.m_target])));
  }
  void finish_vertex(Dependences::vertex_descriptor vertex, const Dependences&) { order->push_back(vertex); }

  const Graph* graph;
  std::vector<std::size_t>* order;
};

}  // namespace

void order_nodes(Graph& graph) {
  std::map<std::string, std::size_t> producer;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& output : graph.nodes[i].outputs) producer.emplace(output, i);
  }
  producer.erase("");
  // Edges point from consumer to producer, so that a search from the nodes in file order finishes each
  // producer first and otherwise keeps that order.
  Dependences dependences(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& input : graph.nodes[i].inputs) {
      if (const auto found = producer.find(input); found != producer.end())
        add_edge(i, found->second, dependences);
    }
  }
  std::vector<std::size_t> order;
  boost::depth_first_search(dependences, boost::visitor(OrderByFinish(graph, order)));

  std::vector<ops::Node> ordered;
  ordered.reserve(order.size());
  for (const std::size_t i : order) ordered.push_back(std::move(graph.nodes[i]));
  graph.nodes = std::move(ordered);
}

}  // namespace tensordsl::onnx
