#include "runtime/program/storage.h"

#include "ir/nodes/size_conversion.h"

namespace tensordsl::runtime {

Program::Storage storage_of(const StoredTensor& tensor) {
  return {tensor.type, ir::to_sizes(tensor.extents), tensor.layout, tensor.image};
}

}  // namespace tensordsl::runtime
