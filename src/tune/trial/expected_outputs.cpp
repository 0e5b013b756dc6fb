#include "tune/trial/expected_outputs.h"

#include <algorithm>
#include <random>

#include "measure/operand_values.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::tune {
namespace {

constexpr int kElements = 12;  // of an output

std::vector<std::int64_t> shape_of(const StoredTensor& stored, const ParamValues& params) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : stored.extents) shape.push_back(runtime::evaluate(extent, params));
  return shape;
}

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

bool is_half(const StoredTensor& stored) { return stored.type.is_float() && stored.type.bits == 16; }

}  // namespace

measure::ExpectedOutputs expected_outputs(const definitions::StoredGroup& group,
                                          const std::map<std::string, Buffer>& inputs,
                                          const ParamValues& params) {
  measure::ExpectedOutputs expected;
  const bool has_half = std::ranges::any_of(group.stored, is_half) ||
                        std::ranges::any_of(group.operands, [&](const definitions::GroupOperand& o) {
                          return is_half(o.stored);
                        });
  // Sums in another order, of numbers up to 1; values stored as f16 have 11 bits.
  expected.tolerance = has_half ? 1e-2 : 1e-4;
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
        expected.elements.push_back({o, at, value.get(0)});
      }
    } catch (const Error&) {
      std::erase_if(expected.elements, [&](const auto& element) { return element.output == o; });
    }
  }
  return expected;
}

measure::Request request_for(const definitions::StoredGroup& group,
                             std::vector<std::shared_ptr<const Program>> programs) {
  measure::Request request{std::move(programs), {}};
  const auto some =
      std::ranges::find_if(request.programs, [](const auto& program) { return program != nullptr; });
  if (some == request.programs.end()) return request;
  const ParamValues params = measure::likely_params(**some);
  request.expected = expected_outputs(group, measure::operand_values(**some, params), params);
  return request;
}

}  // namespace tensordsl::tune
