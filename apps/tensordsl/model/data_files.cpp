#include "apps/tensordsl/model/data_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "runtime/buffer/npz.h"
#include "tensordsl/conversion.h"
#include "tensordsl/default_input.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

Arrays read_arrays(const std::string& option, const std::string& path) {
  if (path.empty()) return {};
  if (std::filesystem::is_directory(path))
    throw Error(fmt::format("{}: {} is a folder; pass an .npz file", option, path));
  if (path.ends_with(".npy") && std::filesystem::exists(path)) {
    throw Error(
        fmt::format("{}: {}: an .npy file has one array without a name; write an .npz file with numpy.savez "
                    "and the name of the input",
                    option, path));
  }
  try {
    return runtime::read_npz(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", option, error.what()));
  }
}

void check_inputs(const Signature& signature, Arrays& given) {
  for (auto& [name, array] : given) {
    const auto input = std::ranges::find(signature.inputs, name, &Signature::Value::name);
    if (input == signature.inputs.end()) {
      std::vector<std::string> names;
      for (const Signature::Value& value : signature.inputs) names.push_back("\"" + value.name + "\"");
      throw Error(fmt::format("--inputs: \"{}\" in the file is not an input of the model; its inputs are {}",
                              name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    const bool has_type = converts_exactly(array.type(), input->type);
    if (!has_type || array.shape() != input->shape) {
      throw Error(fmt::format("--inputs: \"{}\" is {} [{}] in the file, but the model expects {} [{}]{}",
                              name, to_string(array.type()), fmt::join(array.shape(), ", "),
                              to_string(input->type), fmt::join(input->shape, ", "),
                              has_type ? "" : conversion_remedy(input->type)));
    }
    if (array.type() != input->type) array = array.converted(input->type);
  }
}

void check_expectations(const Signature& signature, const Arrays& expected) {
  for (const Signature::Value& output : signature.outputs) {
    const auto array = expected.find(output.name);
    if (array == expected.end())
      throw Error(fmt::format("--expect: the file has no output \"{}\"", output.name));
    if (output.depends_on_data || array->second.shape() == output.shape) continue;
    throw Error(fmt::format("--expect: output \"{}\" is [{}] in the file, but the model computes [{}]",
                            output.name, fmt::join(array->second.shape(), ","),
                            fmt::join(output.shape, ",")));
  }
}

Arrays all_inputs(const Signature& signature, const Arrays& given) {
  Arrays inputs = given;
  for (const Signature::Value& value : signature.inputs) {
    if (inputs.contains(value.name)) continue;
    const std::vector<SizeExpr> shape(value.shape.begin(), value.shape.end());
    inputs[value.name] = default_input({value.name, value.type, shape});
  }
  return inputs;
}

}  // namespace tensordsl::cli
