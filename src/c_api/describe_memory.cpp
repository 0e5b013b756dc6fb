#include "c_api/describe_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/opencl/device/create_image.h"
#include "c_api/describe_tensor.h"
#include "runtime/program/dim_names.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::c_api {
namespace {

const Program::Tensor& tensor_of(const Program& program, const std::string& name) {
  for (const auto* list : {&program.inputs, &program.outputs}) {
    const auto value = std::ranges::find(*list, name, &Program::Value::name);
    if (value != list->end()) return program.tensors[value->tensor];
  }
  throw Error(fmt::format("tdsl_memory_of: \"{}\" is not an input or output of the program", name));
}

}  // namespace

tdsl_memory describe_memory(const Program& program, const std::string& name, const ParamValues& known,
                            std::map<std::string, std::string>& layouts) {
  const Program::Tensor& tensor = tensor_of(program, name);
  const Program::Storage& stored = tensor.stored;
  const auto side = [&](const SizeExpr& size) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(runtime::evaluate(size, known), 0));
  };
  tdsl_memory memory{};
  memory.type = type_of(stored.type);
  memory.bytes = side(tensor.elements) * static_cast<std::uint64_t>(stored.type.bytes());
  memory.layout =
      layouts.insert_or_assign(name, stored.layout.to_string(runtime::dim_names(stored.extents.size())))
          .first->second.c_str();
  memory.is_row_major = stored.layout.is_row_major() && !tensor.image ? 1 : 0;
  if (tensor.image && stored.image) {
    memory.image = opencl::object_type(*stored.image);
    memory.channels = tensor.image->channels;
    memory.width = side(tensor.image->width);
    memory.height = side(tensor.image->height);
    memory.layers = side(tensor.image->layers);
  }
  return memory;
}

}  // namespace tensordsl::c_api
