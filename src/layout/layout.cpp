#include "tensordsl/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include "base/index_limit.h"
#include "ir/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Term = Layout::Term;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// The number that `digits` is, if it is one from `least` on.
std::optional<int> number(std::string_view digits, int least) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size() && value >= least;
  return is_number ? std::optional(value) : std::nullopt;
}

int dimension(std::string_view name, const std::vector<std::string>& dims) {
  const auto it = std::find(dims.begin(), dims.end(), name);
  if (it != dims.end()) return static_cast<int>(it - dims.begin());
  throw ParseError(
      fmt::format("unknown dimension \"{}\"; the dimensions are {}", name, fmt::join(dims, ", ")));
}

bool is_power_of_two(int value) { return (value & (value - 1)) == 0; }

constexpr int kMaxBlock = 1 << 16;
/// Of the elements on each side of a term: two of them and an extent fit an i32.
constexpr int kMaxFree = 1 << 29;

bool is_well_formed(const Term::Swizzle& s) {
  return s.divisor > 0 && s.modulus > 0 && s.unit > 0 && is_power_of_two(s.modulus) &&
         is_power_of_two(s.unit) && s.modulus <= kMaxBlock && s.unit <= kMaxBlock;
}

/// "k/4%4*8"
Term::Swizzle parse_swizzle(std::string_view whole, std::string_view text,
                            const std::vector<std::string>& dims) {
  Term::Swizzle swizzle;
  const auto end = text.find_first_of("/%*");
  swizzle.other = dimension(text.substr(0, end), dims);
  const auto part = [&](char symbol, int otherwise) {
    const auto at = text.find(symbol);
    if (at == std::string_view::npos) return otherwise;
    const std::string_view rest = text.substr(at + 1);
    return number(rest.substr(0, rest.find_first_of("/%*")), 1).value_or(0);
  };
  swizzle.divisor = part('/', 1);
  swizzle.modulus = part('%', 0);
  swizzle.unit = part('*', 1);
  if (is_well_formed(swizzle)) return swizzle;
  throw ParseError(
      fmt::format("\"{}\": a swizzle is ^e/q%m*f, with a dimension e and powers of two m and f, up to {}; "
                  "\"/q\" and \"*f\" may be left out",
                  whole, kMaxBlock));
}

Term parse_term(std::string_view whole, const std::vector<std::string>& dims) {
  Term term;
  std::string_view rest = whole;
  if (!whole.empty() && whole[0] >= '0' && whole[0] <= '9' && whole.find('+') != std::string_view::npos) {
    const auto lead = number(whole.substr(0, whole.find('+')), 1);
    if (!lead || *lead > kMaxFree)
      throw ParseError(
          fmt::format("\"{}\": what is left free must be a positive number of elements, up to 2^29", whole));
    term.lead = *lead;
    rest = whole.substr(whole.find('+') + 1);
  }
  const auto plus = rest.find('+'), caret = rest.find('^');
  const std::string_view word = rest.substr(0, std::min(plus, caret));
  if (caret != std::string_view::npos && (plus != std::string_view::npos || term.lead > 0)) {
    throw ParseError(
        fmt::format("\"{}\": a dimension is swizzled or has elements free beside it, not both", whole));
  }
  if (caret != std::string_view::npos) term.swizzle = parse_swizzle(whole, rest.substr(caret + 1), dims);
  if (plus != std::string_view::npos) {
    const auto gap = number(rest.substr(plus + 1), 1);
    if (!gap || *gap > kMaxFree)
      throw ParseError(
          fmt::format("\"{}\": what is left free must be a positive number of elements, up to 2^29", whole));
    term.gap = *gap;
  }
  const auto cut = word.find_first_of("/%");
  const std::string_view name = word.substr(0, cut);
  term.dim = dimension(name, dims);
  if (cut == std::string_view::npos) return term;
  if (term.swizzle) throw ParseError(fmt::format("\"{}\": only a whole dimension is swizzled", whole));
  term.part = word[cut] == '/' ? Term::Part::Quotient : Term::Part::Remainder;
  const auto factor = number(word.substr(cut + 1), 1);
  if (!factor) throw ParseError(fmt::format("\"{}\": a block size must be a positive number", whole));
  term.factor = *factor;
  return term;
}

