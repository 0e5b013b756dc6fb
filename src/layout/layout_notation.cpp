// Layouts as text, both ways.
#include "tensordsl/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "base/lexer.h"
#include "layout/most_free.h"
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

bool is_well_formed(const Term::Swizzle& s) {
  return s.divisor > 0 && s.modulus > 0 && s.unit > 0 && is_power_of_two(s.modulus) &&
         is_power_of_two(s.unit) && s.modulus <= kMaxBlock && s.unit <= kMaxBlock / s.modulus;
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
      fmt::format("\"{}\": a swizzle is ^e/q%m*f, with a dimension e and powers of two m and f, m*f up to "
                  "{}; \"/q\" and \"*f\" are optional",
                  whole, kMaxBlock));
}

/// Removes "past+" from "past+64+t" and returns "past": a name before a '+' that a name follows later.
/// Returns an empty text for "i+x", if i is a dimension and x is not.
std::string_view take_lead_param(std::string_view& rest, const std::vector<std::string>& dims) {
  if (rest.empty() || is_digit(rest[0])) return {};
  const auto is_dimension = [&](std::string_view name) { return std::ranges::count(dims, name) > 0; };
  for (auto plus = rest.find('+'); plus != std::string_view::npos; plus = rest.find('+', plus + 1)) {
    if (plus + 1 == rest.size() || is_digit(rest[plus + 1])) continue;
    const std::string_view param = rest.substr(0, rest.find('+')), behind = rest.substr(plus + 1);
    if (is_dimension(param) && !is_dimension(behind.substr(0, behind.find_first_of("/%^+")))) return {};
    rest.remove_prefix(param.size() + 1);
    return param;
  }
  return {};
}

Term parse_term(std::string_view whole, const std::vector<std::string>& dims) {
  Term term;
  std::string_view rest = whole;
  term.lead_param = take_lead_param(rest, dims);
  if (term.lead_param.find_first_of("/%^*") != std::string::npos)
    throw ParseError(fmt::format("\"{}\": \"{}\" is not a valid name of a Param", whole, term.lead_param));
  if (!rest.empty() && is_digit(rest[0]) && rest.find('+') != std::string_view::npos) {
    const auto lead = number(rest.substr(0, rest.find('+')), 1);
    if (!lead || *lead > kMaxFree)
      throw ParseError(
          fmt::format("\"{}\": padding must be a positive number of elements, up to 2^29", whole));
    term.lead = *lead;
    rest = rest.substr(rest.find('+') + 1);
  }
  const auto plus = rest.find('+'), caret = rest.find('^');
  const std::string_view word = rest.substr(0, std::min(plus, caret));
  const bool has_free = plus != std::string_view::npos || term.lead > 0 || !term.lead_param.empty();
  if (caret != std::string_view::npos && has_free) {
    throw ParseError(fmt::format("\"{}\": a dimension cannot have both a swizzle and padding", whole));
  }
  if (caret != std::string_view::npos) term.swizzle = parse_swizzle(whole, rest.substr(caret + 1), dims);
  if (plus != std::string_view::npos) {
    const auto gap = number(rest.substr(plus + 1), 1);
    if (!gap || *gap > kMaxFree)
      throw ParseError(
          fmt::format("\"{}\": padding must be a positive number of elements, up to 2^29", whole));
    term.gap = *gap;
  }
  const auto cut = word.find_first_of("/%");
  const std::string_view name = word.substr(0, cut);
  term.dim = dimension(name, dims);
  if (cut == std::string_view::npos) return term;
  if (term.swizzle)
    throw ParseError(fmt::format(
        "\"{}\": only a whole dimension can be swizzled; drop the swizzle, or the / or %", whole));
  if (!term.lead_param.empty())
    throw ParseError(fmt::format(
        "\"{}\": only a whole dimension can begin at a Param; drop the Param, or the / or %", whole));
  const auto block = [&](std::string_view digits) {
    const auto value = number(digits, 1);
    if (!value) throw ParseError(fmt::format("\"{}\": a block size must be a positive number", whole));
    return *value;
  };
  const std::string_view parts = word.substr(cut + 1);
  const auto again = word[cut] == '/' ? parts.find('%') : std::string_view::npos;
  term.part =
      word[cut] == '/' && again == std::string_view::npos ? Term::Part::Quotient : Term::Part::Remainder;
  if (again != std::string_view::npos) term.divisor = block(parts.substr(0, again));
  term.factor = block(again == std::string_view::npos ? parts : parts.substr(again + 1));
  return term;
}

