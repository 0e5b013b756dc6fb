// The loop that runs a list of passes: what a refusal sends back, and where to.
#include "graph/stages/graph_pass.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::graph;

namespace {

/// Appends a letter to the reason of tensor 0, which serves as the trace of a run.
template <char letter>
void write(Graph& graph, const GraphContext&) {
  graph.on_host.resize(1);
  graph.on_host[0] += letter;
}

/// Writes 'x', and refuses `kind` of the tensors t0, t1, .. up to `count`, one a run.
template <Refusal kind, int count>
void refuse(Graph& graph, const GraphContext& context) {
  write<'x'>(graph, context);
  const std::size_t known = graph.fallbacks.refused(kind).size();
  if (known < count) graph.fallbacks.refuse(kind, {"t" + std::to_string(known)});
}

std::string trace_of(std::span<const GraphPass> passes) {
  Graph graph;
  run_passes(passes, graph, CompileOptions(), false);
  return graph.on_host.empty() ? "" : graph.on_host[0];
}

}  // namespace

TEST_CASE("graph passes: run in order, those that are switched off left out") {
  constexpr GraphPass passes[] = {{"a", "", write<'a'>},
                                  {"b", "", write<'b'>, [](const CompileOptions&) { return false; }},
                                  {"c", "", write<'c'>}};
  CHECK(trace_of(passes) == "ac");
}

TEST_CASE("graph passes: a refusal restores the graph before the first pass that goes by it") {
  constexpr GraphPass passes[] = {{"a", "", write<'a'>},
                                  {"b", "", write<'b'>, nullptr, Refusal::Together},
                                  {"c", "", write<'c'>, nullptr, Refusal::Images},
                                  {"d", "", refuse<Refusal::Images, 2>},
                                  {"e", "", write<'e'>}};
  CHECK(trace_of(passes) == "abcxe");
  Graph graph;
  run_passes(passes, graph, CompileOptions(), true);
  CHECK(graph.fallbacks.refused(Refusal::Images) == std::set<std::string>{"t0", "t1"});
  CHECK(graph.log.size() == 5);
}

TEST_CASE("graph passes: a pass that is switched off may be the one to go back to") {
  constexpr GraphPass passes[] = {
      {"a", "", write<'a'>},
      {"b", "", write<'b'>, [](const CompileOptions&) { return false; }, Refusal::Together},
      {"c", "", refuse<Refusal::Together, 1>}};
  CHECK(trace_of(passes) == "ax");
}

TEST_CASE("graph passes: a refusal that no pass goes by is an error of ours") {
  constexpr GraphPass passes[] = {{"a", "", write<'a'>, nullptr, Refusal::Images},
                                  {"b", "", refuse<Refusal::Winograd, 1>}};
  CHECK_THROWS_AS(trace_of(passes), InternalError);
}

TEST_CASE("fallbacks: a refusal is new once, and a limit of work-items only falls") {
  Fallbacks fallbacks;
  CHECK(fallbacks.take_new().is_empty());
  CHECK(fallbacks.refuse(Refusal::Winograd, {"a"}));
  CHECK(!fallbacks.refuse(Refusal::Winograd, {"a"}));
  CHECK(fallbacks.refuse(Refusal::Winograd, {"a", "b"}));
  CHECK(fallbacks.is_refused(Refusal::Winograd, "b"));
  CHECK(!fallbacks.is_refused(Refusal::Images, "b"));
  CHECK(fallbacks.take_new().meets(Refusal::Winograd));
  CHECK(fallbacks.refuse_strategy("a", "per_item", "too large"));
  CHECK(!fallbacks.refuse_strategy("a", "per_item", "too large still"));
  REQUIRE(fallbacks.strategies("a").size() == 1);
  CHECK(fallbacks.strategies("a")[0].reason == "too large");
  CHECK(fallbacks.strategies("b").empty());
  CHECK(fallbacks.limit_items("a", 64));
  CHECK(!fallbacks.limit_items("a", 64));
  CHECK(!fallbacks.limit_items("a", 128));
  CHECK(fallbacks.limit_items("a", 32));
  CHECK(fallbacks.most_items("a") == 32);
  CHECK(!fallbacks.most_items("b"));
  fallbacks.forget_schedules("a");
  CHECK(fallbacks.strategies("a").empty());
  CHECK(!fallbacks.most_items("a"));
  CHECK(fallbacks.take_new().meets(Refusal::WorkGroup));
  CHECK(fallbacks.take_new().is_empty());
}
