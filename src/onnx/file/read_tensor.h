// Tensors of an ONNX file: data in the file or in an external file next to it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace onnx {
class SparseTensorProto;
class TensorProto;
}  // namespace onnx

namespace tensordsl::onnx {

/// The element type of an ONNX data type, or the one that holds its values (ops/narrow_types.h).
/// Throws ModelError for a type that is not supported; `what` names the tensor.
Type read_type(int onnx_data_type, const std::string& what);

/// The name, type and shape of `tensor`, without its data. Throws ModelError if the type is not supported, an
/// extent is negative or the tensor is too large.
ops::TensorInfo read_tensor_info(const ::onnx::TensorProto& tensor);

/// True if the data of `tensor` is in an external file that does not exist. Throws ModelError like
/// read_tensor() if the path of the file is not acceptable.
bool external_file_is_absent(const ::onnx::TensorProto& tensor, const std::filesystem::path& folder);

/// The value of `tensor`. External data is read from inside `folder` only: an absolute location, one with
/// "..", or one that a symbolic link leads outside is refused. Throws ModelError naming the tensor if there
/// are not exactly as many bytes as its shape needs.
Buffer read_tensor(const ::onnx::TensorProto& tensor, const std::filesystem::path& folder);

/// The bytes of external data as the file has them. Throws as read_tensor.
std::vector<std::byte> read_external_bytes(const ::onnx::TensorProto& tensor,
                                           const std::filesystem::path& folder);

/// Reads a sparse tensor as read_tensor does, with 0 where it has no value. Throws as read_tensor, and if an
/// index is outside its shape.
Buffer read_sparse_tensor(const ::onnx::SparseTensorProto& tensor, const std::filesystem::path& folder);

}  // namespace tensordsl::onnx
