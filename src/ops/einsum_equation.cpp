#include "ops/einsum_equation.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/assumed_sizes.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

using Label = EinsumEquation::Label;
constexpr Label kEllipsis = 256;

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw ModelError(fmt::format("attribute equation = \"{}\": {}", text, what));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// One term of the equation: letters, and at most once an ellipsis, which is kEllipsis here.
std::vector<Label> read_term(const std::string& text, const std::string& term) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (is_letter(term[i])) {
      labels.push_back(term[i]);
    } else if (term.compare(i, 3, "...") == 0) {
      if (std::ranges::count(labels, kEllipsis) > 0) refuse(text, "a term has two ellipses");
      labels.push_back(kEllipsis);
      i += 2;
    } else {
      refuse(text, fmt::format("'{}' is neither a letter nor an ellipsis", term[i]));
    }
  }
  return labels;
}

/// The ellipsis replaced by the labels of `count` dimensions.
std::vector<Label> spread(const std::vector<Label>& term, std::size_t count) {
  std::vector<Label> labels;
  for (const Label label : term) {
    if (label != kEllipsis) {
      labels.push_back(label);
      continue;
    }
    for (std::size_t i = count; i-- > 0;) labels.push_back(kEllipsis + static_cast<Label>(i));
  }
  return labels;
}

}  // namespace

EinsumEquation::EinsumEquation(const std::string& text, const std::vector<Shape>& shapes) {
  std::string left, right;
  for (const char c : text) {
    if (c != ' ') left += c;
  }
  const std::size_t arrow = left.find("->");
  if (arrow != std::string::npos) {
    right = left.substr(arrow + 2);
    left.resize(arrow);
  }
  std::vector<std::string> terms(1);
  for (const char c : left) c == ',' ? terms.emplace_back() : terms.back() += std::string(1, c);
  if (terms.size() != shapes.size())
    refuse(text, fmt::format("it has {} terms for {} inputs", terms.size(), shapes.size()));

  std::size_t most_spread = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::vector<Label> term = read_term(text, terms[i]);
    const bool has_ellipsis = std::ranges::count(term, kEllipsis) > 0;
    const std::size_t named = term.size() - (has_ellipsis ? 1 : 0), rank = shapes[i].size();
    if (has_ellipsis ? named > rank : named != rank)
      refuse(text, fmt::format("the term \"{}\" does not fit input {} of shape {}", terms[i], i,
                               to_string(shapes[i])));
    most_spread = std::max(most_spread, rank - named);
    inputs.push_back(spread(term, rank - named));
    for (std::size_t d = 0; d < rank; ++d) {
      const Size& extent = shapes[i][d];
      const auto [entry, is_new] = extents.emplace(inputs[i][d], extent);
      if (is_new || extent == Size(1) || entry->second == extent) continue;
      if (entry->second != Size(1)) {
        refuse_unequal(
            fmt::format("attribute equation = \"{}\": dimension {} of input {} has the extent {}; it is {} "
                        "elsewhere",
                        text, d, i, to_string(extent), to_string(entry->second)),
            entry->second, extent);
      }
      entry->second = extent;
    }
  }

  if (arrow != std::string::npos) {
    output = spread(read_term(text, right), most_spread);
    for (const Label label : output) {
      if (!extents.contains(label)) refuse(text, "its result has a letter that no input has");
      if (std::ranges::count(output, label) > 1) refuse(text, "its result has a letter twice");
    }
  } else {
    output = spread({kEllipsis}, most_spread);
    for (const auto& [label, extent] : extents) {
      std::ptrdiff_t uses = 0;
      for (const std::vector<Label>& input : inputs) uses += std::ranges::count(input, label);
      if (label < kEllipsis && uses == 1) output.push_back(label);
    }
  }
  for (const std::vector<Label>& input : inputs) {
    for (const Label label : input) {
      if (std::ranges::count(output, label) == 0 && std::ranges::count(summed, label) == 0)
        summed.push_back(label);
    }
  }
}

}  // namespace tensordsl::ops