/// Every dimension once, whole or as one quotient and one remainder of the same factor.
void check_cover(const std::vector<Term>& terms, const std::vector<std::string>& dims) {
  for (const Term& t : terms) {
    if (!t.swizzle) continue;
    const bool is_plain = std::all_of(terms.begin(), terms.end(), [&](const Term& other) {
      return other.dim != t.swizzle->other || (!other.swizzle && other.dim != t.dim);
    });
    if (is_plain) continue;
    throw ParseError(fmt::format(
        "dimension \"{}\" is swizzled by \"{}\", which must be another one that is not swizzled itself",
        dims[static_cast<std::size_t>(t.dim)], dims[static_cast<std::size_t>(t.swizzle->other)]));
  }
  for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
    const std::string& name = dims[static_cast<std::size_t>(d)];
    int whole = 0;
    std::vector<int> quotients, remainders;
    for (const Term& t : terms) {
      if (t.dim != d) continue;
      if (t.part == Term::Part::Whole) ++whole;
      if (t.part == Term::Part::Quotient) quotients.push_back(t.factor);
      if (t.part == Term::Part::Remainder) remainders.push_back(t.factor);
    }
    if (whole == 0 && quotients.empty() && remainders.empty()) {
      throw ParseError(fmt::format("dimension \"{}\" is missing", name));
    }
    const bool is_whole = whole == 1 && quotients.empty() && remainders.empty();
    const bool is_cut = whole == 0 && quotients.size() == 1 && quotients == remainders;
    if (!is_whole && !is_cut) {
      throw ParseError(
          fmt::format("dimension \"{0}\" must appear once as \"{0}\", or once as \"{0}/k\" and once as "
                      "\"{0}%k\" with the same k",
                      name));
    }
  }
}

}  // namespace

Layout Layout::parse(std::string_view text, const std::vector<std::string>& dims) {
  Layout layout;
  layout.rank_ = static_cast<int>(dims.size());
  const auto end_group = [&] {
    const std::size_t first = layout.group_ends_.empty() ? 0 : layout.group_ends_.back();
    if (layout.terms_.size() == first) throw ParseError("a group between \"|\" has no dimension");
    layout.group_ends_.push_back(layout.terms_.size());
  };
  for (const std::string_view word : words_of(text)) {
    if (word == "|") {
      end_group();
    } else {
      layout.terms_.push_back(parse_term(word, dims));
    }
  }
  check_cover(layout.terms_, dims);
  if (!dims.empty() || !layout.group_ends_.empty()) end_group();
  return layout;
}

Layout Layout::of(const std::vector<Term>& terms) {
  Layout layout;
  layout.terms_ = terms;
  for (const Term& t : terms) {
    const bool is_possible = t.dim >= 0 && t.factor >= 1 && t.gap >= 0 && t.lead >= 0 && t.gap <= kMaxFree &&
                             t.lead <= kMaxFree && (!t.swizzle || (t.gap == 0 && t.lead == 0)) &&
                             (!t.swizzle || (t.part == Term::Part::Whole && is_well_formed(*t.swizzle)));
    if (!is_possible) throw ParseError(fmt::format("the term of dimension {} is none of a layout", t.dim));
    layout.rank_ = std::max(layout.rank_, t.dim + 1);
  }
  std::vector<std::string> dims;
  for (int d = 0; d < layout.rank_; ++d) dims.push_back(fmt::format("d{}", d));
  check_cover(terms, dims);
  layout.group_ends_ = {terms.size()};
  return layout;
}

Layout Layout::row_major(int rank) {
  Layout layout;
  layout.rank_ = rank;
  for (int d = 0; d < rank; ++d) layout.terms_.push_back({d, Term::Part::Whole, 1, 0, {}});
  layout.group_ends_ = {layout.terms_.size()};
  return layout;
}

bool Layout::is_row_major() const { return terms_ == row_major(rank_).terms_; }

