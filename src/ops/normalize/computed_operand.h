// An operand that has to be a constant but is computed while the model runs: a refusal that knows its remedy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ops/tensor_info.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {

/// A ModelError that goes away if the inputs it names are constants (ImportOptions::constants).
class ComputedOperand : public ModelError {
 public:
  ComputedOperand(const std::string& text, std::vector<std::string> inputs, std::string tensor = {},
                  std::vector<std::string> sources = {})
      : ModelError(text),
        inputs_(std::move(inputs)),
        tensor_(std::move(tensor)),
        sources_(std::move(sources)) {}

  const std::vector<std::string>& inputs() const { return inputs_; }
  /// The operand, and all inputs that it is computed from; empty where these are not known.
  const std::string& tensor() const { return tensor_; }
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  std::vector<std::string> inputs_;
  std::string tensor_;
  std::vector<std::string> sources_;
};

/// Reports an operand that must not be computed: `text` describes the error; the remedy is added if there are
/// inputs. Throws ComputedOperand.
[[noreturn]] void refuse_computed(const std::string& text, const std::vector<std::string>& inputs,
                                  const std::string& tensor = {},
                                  const std::vector<std::string>& sources = {});

/// True if an input is a choice rather than data: integers, or one number.
bool is_choice(const TensorInfo& input);

}  // namespace tensordsl::ops
