#include "graph/views/layout_of_source.h"

#include <algorithm>
#include <cstdint>

#include "classify/digits.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using classify::Digit;
using SourceTerm = Layout::Term;

namespace {

/// The index along one term of the moved tensor's layout: an axis of it, or a mixed-radix number of several
/// axes.
struct Run {
  Expr source;
  std::int64_t extent = 1;
  std::int64_t lead = 0, gap = 0;
};

/// A digit of a dimension of the source, or several that follow each other in it.
struct Piece {
  std::size_t dim = 0;
  std::size_t first = 0, last = 0;  // of the dimension's digits
  std::int64_t size = 1;
  std::int64_t lead = 0, gap = 0;
};

bool has_room(const Run& run) { return run.lead != 0 || run.gap != 0; }

/// The moved tensor's memory, outermost first; nothing where a dimension is cut, or its extent is open.
std::optional<std::vector<Run>> runs_of(const Layout& layout, const std::vector<std::string>& dims,
                                        const std::vector<Expr>& extents) {
  std::vector<Run> runs;
  for (const SourceTerm& term : layout.terms()) {
    const auto dim = static_cast<std::size_t>(term.dim);
    const std::int64_t* extent = ir::as_int(extents[dim]);
    if (!extent || term.part != SourceTerm::Part::Whole || term.swizzle || !term.lead_param.empty())
      return std::nullopt;
    const Run run{ir::make_var(dims[dim]), *extent, term.lead, term.gap};
    if (*extent != 1 || has_room(run)) runs.push_back(run);
  }
  return runs;
}

/// Joins the runs of the number `source` into one; false if they are not contiguous.
bool join(std::vector<Run>& runs, const Expr& source, const std::vector<classify::Axis>& axes) {
  const auto is_source = [&](const Run& run) { return same(run.source, source); };
  if (std::ranges::any_of(runs, is_source)) return true;
  const auto inner = classify::digits_of(source, axes);
  if (!inner || inner->empty()) return false;
  auto first =
      std::ranges::find_if(runs, [&](const Run& run) { return same(run.source, (*inner)[0].source); });
  if (runs.end() - first < static_cast<std::ptrdiff_t>(inner->size())) return false;
  std::int64_t behind = 1;
  for (std::size_t i = 0; i < inner->size(); ++i) {
    const Run& run = *(first + static_cast<std::ptrdiff_t>(i));
    const Digit& digit = (*inner)[i];
    const bool is_whole = digit.low == 1 && digit.size == run.extent && same(digit.source, run.source);
    if (!is_whole || (i > 0 && has_room(run))) return false;
    if (i > 0) behind *= run.extent;
  }
  *first = {source, first->extent * behind, first->lead * behind, first->gap * behind};
  runs.erase(first + 1, first + static_cast<std::ptrdiff_t>(inner->size()));
  return true;
}

/// The digits that a run consists of, the most significant first; nothing if they are not all of it.
std::optional<std::vector<Piece>> pieces_of(const Run& run, const std::vector<std::vector<Digit>>& digits) {
  std::vector<std::pair<std::int64_t, Piece>> found;  // with the place value
  for (std::size_t dim = 0; dim < digits.size(); ++dim) {
    for (std::size_t i = 0; i < digits[dim].size(); ++i) {
      const Digit& digit = digits[dim][i];
      if (same(digit.source, run.source)) found.push_back({digit.low, {dim, i, i, digit.size}});
    }
  }
  std::ranges::sort(found, std::ranges::greater(), &std::pair<std::int64_t, Piece>::first);
  std::vector<Piece> pieces;
  std::int64_t above = run.extent;
  for (auto& [low, piece] : found) {
    if (low * piece.size != above) return std::nullopt;
    above = low;
    pieces.push_back(piece);
  }
  if (above != 1) return std::nullopt;
  if (!has_room(run)) return pieces;
  const std::int64_t low = found.empty() ? 1 : found[0].first;
  if (found.empty() || run.lead % low != 0 || run.gap % low != 0) return std::nullopt;
  pieces[0].lead = run.lead / low;
  pieces[0].gap = run.gap / low;
  return pieces;
}

/// Digits that follow each other in their dimension and in memory are one piece.
std::vector<Piece> joined_pieces(const std::vector<Piece>& pieces) {
  std::vector<Piece> result;
  for (const Piece& piece : pieces) {
    const bool follows = !result.empty() && result.back().dim == piece.dim &&
                         result.back().last + 1 == piece.first && piece.lead == 0 && piece.gap == 0;
    if (!follows) {
      result.push_back(piece);
      continue;
    }
    Piece& before = result.back();
    before.last = piece.last;
    before.size *= piece.size;
    before.lead *= piece.size;
    before.gap *= piece.size;
  }
  return result;
}

/// Each piece as a term: a whole dimension, or a part of one.
std::vector<SourceTerm> layout_terms(const std::vector<Piece>& pieces, std::size_t rank) {
  std::vector<SourceTerm> terms;
  std::vector<bool> is_there(rank, false);
  for (const Piece& piece : pieces) {
    SourceTerm term{.dim = static_cast<int>(piece.dim), .gap = static_cast<int>(piece.gap)};
    term.lead = static_cast<int>(piece.lead);
    std::int64_t below = 1;
    bool is_whole = true, is_highest = true;
    for (const Piece& other : pieces) {
      if (other.dim != piece.dim || other.first == piece.first) continue;
      is_whole = false;
      is_highest = is_highest && piece.first < other.first;
      if (other.first > piece.first) below *= other.size;
    }
    if (!is_whole) {
      term.part = is_highest ? SourceTerm::Part::Quotient : SourceTerm::Part::Remainder;
      term.factor = static_cast<int>(is_highest ? below : piece.size);
      term.divisor = static_cast<int>(is_highest ? 1 : below);
    }
    is_there[piece.dim] = true;
    terms.push_back(term);
  }
  for (std::size_t dim = rank; dim-- > 0;) {
    if (!is_there[dim]) terms.insert(terms.begin(), SourceTerm{.dim = static_cast<int>(dim)});
  }
  return terms;
}

}  // namespace

