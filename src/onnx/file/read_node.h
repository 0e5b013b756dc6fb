// Reads one node of an ONNX file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "onnx/onnx_graph.h"

namespace onnx {
class NodeProto;
}

namespace tensordsl::onnx {

/// True if the domain is ONNX's own.
bool is_own_domain(const std::string& domain);

/// Checks that the node's operator is a supported one of ONNX's own domain, in the table, or expanded by
/// import. Throws ModelError, which names the node, otherwise.
void require_supported(const ::onnx::NodeProto& node, std::int64_t opset, const OperatorTable& operators);

/// The node as the file has it; a nameless one is named after its first output. Constant nodes are for
/// read_constant. The graphs of If, Loop and Scan are left out. Throws ModelError on attributes that are
/// graphs otherwise, or appear twice.
ops::Node read_node(const ::onnx::NodeProto& node, const std::filesystem::path& folder,
                    const OperatorTable& operators);

/// The value of a Constant node. Throws ModelError.
Buffer read_constant(const ::onnx::NodeProto& node, const std::filesystem::path& folder);

/// The data type of a Constant that is a tensor; 0 of others.
int constant_type(const ::onnx::NodeProto& node);

}  // namespace tensordsl::onnx