std::string Layout::to_string(const std::vector<std::string>& dims) const {
  std::string text;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& t = terms_[i];
    if (std::find(group_ends_.begin(), group_ends_.end(), i) != group_ends_.end()) text += " |";
    if (!text.empty()) text += ' ';
    if (t.lead > 0) text += fmt::format("{}+", t.lead);
    text += dims.at(static_cast<std::size_t>(t.dim));
    if (t.part == Term::Part::Quotient) text += fmt::format("/{}", t.factor);
    if (t.part == Term::Part::Remainder) text += fmt::format("%{}", t.factor);
    if (t.gap > 0) text += fmt::format("+{}", t.gap);
    if (t.swizzle) {
      text += "^" + dims.at(static_cast<std::size_t>(t.swizzle->other));
      if (t.swizzle->divisor > 1) text += fmt::format("/{}", t.swizzle->divisor);
      text += fmt::format("%{}", t.swizzle->modulus);
      if (t.swizzle->unit > 1) text += fmt::format("*{}", t.swizzle->unit);
    }
  }
  return text;
}

namespace {

/// Without what is free beside it.
template <typename Extent>
Extent used_extent(const Term& t, const Extent& extent) {
  switch (t.part) {
    case Term::Part::Whole: {
      const int block = t.swizzle ? t.swizzle->modulus * t.swizzle->unit : 1;
      return block == 1 ? extent : (extent + (block - 1)) / block * block;
    }
    case Term::Part::Quotient:
      return (extent + (t.factor - 1)) / t.factor;
    case Term::Part::Remainder:
      break;
  }
  return Extent(t.factor);
}

template <typename Extent>
std::vector<Extent> stored_extents_of(const std::vector<Term>& terms, const std::vector<Extent>& extents) {
  std::vector<Extent> stored;
  for (const Term& t : terms) {
    const Extent used = used_extent(t, extents.at(static_cast<std::size_t>(t.dim)));
    stored.push_back(t.lead + t.gap > 0 ? used + (t.lead + t.gap) : used);
  }
  return stored;
}

}  // namespace

std::vector<Expr> Layout::stored_extents(const std::vector<Expr>& extents) const {
  return stored_extents_of(terms_, extents);
}

std::vector<std::int64_t> Layout::stored_extents(const std::vector<std::int64_t>& extents) const {
  return stored_extents_of(terms_, extents);
}

int Layout::padding(int dim) const {
  for (const Term& t : terms_) {
    if (t.dim == dim && t.swizzle) return t.swizzle->modulus * t.swizzle->unit;
    if (t.dim == dim && t.part == Term::Part::Remainder) return t.factor;
  }
  return 1;
}

std::int64_t Layout::stored_elements(const std::vector<std::int64_t>& extents) const {
  const bool is_shape =
      static_cast<int>(extents.size()) == rank_ &&
      std::all_of(extents.begin(), extents.end(), [](std::int64_t e) { return e >= 0 && e <= kMaxElements; });
  if (!is_shape) {
    throw ShapeError(fmt::format("[{}] is no shape of {} dimensions; each extent is from 0 to {}",
                                 fmt::join(extents, ", "), rank_, kMaxElements));
  }
  const auto stored = stored_extents(extents);
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t e) { return e <= 0; })) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t e : stored) {
    if (e <= kMaxElements / elements) {
      elements *= e;
      continue;
    }
    throw ShapeError(fmt::format(
        "a tensor of [{}], stored as [{}], has more elements than a kernel can index, which is {}",
        fmt::join(extents, ", "), fmt::join(stored, ", "), kMaxElements));
  }
  return elements;
}

namespace {

Expr swizzled(const Expr& index, const std::vector<Expr>& indices, const Term::Swizzle& s) {
  const Expr& other = indices.at(static_cast<std::size_t>(s.other));
  return ir::make_intrinsic(Int(32), "bitwise_xor", {index, other / s.divisor % s.modulus * s.unit});
}

std::int64_t swizzled(std::int64_t index, const std::vector<std::int64_t>& indices, const Term::Swizzle& s) {
  return index ^ (indices[static_cast<std::size_t>(s.other)] / s.divisor % s.modulus * s.unit);
}

}  // namespace

