#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>
#include <sstream>

#include "base/json_text.h"
#include "report/escape.h"
#include "report/graph_view.h"
#include "report/run_dot.h"
#include "tensordsl/error.h"

namespace tensordsl::report {
namespace {

using json = nlohmann::ordered_json;

// A character at 12 pixels in the fonts of assets/page.css; wider text is compressed. The rest is room around
// it.
constexpr double kTitleCharacter = 7.4, kSubtitleCharacter = 6.4, kPadding = 18, kNodeHeight = 38,
                 kLeast = 74;
constexpr std::size_t kMostCharacters = 30;
constexpr double kPixelsPerInch = 72;

bool is_inner_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !is_inner_byte(c); }));
}

/// Returns one line of at most kMostCharacters.
std::string shortened(const std::string& text) {
  std::string line;
  std::size_t count = 0;
  for (const char c : valid_utf8(text)) {
    if (!is_inner_byte(c) && ++count > kMostCharacters) return line + "\xe2\x80\xa6";
    line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return line;
}

double width_of(const GraphNode& node) {
  const auto [title, subtitle] = node_text(node);
  const double text = std::max(kTitleCharacter * static_cast<double>(characters(title)),
                               kSubtitleCharacter * static_cast<double>(characters(subtitle)));
  return std::max(kLeast, text + kPadding);
}

/// Returns the number of ranks that each edge crosses: a node comes after all that lead to it. Edges of a
/// cycle cross none.
std::vector<std::size_t> crossed_ranks(const Graph& graph) {
  std::vector<std::vector<std::size_t>> readers(graph.nodes.size());
  std::vector<std::size_t> open(graph.nodes.size()), rank(graph.nodes.size()), ready;
  for (const GraphEdge& edge : graph.edges) {
    readers[edge.from].push_back(edge.to);
    ++open[edge.to];
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const std::size_t node = ready.back();
    ready.pop_back();
    for (const std::size_t reader : readers[node]) {
      rank[reader] = std::max(rank[reader], rank[node] + 1);
      if (--open[reader] == 0) ready.push_back(reader);
    }
  }
  const auto crossed = [&](const GraphEdge& edge) {
    return rank[edge.to] > rank[edge.from] ? rank[edge.to] - rank[edge.from] : 0;
  };
  return graph.edges | ranges::views::transform(crossed) | ranges::to<std::vector>();
}

/// Says for each edge if dot lays it out. The work grows with the ranks that edges cross, so if there are
/// many long ones only the shorter are laid out. With Graphviz 2.43 3,000 nodes take a second or two.
std::vector<bool> laid_out_edges(const Graph& graph) {
  constexpr std::size_t kMostRanks = 20'000;
  const std::vector<std::size_t> crossed = crossed_ranks(graph);
  std::vector<std::size_t> order(graph.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t edge) { return crossed[edge]; });
  std::vector<bool> is_laid_out(graph.edges.size(), false);
  std::size_t ranks = 0;
  for (const std::size_t edge : order) {
    ranks += crossed[edge];
    is_laid_out[edge] = ranks <= kMostRanks;
  }
  return is_laid_out;
}

/// The options of a call of dot. The first attempt looks best; dot fails for some graphs, above all with
/// clusters.
struct Attempt {
  const char* edges;
  bool has_clusters;
  double effort;  ///< iterations for straight columns, of each node; most of dot's time goes there
  double seconds;
};

std::string dot_source(const Graph& graph, const Attempt& attempt) {
  std::string text = fmt::format(
      "digraph {{ splines={}; nslimit={}; mclimit=0.4; nodesep=0.22; ranksep=0.34; "
      "node [shape=box, fixedsize=true, label=\"\"];\n",
      attempt.edges, attempt.effort);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    text += fmt::format("n{} [width={:.4f}, height={:.4f}];\n", i, width_of(graph.nodes[i]) / kPixelsPerInch,
                        kNodeHeight / kPixelsPerInch);
  }
  std::vector<std::string> members(graph.clusters.size());
  for (std::size_t i = 0; attempt.has_clusters && i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].cluster) members.at(*graph.nodes[i].cluster) += fmt::format("n{};", i);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i].empty()) text += fmt::format("subgraph cluster_{} {{ margin=7; {} }}\n", i, members[i]);
  }
  const std::vector<bool> is_laid_out = laid_out_edges(graph);
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (is_laid_out[i])
      text += fmt::format("n{} -> n{} [id={}];\n", graph.edges[i].from, graph.edges[i].to, i);
  }
  return text + "}\n";
}

