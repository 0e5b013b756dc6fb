#include <cmath>
#include <nlohmann/json.hpp>

#include "report/graph_view.h"
#include "report/specification.h"

namespace tensordsl::report {
namespace {

using nlohmann::ordered_json;

/// Rounds to tenths of a pixel; finer positions are not visible.
double rounded(double value) { return std::round(value * 10) / 10; }

ordered_json box_json(const GraphLayout::Box& box) {
  return {rounded(box.x), rounded(box.y), rounded(box.width), rounded(box.height)};
}

ordered_json details_json(const std::vector<GraphDetail>& details) {
  ordered_json list = ordered_json::array();
  for (const GraphDetail& detail : details) {
    ordered_json entry{{"heading", detail.heading}};
    if (!detail.rows.empty()) entry["rows"] = detail.rows;
    if (detail.text) entry["text"] = *detail.text;
    list.push_back(std::move(entry));
  }
  return list;
}

ordered_json graph_json(const Graph& graph) {
  const GraphLayout layout = lay_out(graph);
  ordered_json json{{"title", graph.title},
                    {"width", rounded(layout.width)},
                    {"height", rounded(layout.height)},
                    {"nodes", ordered_json::array()},
                    {"edges", ordered_json::array()},
                    {"clusters", ordered_json::array()}};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    ordered_json entry{{"box", box_json(layout.nodes[i])},
                       {"text", node_text(node)},
                       {"name", node.name},
                       {"category", node.category},
                       {"links", node.links},
                       {"details", details_json(node.details)}};
    if (node.is_faint) entry["faint"] = true;
    json["nodes"].push_back(std::move(entry));
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    ordered_json points = ordered_json::array();
    for (const double value : layout.edges[i]) points.push_back(rounded(value));
    json["edges"].push_back({graph.edges[i].from, graph.edges[i].to, std::move(points)});
  }
  for (std::size_t i = 0; i < graph.clusters.size(); ++i) {
    if (layout.clusters[i].width > 0)
      json["clusters"].push_back({{"box", box_json(layout.clusters[i])}, {"name", graph.clusters[i]}});
  }
  return json;
}

}  // namespace

std::string graph_json(const GraphView& view) {
  ordered_json json{
      {"graphs", ordered_json::array()}, {"categories", ordered_json::array()}, {"texts", view.texts}};
  for (const Graph& graph : view.graphs) json["graphs"].push_back(graph_json(graph));
  for (const GraphCategory& category : view.categories)
    json["categories"].push_back({{"name", category.name}, {"color", category.color}});
  return json_text(json);
}

}  // namespace tensordsl::report
