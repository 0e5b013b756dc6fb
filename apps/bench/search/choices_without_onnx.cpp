#include "apps/bench/search/choices.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

int run_choices(const ChoiceOptions&) {
  throw Error("choices: this build reads no models; build tensordsl with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench
