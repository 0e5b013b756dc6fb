// Directed graphs on a page: side by side, with zoom, search, and a panel with the details of a node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensordsl::report {

/// Text of the panel about a node, under a heading.
struct GraphDetail {
  std::string heading;
  std::vector<std::vector<std::string>> rows;      ///< a table without a head; a row of one cell is a line
  std::optional<std::size_t> text = std::nullopt;  ///< index in GraphView::texts of a text to show verbatim
};

struct GraphNode {
  std::string title, subtitle;  ///< lines on the node; long ones are shortened
  std::string name;             ///< the full name, for the panel and the search
  std::size_t category = 0;     ///< index in GraphView::categories
  bool is_faint = false;        ///< drawn with a broken line: it does not exist any more, or not by itself
  std::optional<std::size_t> cluster = std::nullopt;
  std::vector<std::size_t> links = {};  ///< nodes of the other graph that it goes with
  std::vector<GraphDetail> details = {};
};

struct GraphEdge {
  std::size_t from = 0, to = 0;
};

struct Graph {
  std::string title;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::string> clusters;  ///< their names; nodes of one are drawn in a frame
};

struct GraphCategory {
  std::string name;   ///< name in the legend
  std::string color;  ///< CSS color that is visible on white and on black
};

/// A graph, or two linked ones: choosing a node of one shows its links in the other.
struct GraphView {
  std::vector<Graph> graphs;
  std::vector<GraphCategory> categories;
  std::vector<std::string> texts;  ///< long ones, that details share
};

/// The view as JSON for assets/graph.js, laid out. Throws as lay_out does.
std::string graph_json(const GraphView& view);

/// The positions of nodes and edges, in pixels; y grows downward.
struct GraphLayout {
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;  ///< x and y are its upper left corner
  };
  double width = 0, height = 0;
  std::vector<Box> nodes, clusters;  ///< a cluster without nodes has no size
  std::vector<std::vector<double>>
      edges;  ///< x and y of a curve's points: its begin, and three for each piece
};

/// Lays the graph out with Graphviz's program dot. Nodes are as large as their text, and none overlap. Throws
/// Error if dot is not installed, or fails.
GraphLayout lay_out(const Graph& graph);

/// Returns the text on a node: the title and the subtitle, shortened.
std::array<std::string, 2> node_text(const GraphNode& node);

}  // namespace tensordsl::report
