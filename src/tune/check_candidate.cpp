#include "tune/check_candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "runtime/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::tune {
namespace {

constexpr int kElements = 12;  // of an output that are interpreted

std::vector<std::int64_t> shape_of(const StoredTensor& stored, const ParamValues& params) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : stored.extents) shape.push_back(evaluate(extent, params));
  return shape;
}

/// The first and the last element, and some between them.
std::vector<std::int64_t> chosen_elements(std::int64_t elements) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> chosen{0, elements - 1};
  while (static_cast<int>(chosen.size()) < kElements)
    chosen.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(elements)));
  return chosen;
}

std::vector<std::int64_t> index_of(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; element /= shape[d]) index[d] = element % shape[d];
  return index;
}

bool is_close(double found, double expected, double tolerance, double magnitude) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(expected) ? std::isnan(found) : found == expected;
  return std::abs(found - expected) <= tolerance * std::max(magnitude, 1e-6);
}

}  // namespace

Reference::Reference(const Group& group, const std::map<std::string, Buffer>& inputs,
                     const ParamValues& params) {
  const auto is_half = [](const StoredTensor& stored) {
    return stored.type.is_float() && stored.type.bits == 16;
  };
  const bool has_half =
      std::ranges::any_of(group.stored, is_half) ||
      std::ranges::any_of(group.operands, [&](const GroupOperand& o) { return is_half(o.stored); });
  // Sums in another order, of numbers up to 1; what is stored as f16 has 11 bits.
  tolerance_ = has_half ? 1e-2 : 1e-4;
  magnitudes_.resize(group.outputs.size());
  const Pipeline pipeline(group.outputs);
  for (std::size_t o = 0; o < group.outputs.size(); ++o) {
    const std::vector<std::int64_t> shape = shape_of(group.stored[o], params);
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) elements *= extent;
    if (elements == 0) continue;
    try {
      for (const std::int64_t at : chosen_elements(elements)) {
        const Buffer value =
            pipeline.value_at(group.outputs[o].name(), index_of(at, shape), inputs, params).at(0);
        elements_.push_back({o, at, value.get(0)});
        if (std::isfinite(value.get(0))) magnitudes_[o] = std::max(magnitudes_[o], std::abs(value.get(0)));
      }
    } catch (const Error&) {
      std::erase_if(elements_, [&](const Element& element) { return element.output == o; });
    }
  }
}

std::string Reference::check(const std::vector<Buffer>& outputs) {
  std::string wrong = compare(outputs);
  if (wrong.empty() && whole_.empty()) whole_ = outputs;
  return wrong;
}

std::string Reference::compare(const std::vector<Buffer>& outputs) const {
  const auto say = [&](std::size_t output, std::int64_t at, double found, double expected) {
    return fmt::format("element {} of output {} is {}, and should be {}", at, output, found, expected);
  };
  for (const Element& element : elements_) {
    const double found = outputs[element.output].get(element.at);
    if (!is_close(found, element.value, tolerance_, magnitudes_[element.output]))
      return say(element.output, element.at, found, element.value);
  }
  for (std::size_t o = 0; o < whole_.size(); ++o) {
    double largest = 0;
    for (std::int64_t i = 0; i < whole_[o].elements(); ++i) {
      if (std::isfinite(whole_[o].get(i))) largest = std::max(largest, std::abs(whole_[o].get(i)));
    }
    for (std::int64_t i = 0; i < whole_[o].elements(); ++i) {
      if (!is_close(outputs[o].get(i), whole_[o].get(i), tolerance_, largest))
        return say(o, i, outputs[o].get(i), whole_[o].get(i));
    }
  }
  return "";
}

}  // namespace tensordsl::tune
