// An operand that has to be a constant but is computed while the model runs: a refusal that knows its remedy.
#pragma once

#include <string>
#include <vector>

#include "ops/tensor_info.h"
#include "tensordsl/error.h"

namespace tensordsl {

/// A ModelError that goes away if the inputs it names are constants (ImportOptions::constants).
class ComputedOperand : public ModelError {
 public:
  /// `text` says what is wrong; what mends it is added, unless there is no input.
  ComputedOperand(const std::string& text, std::vector<std::string> inputs);

  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  std::vector<std::string> inputs_;
};

/// True if an input is a choice rather than data: integers, or one number.
bool is_choice(const TensorInfo& input);

}  // namespace tensordsl