std::vector<Expr> Layout::stored_indices(const std::vector<Expr>& indices) const {
  std::vector<Expr> stored;
  for (const Term& t : terms_) {
    const Expr& index = indices.at(static_cast<std::size_t>(t.dim));
    switch (t.part) {
      case Term::Part::Whole:
        stored.push_back(t.swizzle ? swizzled(index, indices, *t.swizzle) : index);
        break;
      case Term::Part::Quotient:
        stored.push_back(index / t.factor);
        break;
      case Term::Part::Remainder:
        stored.push_back(index % t.factor);
        break;
    }
    if (t.lead > 0) stored.back() = stored.back() + t.lead;
  }
  return stored;
}

std::vector<Expr> Layout::group_extents(const std::vector<Expr>& extents) const {
  const std::vector<Expr> stored = stored_extents(extents);
  std::vector<Expr> groups;
  std::size_t i = 0;
  for (const std::size_t end : group_ends_) {
    Expr extent = stored[i++];
    while (i < end) extent = extent * stored[i++];
    groups.push_back(extent);
  }
  return groups;
}

std::vector<Expr> Layout::group_indices(const std::vector<Expr>& indices,
                                        const std::vector<Expr>& extents) const {
  const std::vector<Expr> within = stored_extents(extents);
  const std::vector<Expr> stored = stored_indices(indices);
  std::vector<Expr> groups;
  std::size_t i = 0;
  for (const std::size_t end : group_ends_) {
    Expr at = stored[i++];
    for (; i < end; ++i) at = at * within[i] + stored[i];
    groups.push_back(at);
  }
  return groups;
}

std::int64_t Layout::position(const std::vector<std::int64_t>& index,
                              const std::vector<std::int64_t>& extents) const {
  const auto stored = stored_extents(extents);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& t = terms_[i];
    const std::int64_t x = index[static_cast<std::size_t>(t.dim)];
    const std::int64_t part = t.swizzle                        ? swizzled(x, index, *t.swizzle)
                              : t.part == Term::Part::Whole    ? x
                              : t.part == Term::Part::Quotient ? x / t.factor
                                                               : x % t.factor;
    at = at * stored[i] + part + t.lead;
  }
  return at;
}

std::optional<std::vector<std::int64_t>> Layout::index_at(std::int64_t position,
                                                          const std::vector<std::int64_t>& extents) const {
  const auto stored = stored_extents(extents);
  std::vector<std::int64_t> index(extents.size(), 0);
  for (std::size_t i = terms_.size(); i-- > 0; position /= stored[i]) {
    const Term& t = terms_[i];
    const std::int64_t part = position % stored[i] - t.lead;
    if (part < 0 || part >= stored[i] - t.lead - t.gap) return std::nullopt;
    index[static_cast<std::size_t>(t.dim)] += t.part == Term::Part::Quotient ? part * t.factor : part;
  }
  for (const Term& t : terms_) {
    std::int64_t& at = index[static_cast<std::size_t>(t.dim)];
    if (t.swizzle) at = swizzled(at, index, *t.swizzle);
  }
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (index[d] >= extents[d]) return std::nullopt;
  }
  return index;
}