std::optional<Layout> layout_of_source(const definitions::DefinedTensor& moved,
                                       const definitions::DefinedTensor& source, const Layout& layout) {
  const std::vector<Expr> extents = moved.extents(), of_source = source.extents();
  const ir::Function& function = moved.func.contents();
  const auto movement = classify::movement_of(function, extents, of_source);
  if (!movement || !movement->is_bijective || moved.type() != source.type()) return std::nullopt;
  if (movement->is_identity) return layout;
  auto runs = runs_of(layout, function.dims, extents);
  if (!runs) return std::nullopt;
  std::vector<classify::Axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d)
    axes.push_back({function.dims[d], *ir::as_int(extents[d])});
  for (const auto& of_dim : movement->digits) {
    for (const Digit& digit : of_dim) {
      if (!join(*runs, digit.source, axes)) return std::nullopt;
    }
  }
  std::vector<Piece> pieces;
  for (const Run& run : *runs) {
    const auto of_run = pieces_of(run, movement->digits);
    if (!of_run) return std::nullopt;
    pieces.insert(pieces.end(), of_run->begin(), of_run->end());
  }
  return Layout::of(layout_terms(joined_pieces(pieces), of_source.size()));
}

Layout canonical(const Layout& layout, const std::vector<Expr>& extents) {
  const auto says_something = [&](const SourceTerm& term) {
    const std::int64_t* extent = ir::as_int(extents[static_cast<std::size_t>(term.dim)]);
    const bool is_one = extent && *extent == 1 && term.part == SourceTerm::Part::Whole;
    return !is_one || !(term == SourceTerm{.dim = term.dim});
  };
  std::vector<SourceTerm> terms = layout.terms();
  const auto unit =
      std::ranges::stable_partition(terms, [&](const SourceTerm& term) { return !says_something(term); });
  std::ranges::sort(terms.begin(), unit.begin(), {}, &SourceTerm::dim);
  return Layout::of(terms);
}

}  // namespace tensordsl::graph
