// What a shape rule gives, as text.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ops/operator_spec.h"
#include "tensordsl/error.h"

namespace tensordsl::testing {

/// "f32[1,2] {axis=1}", or the error's text; of several outputs "f32[1], f32[2]".
inline std::string run(const char* op, const std::vector<TensorInfo>& inputs,
                       const std::map<std::string, Attributes::Value>& values = {}, std::size_t outputs = 1) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  OperatorCall call{attributes, {}, outputs};
  for (const TensorInfo& input : inputs) call.inputs.push_back(&input);
  try {
    const InferredNode result = infer(*find_operator(op), call);
    std::string text;
    for (const auto& [type, shape] : result.outputs)
      text += (text.empty() ? "" : ", ") + to_string(TensorInfo{"", type, shape});
    return result.attributes.empty() ? text : text + " " + to_string(result.attributes);
  } catch (const Error& error) {
    return error.what();
  }
}

inline TensorInfo of(Type type, Shape shape) { return {"", type, std::move(shape)}; }
inline TensorInfo f32(Shape shape) { return {"", Float(32), std::move(shape)}; }
inline TensorInfo f16(Shape shape) { return {"", Float(16), std::move(shape)}; }
inline TensorInfo i64(Shape shape) { return {"", Int(64), std::move(shape)}; }

}  // namespace tensordsl::testing