namespace {

/// No more than the stored ones, so what stored_elements accepts does not overflow here.
std::int64_t row_major_elements(const std::vector<std::int64_t>& extents) {
  std::int64_t elements = 1;
  for (const std::int64_t e : extents) elements *= e;
  return elements;
}

void require_bytes(std::string_view call, std::size_t given, std::int64_t elements,
                   std::size_t element_bytes) {
  const std::size_t needed = static_cast<std::size_t>(elements) * element_bytes;
  if (given == needed) return;
  throw ShapeError(fmt::format("{}: {} bytes were given, but {} elements of {} bytes are {}", call, given,
                               elements, element_bytes, needed));
}

/// Calls f(row-major position, stored position) for every logical index.
template <typename F>
void for_each_position(const Layout& layout, const std::vector<std::int64_t>& extents, F f) {
  const std::int64_t elements = row_major_elements(extents);
  if (elements == 0) return;
  const bool is_swizzled = std::any_of(layout.terms().begin(), layout.terms().end(),
                                       [](const Term& t) { return t.swizzle.has_value(); });
  // Unless it is swizzled, the stored position is that of the first element and one part per dimension, so a
  // table per dimension replaces the divisions.
  std::vector<std::vector<std::int64_t>> part(extents.size());
  std::vector<std::int64_t> index(extents.size(), 0);
  const std::int64_t first = layout.position(index, extents);
  for (std::size_t d = 0; d < extents.size() && !is_swizzled; ++d) {
    for (index[d] = 0; index[d] < extents[d]; ++index[d])
      part[d].push_back(layout.position(index, extents) - first);
    index[d] = 0;
  }
  // Rows of the last dimension; a tensor without dimensions is one row of one element.
  const std::int64_t row = extents.empty() ? 1 : extents.back();
  const std::vector<std::int64_t> whole{0};
  const std::vector<std::int64_t>& in_row = extents.empty() ? whole : part.back();
  for (std::int64_t at = 0; at < elements; at += row) {
    if (is_swizzled) {
      for (std::int64_t i = 0; i < row; ++i) {
        if (!extents.empty()) index.back() = i;
        f(static_cast<std::size_t>(at + i), static_cast<std::size_t>(layout.position(index, extents)));
      }
    } else {
      std::int64_t stored = first;
      for (std::size_t d = 0; d + 1 < extents.size(); ++d)
        stored += part[d][static_cast<std::size_t>(index[d])];
      for (std::int64_t i = 0; i < row; ++i)
        f(static_cast<std::size_t>(at + i),
          static_cast<std::size_t>(stored + in_row[static_cast<std::size_t>(i)]));
    }
    for (std::size_t d = extents.size() < 2 ? 0 : extents.size() - 1; d-- > 0;) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
}

/// Calls copy(to, from) with elements of a type of `size` bytes, or byte by byte.
template <typename Positions>
void copy_elements(std::size_t size, std::byte* to, const std::byte* from, const Positions& positions) {
  const auto as = [&]<typename T>(T) {
    positions([&](std::size_t to_index, std::size_t from_index) {
      std::memcpy(to + to_index * sizeof(T), from + from_index * sizeof(T), sizeof(T));
    });
  };
  switch (size) {
    case 1:
      return as(std::uint8_t{});
    case 2:
      return as(std::uint16_t{});
    case 4:
      return as(std::uint32_t{});
    case 8:
      return as(std::uint64_t{});
    default:
      positions([&](std::size_t to_index, std::size_t from_index) {
        std::memcpy(to + to_index * size, from + from_index * size, size);
      });
  }
}

}  // namespace

void pack_into(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
               const std::vector<std::int64_t>& extents, std::span<std::byte> stored) {
  const auto size = static_cast<std::size_t>(element_bytes);
  require_bytes("pack", stored.size(), layout.stored_elements(extents), size);
  require_bytes("pack", row_major.size(), row_major_elements(extents), size);
  if (layout.is_row_major()) {
    std::ranges::copy(row_major, stored.begin());
    return;
  }
  copy_elements(size, stored.data(), row_major.data(), [&](const auto& copy) {
    for_each_position(layout, extents, [&](std::size_t from, std::size_t to) { copy(to, from); });
  });
}

std::vector<std::byte> pack(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
                            const std::vector<std::int64_t>& extents) {
  const std::int64_t elements = layout.stored_elements(extents);
  require_bytes("pack", row_major.size(), row_major_elements(extents),
                static_cast<std::size_t>(element_bytes));
  std::vector<std::byte> stored(static_cast<std::size_t>(elements) * static_cast<std::size_t>(element_bytes));
  pack_into(row_major, element_bytes, layout, extents, stored);
  return stored;
}

std::vector<std::byte> unpack(std::span<const std::byte> stored, int element_bytes, const Layout& layout,
                              const std::vector<std::int64_t>& extents) {
  const auto size = static_cast<std::size_t>(element_bytes);
  require_bytes("unpack", stored.size(), layout.stored_elements(extents), size);
  std::vector<std::byte> row_major(static_cast<std::size_t>(row_major_elements(extents)) * size);
  copy_elements(size, row_major.data(), stored.data(),
                [&](const auto& copy) { for_each_position(layout, extents, copy); });
  return row_major;
}

}  // namespace tensordsl
