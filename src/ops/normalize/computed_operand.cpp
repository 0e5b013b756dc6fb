#include "ops/normalize/computed_operand.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl::ops {

void refuse_computed(const std::string& text, const std::vector<std::string>& inputs,
                     const std::string& tensor, const std::vector<std::string>& sources) {
  std::string remedy;
  for (const std::string& input : inputs)
    remedy += fmt::format("{} --constant {}=VALUE", remedy.empty() ? ", as with" : "", input);
  throw ComputedOperand(text + remedy, inputs, tensor, sources);
}

bool is_choice(const TensorInfo& input) {
  return !input.type.is_float() ||
         std::ranges::all_of(input.shape, [](const Size& extent) { return extent == Size(1); });
}

}  // namespace tensordsl::ops