/// True if the parts of one dimension cover it: a remainder, further remainders of the quotients by the parts
/// below them, and the last quotient.
bool are_all(std::vector<Term> parts) {
  const auto is_quotient = [](const Term& t) { return t.part == Term::Part::Quotient; };
  std::ranges::sort(parts, {}, [&](const Term& t) {
    return std::pair(is_quotient(t), is_quotient(t) ? t.factor : t.divisor);
  });
  std::int64_t below = 1;
  for (const Term& t : parts) {
    if (is_quotient(t)) return t.factor == below && parts.size() > 1 && &t == &parts.back();
    if (t.part == Term::Part::Whole || t.divisor != below) return false;
    below *= t.factor;
  }
  return false;
}

/// Every dimension once, whole or in parts.
void check_cover(const std::vector<Term>& terms, const std::vector<std::string>& dims) {
  for (const Term& t : terms) {
    if (!t.swizzle) continue;
    const bool is_plain = std::all_of(terms.begin(), terms.end(), [&](const Term& other) {
      return other.dim != t.swizzle->other || (!other.swizzle && other.dim != t.dim);
    });
    if (is_plain) continue;
    throw ParseError(fmt::format(
        "dimension \"{}\" is swizzled by \"{}\", which must be a different dimension without a swizzle",
        dims[static_cast<std::size_t>(t.dim)], dims[static_cast<std::size_t>(t.swizzle->other)]));
  }
  for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
    const std::string& name = dims[static_cast<std::size_t>(d)];
    std::vector<Term> parts;
    std::ranges::copy_if(terms, std::back_inserter(parts), [&](const Term& t) { return t.dim == d; });
    if (parts.empty()) throw ParseError(fmt::format("dimension \"{}\" is missing", name));
    const bool is_whole = parts.size() == 1 && parts[0].part == Term::Part::Whole;
    if (!is_whole && !are_all(parts)) {
      throw ParseError(fmt::format(
          "dimension \"{0}\" must appear once as \"{0}\", or once as \"{0}/k\" and once as \"{0}%k\" with "
          "the same k; the latter may be split again, as \"{0}/m%n\" and \"{0}%m\" with k = m*n",
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
    if (layout.terms_.size() == first) throw ParseError("a group between \"|\" is empty");
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

Layout Layout::of(const std::vector<Term>& terms, std::vector<std::size_t> group_ends) {
  if (group_ends.empty()) group_ends = {terms.size()};
  const bool has_empty = std::ranges::adjacent_find(group_ends, std::greater_equal<>()) != group_ends.end();
  if (has_empty || group_ends.back() != terms.size() || (group_ends[0] == 0 && !terms.empty()))
    throw ParseError("a group between \"|\" is empty");
  Layout layout;
  layout.terms_ = terms;
  for (const Term& t : terms) {
    const bool is_possible = t.dim >= 0 && t.factor >= 1 && t.divisor >= 1 &&
                             (t.divisor == 1 || t.part == Term::Part::Remainder) && t.gap >= 0 &&
                             t.lead >= 0 && t.gap <= kMaxFree && t.lead <= kMaxFree &&
                             (!t.swizzle || (t.gap == 0 && t.lead == 0 && t.lead_param.empty())) &&
                             (t.lead_param.empty() || t.part == Term::Part::Whole) &&
                             (!t.swizzle || (t.part == Term::Part::Whole && is_well_formed(*t.swizzle)));
    if (!is_possible)
      throw ParseError(fmt::format("the term of dimension {} is not valid in a layout", t.dim));
    layout.rank_ = std::max(layout.rank_, t.dim + 1);
  }
  std::vector<std::string> dims;
  for (int d = 0; d < layout.rank_; ++d) dims.push_back(fmt::format("d{}", d));
  check_cover(terms, dims);
  layout.group_ends_ = std::move(group_ends);
  return layout;
}

std::string Layout::to_string(const std::vector<std::string>& dims) const {
  std::string text;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& t = terms_[i];
    if (std::find(group_ends_.begin(), group_ends_.end(), i) != group_ends_.end()) text += " |";
    if (!text.empty()) text += ' ';
    if (!t.lead_param.empty()) text += t.lead_param + "+";
    if (t.lead > 0) text += fmt::format("{}+", t.lead);
    text += dims.at(static_cast<std::size_t>(t.dim));
    if (t.part == Term::Part::Quotient) text += fmt::format("/{}", t.factor);
    if (t.divisor > 1) text += fmt::format("/{}", t.divisor);
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

}  // namespace tensordsl
