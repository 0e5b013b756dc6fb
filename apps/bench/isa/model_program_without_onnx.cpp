#include "apps/bench/isa/model_program.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

PredictedProgram predicted_program(const std::string&, const CompileTarget&) {
  throw Error("isa: this build cannot read models; build tensordsl with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench
