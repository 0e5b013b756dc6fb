#include "generator/launcher_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "base/cpp_text.h"
#include "generator/host_expression.h"
#include "ir/nodes/size_conversion.h"
#include "tensordsl/var.h"

namespace tensordsl::generator {
namespace {

/// The prefix of an index's number: no Param has such a name.
constexpr std::string_view kIndex = "launcher index ";

std::string channel_type(Type type) {
  if (type.is_float()) return type.bits == 16 ? "CL_HALF_FLOAT" : "CL_FLOAT";
  if (type.is_int()) return fmt::format("CL_SIGNED_INT{}", type.bits);
  return fmt::format("CL_UNSIGNED_INT{}", type.bits);
}

std::string_view object_type(ImageKind kind) {
  return kind == ImageKind::Image1DBuffer ? "CL_MEM_OBJECT_IMAGE1D_BUFFER"
         : kind == ImageKind::Image2D     ? "CL_MEM_OBJECT_IMAGE2D"
                                          : "CL_MEM_OBJECT_IMAGE2D_ARRAY";
}

/// The linear position of the index `i` in memory.
std::string position(const Program::Tensor& tensor, LauncherSymbols& symbols) {
  const auto rank = tensor.stored.extents.size();
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < rank; ++d) indices.push_back(Var(fmt::format("{}{}", kIndex, d)));
  const Layout& layout = tensor.stored.layout;
  const auto at = layout.stored_indices(indices),
             extents = layout.stored_extents(ir::to_exprs(tensor.stored.extents));
  Expr linear = 0;
  for (std::size_t t = 0; t < at.size(); ++t) linear = linear * extents[t] + at[t];
  return host_expression(linear, [&](const std::string& name) {
    if (name.starts_with(kIndex)) return fmt::format("i[{}]", name.substr(kIndex.size()));
    return fmt::format("detail::wide(params_.{})", symbols.of_param(name));
  });
}

std::string index_loop(const Program::Tensor& tensor, const std::string& statement,
                       LauncherSymbols& symbols) {
  std::vector<std::string> extents;
  for (const SizeExpr& e : tensor.stored.extents) extents.push_back(symbols.number(e));
  return fmt::format(
      "    detail::for_each_index<{0}>({{{1}}}, [&](const std::array<std::int64_t, {0}>& i, std::size_t k) "
      "{{\n"
      "      {2}\n    }});\n",
      extents.size(), fmt::join(extents, ", "),
      fmt::format(fmt::runtime(statement),
                  fmt::format("static_cast<std::size_t>({})", position(tensor, symbols))));
}

}  // namespace

std::string describe_value(const Program& program, const Program::Value& value) {
  const Program::Tensor& tensor = program.tensors[value.tensor];
  std::vector<std::string> extents, dims;
  for (std::size_t d = 0; d < value.shape.size(); ++d) {
    extents.push_back(to_string(value.shape[d]));
    dims.push_back(fmt::format("d{}", d));
  }
  std::string words = fmt::format("{} [{}]", host_type(value.type), fmt::join(extents, ", "));
  if (tensor.image) {
    words += ", an image of the layout \"" + tensor.stored.layout.to_string(dims) + "\"";
  } else if (!tensor.stored.layout.is_row_major()) {
    words += ", stored in the layout \"" + tensor.stored.layout.to_string(dims) + "\"";
  }
  return comment_text(words);
}

std::string create_function(const Program& program, const Program::Value& value, LauncherSymbols& symbols) {
  const std::string& name = symbols.of(program.tensors[value.tensor]);
  return fmt::format(
      "  /// {}\n  Memory create_{}() const {{ return detail::create(context_, {}_storage()); }}\n",
      describe_value(program, value), name, name);
}

/// Begins a function that copies the elements of a tensor, `does`, to or from `values`.
std::string begin_copy(std::string_view comment, std::string_view does, const std::string& name,
                       const std::string& values) {
  return fmt::format(
      "  /// {0}\n"
      "  void {1}_{2}(cl_command_queue queue, cl_mem {2}, {3}* values) const {{\n"
      "    const detail::Storage storage = {2}_storage();\n",
      comment, does, name, values);
}

std::string write_function(const Program& program, const Program::Value& input, LauncherSymbols& symbols) {
  const Program::Tensor& tensor = program.tensors[input.tensor];
  const std::string &name = symbols.of(tensor), type = host_type(input.type);
  std::string text =
      begin_copy("`values` are row-major. Waits until they are there.", "write", name, "const " + type);
  if (tensor.stored.layout.is_row_major()) {
    text += fmt::format("    detail::write(queue, {}, storage, values);\n", name);
  } else {
    text += fmt::format("    std::vector<{}> stored(static_cast<std::size_t>(storage.elements));\n", type);
    text += index_loop(tensor, "stored[{}] = values[k];", symbols);
    text += fmt::format("    detail::write(queue, {}, storage, stored.data());\n", name);
  }
  return text + "  }\n\n";
}

std::string read_function(const Program& program, const Program::Value& output, LauncherSymbols& symbols) {
  const Program::Tensor& tensor = program.tensors[output.tensor];
  const std::string &name = symbols.of(tensor), type = host_type(output.type);
  std::string text =
      begin_copy("Waits for the commands enqueued before. `values` become row-major.", "read", name, type);
  if (tensor.stored.layout.is_row_major()) {
    text += fmt::format("    detail::read(queue, {}, storage, values);\n", name);
  } else {
    text += fmt::format(
        "    std::vector<{}> stored(static_cast<std::size_t>(storage.elements));\n"
        "    detail::read(queue, {}, storage, stored.data());\n",
        type, name);
    text += index_loop(tensor, "values[k] = stored[{}];", symbols);
  }
  return text + "  }\n\n";
}

std::string storage_function(const Program::Tensor& t, LauncherSymbols& symbols) {
  std::string text = fmt::format(
      "  detail::Storage {}_storage() const {{\n    detail::Storage storage{{{}, {}, "
      "{}}};\n",
      symbols.of(t), cpp_literal(t.name), symbols.number(t.elements), t.stored.type.bytes());
  if (t.image && t.stored.image) {
    text += fmt::format(
        "    storage.type = {};\n    storage.format = {{{}, {}}};\n    storage.width = {};\n    "
        "storage.height = {};\n"
        "    storage.layers = {};\n",
        object_type(*t.stored.image), t.image->channels == 4 ? "CL_RGBA" : "CL_R",
        channel_type(t.stored.type), symbols.number(t.image->width), symbols.number(t.image->height),
        symbols.number(t.image->layers));
  }
  return text + "    return storage;\n  }\n";
}

}  // namespace tensordsl::generator
