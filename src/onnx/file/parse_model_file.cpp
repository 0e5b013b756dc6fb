#include "onnx/file/parse_model_file.h"

#include <onnx/onnx_pb.h>

#include <fstream>
#include <limits>

#include "tensordsl/error.h"

namespace tensordsl::onnx {

void parse_model_file(const std::filesystem::path& path, ::onnx::ModelProto& model) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw ModelError("there is no such file");
  if (!std::filesystem::is_regular_file(status)) throw ModelError("it is not a regular file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (size == 0) throw ModelError("the file is empty");
  if (size > std::numeric_limits<std::int32_t>::max()) {
    throw ModelError(
        "the file is larger than 2 GB, the limit of the format; save the weights as external data");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ModelError("the file cannot be opened; check its permissions");
  if (!model.ParseFromIstream(&stream)) throw ModelError("the file is damaged, or not an ONNX model");
}

}  // namespace tensordsl::onnx
