// Runs a shape rule and prints its result.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ops/operator_spec.h"
#include "tensordsl/error.h"

namespace tensordsl::testing {

/// "f32[1,2] {axis=1}", or the error's text; of several outputs "f32[1], f32[2]".
inline std::string run(const char* op, const std::vector<ops::TensorInfo>& inputs,
                       const std::map<std::string, ops::Attributes::Value>& values = {},
                       std::size_t outputs = 1) {
  ops::Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  ops::OperatorCall call{attributes, {}, outputs};
  for (const ops::TensorInfo& input : inputs) call.inputs.push_back(&input);
  try {
    const ops::InferredNode result = infer(*ops::find_operator(op), call);
    std::string text;
    for (const auto& [type, shape] : result.outputs)
      text += (text.empty() ? "" : ", ") + to_string(ops::TensorInfo{"", type, shape});
    return result.attributes.empty() ? text : text + " " + to_string(result.attributes);
  } catch (const Error& error) {
    return error.what();
  }
}

inline ops::TensorInfo of(Type type, ops::Shape shape) { return {"", type, std::move(shape)}; }
inline ops::TensorInfo f32(ops::Shape shape) { return {"", Float(32), std::move(shape)}; }
inline ops::TensorInfo f16(ops::Shape shape) { return {"", Float(16), std::move(shape)}; }
inline ops::TensorInfo i64(ops::Shape shape) { return {"", Int(64), std::move(shape)}; }

}  // namespace tensordsl::testing
