#include "measure/operand_values.h"

#include "runtime/values/evaluate.h"
#include "tensordsl/default_input.h"

namespace tensordsl::measure {

ParamValues likely_params(const Program& program) {
  constexpr std::int64_t kLikelySize = 64;
  ParamValues params;
  for (const Program::Param& param : program.params) {
    if (param.type.is_float()) {
      params.emplace(param.name, 1.0);
    } else {
      params.emplace(param.name, kLikelySize);
    }
  }
  return params;
}

std::map<std::string, Buffer> operand_values(const Program& program, const ParamValues& params) {
  std::map<std::string, Buffer> values;
  for (Program::Value input : program.inputs) {
    for (SizeExpr& extent : input.shape) extent = runtime::evaluate(extent, params);
    Buffer value = default_input(input);
    if (!input.type.is_float()) {
      for (std::int64_t i = 0; i < value.elements(); ++i) value.set_int(i, i % 2);
    }
    values.emplace(input.name, std::move(value));
  }
  return values;
}

}  // namespace tensordsl::measure
