#include "apps/tensordsl/model/params_from_arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tensordsl/error.h"
#include "tensordsl/infer_params.h"

namespace tensordsl::cli {
namespace {

/// Refuses the shape of an input from which a Param should follow.
[[noreturn]] void refuse_shape(const GivenShape& input) {
  std::vector<std::string> extents;
  for (const SizeExpr& extent : input.extents) extents.push_back(to_string(extent));
  throw Error(fmt::format("--inputs: \"{}\" is [{}] in the file, but the model expects [{}]", input.input,
                          fmt::join(input.shape, ", "), fmt::join(extents, ", ")));
}

}  // namespace

void infer_params(const std::vector<SymbolicInput>& inputs, const Arrays& given, ParamValues& params) {
  std::vector<GivenShape> shapes;
  for (const SymbolicInput& input : inputs) {
    const auto array = given.find(input.name);
    if (array != given.end()) shapes.push_back({input.name, input.shape, array->second.shape()});
  }
  if (const GivenShape* unfit = tensordsl::infer_params(shapes, params)) refuse_shape(*unfit);
}

}  // namespace tensordsl::cli
