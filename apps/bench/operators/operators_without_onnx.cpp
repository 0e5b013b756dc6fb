#include "apps/bench/operators/run_operators.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

std::vector<OperatorResult> run_operators(const OperatorOptions&, Device&,
                                          const std::function<void(const OperatorResult&)>&) {
  throw Error("operators: this build cannot read models; build tensordsl with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench
