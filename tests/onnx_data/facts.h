// Facts about a case's model, read from its file.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace tensordsl::conformance {

struct Facts {
  std::int64_t opset = 0;
  std::set<std::string> operators;  ///< but Constant, also of the bodies of If and Loop; "domain::Name"
  int nodes = 0;                    ///< but Constants
  bool is_random = false;           ///< no values can be expected of it
  /// The reason why a model is out of scope: it does not work on tensors of numbers, or it trains.
  std::optional<std::string> out_of_scope;
  bool has_wrong_data = false;  ///< the values that it is run with and expects are not ONNX's
};

Facts facts_of(const ::onnx::ModelProto& model);

}  // namespace tensordsl::conformance
