// Names and types of a launcher header.
#pragma once

#include <string>

#include "codegen/c_names.h"
#include "tensordsl/program.h"

namespace tensordsl::generator {

/// C++ identifiers of a Program's tensors and Params, and its sizes as C++.
class LauncherSymbols {
 public:
  explicit LauncherSymbols(const Program& program);

  /// The name of a tensor: a parameter of the launcher's functions, or a member.
  const std::string& of(const Program::Tensor& tensor) { return tensors_.buffer(tensor.name); }
  /// The name of a member of `Params`.
  const std::string& of_param(const std::string& name) { return params_.variable(name); }
  /// A size as C++, where `detail` is used.
  std::string number(const SizeExpr& size);

 private:
  codegen::CNames tensors_, params_;
};

/// The C++ type in which the caller holds elements. f16 is its bits: C++17 has no such type.
std::string host_type(Type type);

/// Returns the text on one line, safe within a line comment.
std::string comment_text(std::string text);

}  // namespace tensordsl::generator
