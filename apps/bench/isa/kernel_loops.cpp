#include "apps/bench/isa/kernel_loops.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>

namespace tensordsl::bench {
namespace {

/// Trips of a loop whose bound the text does not tell.
constexpr double kUnknownTrips = 64;

/// Reads "96", or "96 + (int)get_global_offset(0)" of a loop that compilers must not unroll.
std::optional<double> number_of(const std::string& text) {
  constexpr std::string_view kKept = " + (int)get_global_offset(0)";
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && (*end == '\0' || end == kKept) ? std::optional(value) : std::nullopt;
}

/// The head of a loop: "int k = 0; k < 96; ++k".
struct LoopHead {
  std::string variable;
  std::optional<double> begin, end;  ///< none: the text does not tell
  double step = 1;
};

LoopHead head_of(const std::string& text) {
  static const std::regex kHead(R"(^\w+ (\w+) = (.*); \1 < (.*); (\+\+\1|\1 \+= (\d+))$)");
  std::smatch match;
  if (!std::regex_match(text, match, kHead)) return {};
  return {match[1], number_of(match[2]), number_of(match[3]), match[5].matched ? std::stod(match[5]) : 1};
}

/// Sets the trips of loops that follow one another. Loops of one variable are the pieces of one loop, cut
/// where the text computes it: each gets an equal share of the whole.
void set_trips(std::vector<LoopTree>& loops, const std::vector<LoopHead>& heads) {
  for (std::size_t i = 0; i < loops.size();) {
    std::size_t end = i + 1;
    const bool is_named = !heads[i].variable.empty();
    while (is_named && end < loops.size() && heads[end].variable == heads[i].variable) ++end;
    const std::optional<double> first = heads[i].begin, last = heads[end - 1].end;
    const bool is_whole = first && last;
    for (std::size_t at = i; at < end; ++at) {
      const LoopHead& head = heads[at];
      if (head.begin && head.end)
        loops[at].trips = std::max(0.0, (*head.end - *head.begin) / head.step);
      else
        loops[at].trips =
            is_whole ? (*last - *first) / head.step / static_cast<double>(end - i) : kUnknownTrips;
    }
    i = end;
  }
}

/// Reads the loops of a block from `at`, which is after its "{"; ends after its "}".
std::vector<LoopTree> read_block(const std::string& text, std::size_t& at) {
  std::vector<LoopTree> loops;
  std::vector<LoopHead> heads;
  while (at < text.size() && text[at] != '}') {
    const std::size_t body = text.compare(at, 5, "for (") == 0 ? text.find(") {\n", at) : std::string::npos;
    if (body != std::string::npos) {
      heads.push_back(head_of(text.substr(at + 5, body - at - 5)));
      at = body + 4;
      loops.push_back({1, read_block(text, at)});
    } else if (text[at] == '{') {
      ++at;
      for (LoopTree& loop : read_block(text, at)) {
        heads.push_back({"", 0, loop.trips, 1});
        loops.push_back(std::move(loop));
      }
    } else {
      ++at;
    }
  }
  ++at;
  set_trips(loops, heads);
  return loops;
}

/// Returns the copies of loop bodies that unrolling the loop and all in it makes.
double unrolled(const LoopTree& loop) {
  double inner = 1;
  for (const LoopTree& each : loop.inner) inner += unrolled(each);
  return loop.trips * inner;
}

/// Loops of machine code as loops of the text.
struct LoopMatch {
  double copies = 0;          ///< bodies of the loops of the text that are unrolled
  std::vector<double> trips;  ///< of the loops of machine code, an outer one before those in it
};

/// Finds for each loop of machine code one of the text, in their order, so that unrolling the others takes
/// the fewest copies. None if there are not enough.
std::optional<LoopMatch> match_loops(const std::vector<LoopTree>& machine,
                                     const std::vector<LoopTree>& text) {
  // best[i][k]: of the loops of machine code from i on, and of those of the text from k on.
  std::vector<std::vector<std::optional<LoopMatch>>> best(
      machine.size() + 1, std::vector<std::optional<LoopMatch>>(text.size() + 1));
  best[machine.size()][text.size()] = LoopMatch{};
  for (std::size_t i = machine.size() + 1; i-- > 0;) {
    for (std::size_t k = text.size(); k-- > 0;) {
      best[i][k] = best[i][k + 1];
      if (best[i][k]) best[i][k]->copies += unrolled(text[k]);
      if (i == machine.size() || !best[i + 1][k + 1]) continue;
      std::optional<LoopMatch> match = match_loops(machine[i].inner, text[k].inner);
      if (!match) continue;
      const LoopMatch& rest = *best[i + 1][k + 1];
      match->copies += rest.copies;
      if (best[i][k] && best[i][k]->copies <= match->copies) continue;
      match->trips.insert(match->trips.begin(), text[k].trips);
      match->trips.insert(match->trips.end(), rest.trips.begin(), rest.trips.end());
      best[i][k] = std::move(match);
    }
  }
  return best[0][0];
}

/// Builds the tree of machine loops, [begin, end) by their indices in `loops`.
LoopTree tree_of(const std::vector<MachineLoop>& loops, std::size_t& next, std::size_t end) {
  LoopTree tree;
  while (next < loops.size() && loops[next].begin < end) {
    const std::size_t limit = std::min(end, loops[next].end);
    ++next;
    tree.inner.push_back(tree_of(loops, next, limit));
  }
  return tree;
}

}  // namespace

LoopTree loops_of_text(const std::string& text, const std::string& entry) {
  LoopTree root;
  std::size_t at = text.find(" " + entry + "(");
  if (at == std::string::npos) return root;
  at = text.find("{\n", at);
  if (at == std::string::npos) return root;
  ++at;
  root.inner = read_block(text, at);
  return root;
}

std::vector<double> times_of_instructions(const MachineCode& code, const LoopTree& text) {
  std::size_t next = 0;
  const LoopTree machine = tree_of(code.loops, next, code.instructions.size());
  std::vector<double> times(code.instructions.size(), 1);
  const std::optional<LoopMatch> match = match_loops(machine.inner, text.inner);
  if (!match) return times;
  for (std::size_t i = 0; i < code.loops.size(); ++i) {
    for (std::size_t at = code.loops[i].begin; at < code.loops[i].end; ++at) times[at] *= match->trips[i];
  }
  return times;
}

}  // namespace tensordsl::bench
