#include "ops/normalize/computed_operand.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tensordsl {
namespace {

std::string with_remedy(std::string text, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    text += fmt::format("{} --constant {}=VALUE", &input == &inputs[0] ? ", as with" : "", input);
  return text;
}

}  // namespace

ComputedOperand::ComputedOperand(const std::string& text, std::vector<std::string> inputs)
    : ModelError(with_remedy(text, inputs)), inputs_(std::move(inputs)) {}

bool is_choice(const TensorInfo& input) {
  return !input.type.is_float() ||
         std::ranges::all_of(input.shape, [](const Size& extent) { return extent == Size(1); });
}

}  // namespace tensordsl