std::vector<double> numbers(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  std::vector<double> values;
  for (double value = 0; words >> value;) values.push_back(value);
  return values;
}

/// Returns a straight edge from the bottom of one box to the top of the other.
std::vector<double> straight(const GraphLayout::Box& from, const GraphLayout::Box& to) {
  return {from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y};
}

/// Graphviz's y grows upward.
GraphLayout read_layout(const std::string& output, const Graph& graph) {
  const json all = parse_json(output);
  const std::vector<double> box = numbers(all.at("bb").get<std::string>());
  GraphLayout layout{box.at(2), box.at(3), {}, {}, {}};
  layout.nodes.resize(graph.nodes.size());
  layout.clusters.resize(graph.clusters.size());
  layout.edges.resize(graph.edges.size());
  for (const json& object : all.value("objects", json::array())) {
    const std::string name = object.at("name").get<std::string>();
    constexpr std::string_view kCluster = "cluster_";
    if (name.starts_with(kCluster)) {
      const std::vector<double> frame = numbers(object.at("bb").get<std::string>());
      layout.clusters.at(std::stoul(name.substr(kCluster.size()))) = {
          frame.at(0), layout.height - frame.at(3), frame.at(2) - frame.at(0), frame.at(3) - frame.at(1)};
    } else if (name.starts_with("n")) {
      const std::vector<double> center = numbers(object.at("pos").get<std::string>());
      GraphLayout::Box& node = layout.nodes.at(std::stoul(name.substr(1)));
      node.width = width_of(graph.nodes[std::stoul(name.substr(1))]);
      node.height = kNodeHeight;
      node.x = center.at(0) - node.width / 2;
      node.y = layout.height - center.at(1) - node.height / 2;
    }
  }
  for (const json& edge : all.value("edges", json::array())) {
    // "e,x,y x,y ..": the position of the arrow, then the curve.
    const std::string text = edge.at("pos").get<std::string>();
    const bool has_arrow = text.starts_with("e,");
    std::vector<double> points = numbers(has_arrow ? text.substr(2) : text);
    if (has_arrow) {
      const double x = points.at(0), y = points.at(1);
      points.erase(points.begin(), points.begin() + 2);
      points[points.size() - 2] = x;
      points.back() = y;
    }
    for (std::size_t i = 1; i < points.size(); i += 2) points[i] = layout.height - points[i];
    layout.edges.at(std::stoul(edge.at("id").get<std::string>())) = std::move(points);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (layout.edges[i].empty())
      layout.edges[i] = straight(layout.nodes[graph.edges[i].from], layout.nodes[graph.edges[i].to]);
  }
  return layout;
}

}  // namespace

std::array<std::string, 2> node_text(const GraphNode& node) {
  return {shortened(node.title), shortened(node.subtitle)};
}

GraphLayout lay_out(const Graph& graph) {
  constexpr std::size_t kSmall = 400;
  const double effort = graph.nodes.size() <= kSmall ? 2 : 0.1;
  const std::vector<Attempt> attempts{
      {"spline", true, effort, 20}, {"spline", false, effort, 20}, {"line", false, 0.02, 60}};
  for (const Attempt& attempt : attempts) {
    const bool is_last = &attempt == &attempts.back();
    try {
      if (const auto output = run_dot(dot_source(graph, attempt), attempt.seconds))
        return read_layout(*output, graph);
    } catch (const Error&) {
      if (is_last) throw;
    } catch (const std::exception& error) {
      if (is_last)
        throw Error(fmt::format("graph: cannot read the output of Graphviz's dot: {}", error.what()));
    }
  }
  throw Error(fmt::format("graph: Graphviz's dot timed out on {} nodes", graph.nodes.size()));
}

}  // namespace tensordsl::report
