// Graphs on a page: their layout, and what becomes of their texts.
#include "report/graph_view.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "report/page.h"
#include "report/run_dot.h"
#include "tensordsl/error.h"

namespace tensordsl::report {
namespace {

using Box = GraphLayout::Box;

/// The PATH of this process, as long as it lives.
class PathVariable {
 public:
  explicit PathVariable(const std::string& path) : before_(std::getenv("PATH")) {
    setenv("PATH", path.c_str(), 1);
  }
  PathVariable(const PathVariable&) = delete;
  PathVariable& operator=(const PathVariable&) = delete;
  ~PathVariable() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

/// A folder with a program "dot" that does something else.
class OtherDot {
 public:
  explicit OtherDot(const std::string& script) {
    std::string name = (std::filesystem::temp_directory_path() / "tensordsl-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    if (script.empty()) return;
    std::ofstream(folder_ / "dot") << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(folder_ / "dot", std::filesystem::perms::owner_all);
  }
  ~OtherDot() { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

bool has_graphviz() { return std::system("command -v dot >/dev/null 2>&1") == 0; }

GraphNode node(const std::string& title, const std::string& subtitle = "") {
  return {title, subtitle, title};
}

/// Deep, with edges over a few nodes and over many; nodes in clusters of four; texts of many lengths.
Graph deep_graph(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph{"deep", {}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    graph.nodes.push_back(node(std::string(1 + random() % 40, 'M'), std::string(random() % 50, 'w')));
    graph.nodes.back().name = fmt::format("node {}", i);
    if (i % 8 < 4) graph.nodes.back().cluster = i / 8;
    if (i == 0) continue;
    graph.edges.push_back({i - 1 - random() % std::min<std::size_t>(i, 3), i});
    if (random() % 5 == 0) graph.edges.push_back({i - 1 - random() % std::min<std::size_t>(i, 12), i});
  }
  for (std::size_t i = 0; i <= count / 8; ++i) graph.clusters.push_back(fmt::format("cluster {}", i));
  return graph;
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

int overlaps(const std::vector<Box>& boxes) {
  int count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) count += overlap(boxes[i], boxes[j]) ? 1 : 0;
  }
  return count;
}

/// The larger of a point's horizontal and vertical distances from a box.
double distance(const Box& box, double x, double y) {
  const double dx = std::max({box.x - x, x - box.x - box.width, 0.0});
  const double dy = std::max({box.y - y, y - box.y - box.height, 0.0});
  return std::max(dx, dy);
}

void check_layout(const Graph& graph) {
  const GraphLayout layout = lay_out(graph);
  REQUIRE(layout.nodes.size() == graph.nodes.size());
  CHECK(overlaps(layout.nodes) == 0);
  CHECK(overlaps(layout.clusters) == 0);
  int outside = 0, apart = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Box& box = layout.nodes[i];
    const bool is_inside = box.x > -1 && box.y > -1 && box.x + box.width < layout.width + 1 &&
                           box.y + box.height < layout.height + 1;
    outside += is_inside ? 0 : 1;
    if (!graph.nodes[i].cluster) continue;
    const Box& cluster = layout.clusters[*graph.nodes[i].cluster];
    if (cluster.width == 0) continue;  // laid out without
    const bool is_in_cluster =
        distance(cluster, box.x, box.y) < 1 && distance(cluster, box.x + box.width, box.y + box.height) < 1;
    outside += is_in_cluster ? 0 : 1;
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const std::vector<double>& points = layout.edges[i];
    REQUIRE(points.size() >= 4);
    constexpr double kArrow = 14;
    apart += distance(layout.nodes[graph.edges[i].from], points[0], points[1]) > kArrow ? 1 : 0;
    apart +=
        distance(layout.nodes[graph.edges[i].to], points[points.size() - 2], points.back()) > kArrow ? 1 : 0;
  }
  CHECK(outside == 0);
  CHECK(apart == 0);
}

/// Two graphs whose texts contain characters that end elements elsewhere.
GraphView nasty_view() {
  const std::string nasty = "</script><!-- \"a\" & 'b' \xc3\xa4 \xe9 ]]> \x01 \\";
  Graph first{nasty, {node(nasty, nasty), node("b")}, {{0, 1}}, {nasty}};
  first.nodes[0].cluster = 0;
  first.nodes[0].links = {0};
  first.nodes[0].details = {{nasty, {{nasty, nasty}}}, {nasty, {}, 0}};
  Graph second{"after", {node("c")}, {}, {}};
  second.nodes[0].links = {0};
  return {{first, second}, {{nasty, "#123456"}}, {nasty}};
}

}  // namespace

TEST_CASE("node_text: one line of at most thirty characters, and dots where there are more") {
  CHECK(node_text(node("Conv+Relu", "f32 [1, 3]")) == std::array<std::string, 2>{"Conv+Relu", "f32 [1, 3]"});
  CHECK(node_text(node(std::string(31, 'a')))[0] == std::string(30, 'a') + "\xe2\x80\xa6");
  CHECK(node_text(node("a\nb\x01"
                       "c"))[0] == "a b c");
  std::string thirty, more;
  for (int i = 0; i < 30; ++i) thirty += "\xc3\xa4";
  CHECK(node_text(node(thirty))[0] == thirty);
  CHECK(node_text(node(thirty + "b"))[0] == thirty + "\xe2\x80\xa6");
}

TEST_CASE("lay_out: no nodes overlap, each is in its cluster, edges begin and end at nodes" *
          doctest::skip(!has_graphviz())) {
  check_layout({"empty", {}, {}, {}});
  check_layout({"one", {node("a")}, {{0, 0}}, {}});
  check_layout({"twice", {node("a"), node("b")}, {{0, 1}, {0, 1}}, {"nobody's"}});
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    check_layout(deep_graph(20 + 60 * seed, seed));
  }
}

TEST_CASE("lay_out: three thousand nodes" * doctest::skip(!has_graphviz())) {
  check_layout(deep_graph(3000, 1));
  // Edges from everywhere to everywhere are straight lines.
  Graph tangled = deep_graph(3000, 2);
  std::mt19937 random(3);
  for (std::size_t i = 1000; i < 3000; ++i) tangled.edges.push_back({random() % 900, i});
  check_layout(tangled);
}

TEST_CASE("lay_out: the same graph has the same layout" * doctest::skip(!has_graphviz())) {
  const GraphLayout once = lay_out(deep_graph(200, 5)), again = lay_out(deep_graph(200, 5));
  CHECK(once.edges == again.edges);
  CHECK(once.width == again.width);
}

TEST_CASE("lay_out: without Graphviz it says what to install") {
  const OtherDot none("");
  const PathVariable path(none.path());
  CHECK_THROWS_WITH_AS(lay_out(deep_graph(3, 1)),
                       "graph: cannot run Graphviz's dot, which lays out graphs (No such file or directory); "
                       "install it (Debian: apt-get install graphviz)",
                       Error);
}

TEST_CASE("lay_out: a dot that fails, crashes or writes something else is an error") {
  const auto fails = [](const std::string& script, const std::string& message) {
    const OtherDot dot(script);
    const PathVariable path(dot.path());
    CHECK_THROWS_WITH_AS(lay_out(deep_graph(3, 1)), message.c_str(), Error);
  };
  fails("echo boom >&2; echo more >&2; exit 3", "graph: Graphviz's dot failed with exit code 3: boom");
  fails("kill -SEGV $$", "graph: Graphviz's dot failed with signal 11: ");
  const OtherDot dot("echo '{}'");
  const PathVariable path(dot.path());
  CHECK_THROWS_AS(lay_out(deep_graph(3, 1)), Error);
}

TEST_CASE("run_dot: what takes too long is ended, and gives nothing") {
  const OtherDot dot("while :; do :; done");
  const PathVariable path(dot.path());
  CHECK_FALSE(run_dot("digraph {}", 0.05).has_value());
}

TEST_CASE("graph_json: nodes, edges and shared texts" * doctest::skip(!has_graphviz())) {
  GraphView view{{{"g", {node("a", "s"), node("b")}, {{0, 1}}, {}}}, {{"kind", "#123456"}}, {"long"}};
  view.graphs[0].nodes[0].details = {{"rows", {{"k", "v"}}}, {"code", {}, 0}};
  view.graphs[0].nodes[1].is_faint = true;
  const auto json = nlohmann::json::parse(graph_json(view));
  CHECK(json["texts"] == nlohmann::json({"long"}));
  const auto& nodes = json["graphs"][0]["nodes"];
  CHECK(nodes[0]["text"] == nlohmann::json({"a", "s"}));
  CHECK(nodes[0]["details"].dump() ==
        R"([{"heading":"rows","rows":[["k","v"]]},{"heading":"code","text":0}])");
  CHECK(nodes[1]["faint"] == true);
  CHECK_FALSE(nodes[0].contains("faint"));
  CHECK(json["graphs"][0]["edges"][0][0] == 0);
  CHECK(json["graphs"][0]["edges"][0][1] == 1);
  // Smaller y is higher: a is above b.
  CHECK(nodes[0]["box"][1] < nodes[1]["box"][1]);
}

TEST_CASE("to_html: a page with graphs is one file, whatever their texts are" *
          doctest::skip(!has_graphviz())) {
  const std::string html = to_html({"t", {}, {{"graphs", {nasty_view()}}}});
  for (const char* stranger : {" src=", " href=", "@import", "<!--", "\xe9 "}) {
    CAPTURE(stranger);
    CHECK(html.find(stranger) == std::string::npos);
  }
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = html.find("</script", at)) != std::string::npos; ++at) ++ends;
  CHECK(ends == 2);
  CHECK(html.find("vega") == std::string::npos);
}

/// Pages that check_graphs.py opens in a browser.
TEST_CASE("to_html: pages for a browser" * doctest::skip(!has_graphviz())) {
  const char* folder = std::getenv("TENSORDSL_WRITE_PAGES");
  if (!folder) return;
  Graph before = deep_graph(3000, 1), after = deep_graph(500, 2);
  for (std::size_t i = 0; i < before.nodes.size(); ++i) {
    before.nodes[i].links = {i / 6};
    after.nodes[i / 6].links.push_back(i);
  }
  after.nodes[7].details = {{"facts", {{"size", "7"}}}, {"code", {}, 0}};
  const GraphView large{{before, after}, {{"kind", "#2f7ed8"}}, {"__kernel void f() {}"}};
  const auto write = [&](const char* name, const GraphView& view) {
    std::ofstream(std::filesystem::path(folder) / name, std::ios::binary)
        << to_html({name, {}, {{"graphs", {view}}}});
  };
  write("large.html", large);
  write("nasty.html", nasty_view());
}

}  // namespace tensordsl::report
