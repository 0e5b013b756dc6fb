#include "apps/bench/phones/phones.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

PhonesResult run_phones(const PhoneOptions&) {
  throw Error("phones: this build cannot read models; build tensordsl with TENSORDSL_ONNX=ON");
}

nlohmann::ordered_json to_json(const PhonesResult&) { return {}; }
std::string to_text(const PhonesResult&) { return ""; }

}  // namespace tensordsl::bench
