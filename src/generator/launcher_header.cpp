#include "generator/launcher_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/cpp_text.h"
#include "codegen/c_names.h"
#include "generator/host_expression.h"
#include "generator/launcher_runtime.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tensordsl/error.h"
#include "tensordsl/var.h"

namespace tensordsl::generator {
namespace {

using Kind = Program::Tensor::Kind;

constexpr std::string_view kPreamble = R"header(#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION {0}
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
)header";

/// What cl.h and stdint.h define.
bool is_macro(const std::string& name) {
  return name.starts_with("cl_") || name.starts_with("CL_") || name.starts_with("INT") ||
         name.ends_with("_t");
}

/// Words of the header itself.
bool is_taken(const std::string& name) {
  static constexpr std::string_view kWords[] = {
      "Launcher", "Memory",  "Params",  "after", "chain",  "context",    "context_",
      "detail",   "device",  "done",    "i",     "k",      "kernels_",   "main",
      "options",  "params",  "params_", "queue", "run",    "set_params", "source",
      "std",      "storage", "stored",  "times", "values", "floor_div",  "floor_mod"};
  return is_cpp_word(name) || is_macro(name) || std::ranges::find(kWords, name) != std::end(kWords);
}

/// As the caller has it. f16 is its bits: C++17 has no such type.
std::string host_type(Type type) {
  if (type.is_bool()) return "std::uint8_t";
  if (type.is_float()) return type.bits == 16 ? "cl_half" : type.bits == 64 ? "double" : "float";
  return fmt::format("std::{}int{}_t", type.is_uint() ? "u" : "", type.bits);
}

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

/// On one line, which ends where it ends.
std::string comment(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == '\\'; }, '?');
  return text;
}

class HeaderWriter {
 public:
  HeaderWriter(const Program& program, const std::string& text, const std::string& options,
               const LauncherNames& names)
      : program_(program), text_(text), options_(options), names_(names) {}

  std::string write() {
    for (const Program::Param& p : program_.params) params_.variable(p.name);
    for (const Program::Tensor& t : program_.tensors) identifiers_.buffer(t.name);
    std::string header = fmt::format("// {}\n", comment(names_.comment));
    header += contents();
    header += fmt::format(fmt::runtime(kPreamble), has_sub_groups() ? 210 : 120);
    header += fmt::format("namespace {} {{\n\n{}\n", names_.name, kLauncherRuntime);
    header += params();
    header += launcher();
    return header + fmt::format("}}  // namespace {}\n", names_.name);
  }

 private:
  bool has_sub_groups() const {
    return std::ranges::any_of(program_.kernels, [](const KernelSource& k) { return k.sub_group_size > 0; });
  }
  bool has_params() const { return !program_.params.empty(); }

  const std::string& id(const Program::Tensor& tensor) { return identifiers_.buffer(tensor.name); }
  const Program::Tensor& tensor_of(const Program::Value& value) const {
    return program_.tensors[value.tensor];
  }

  std::string number(const Expr& e) {
    return host_expression(e, [&](const std::string& name) { return "params_." + params_.variable(name); });
  }
  std::string number(const std::string& expression) { return number(ir::parse_expr(expression)); }

  /// "float [n, 64]", and how it lies in memory if not in that order.
  std::string description(const Program::Value& value) const {
    const Program::Tensor& tensor = tensor_of(value);
    std::vector<std::string> extents, dims;
    for (std::size_t d = 0; d < value.shape.size(); ++d) {
      extents.push_back(ir::print(value.shape[d]));
      dims.push_back(fmt::format("d{}", d));
    }
    std::string words = fmt::format("{} [{}]", host_type(value.type), fmt::join(extents, ", "));
    if (tensor.image) {
      words += ", an image of the layout \"" + tensor.stored.layout.to_string(dims) + "\"";
    } else if (!tensor.stored.layout.is_row_major()) {
      words += ", stored in the layout \"" + tensor.stored.layout.to_string(dims) + "\"";
    }
    return comment(words);
  }

  std::string contents() const {
    std::string text = "//\n";
    for (const Program::Value& v : program_.inputs)
      text += fmt::format("// input   {}: {}\n", comment(v.name), description(v));
    for (const Program::Value& v : program_.outputs)
      text += fmt::format("// output  {}: {}\n", comment(v.name), description(v));
    return text;
  }

  std::string params() {
    if (!has_params()) return "";
    std::string text = "/// What the kernels are told when they are launched.\nstruct Params {\n";
    for (const Program::Param& p : program_.params)
      text += fmt::format("  {} {} = 0;\n", host_type(p.type), params_.variable(p.name));
    return text + "};\n\n";
  }

  std::string launcher() {
    std::string text = fmt::format(
        "/// The kernel text, OpenCL C.\ninline std::string source() {{\n  static const char* const pieces[] "
        "= {{{}}};\n",
        pieces());
    text += "  std::string text;\n  for (const char* piece : pieces) text += piece;\n  return text;\n}\n\n";
    if (program_.constants.size > 0) text += constants();
    text +=
        "/// Builds the kernels once, for many runs. For one thread at a time. Throws std::runtime_error "
        "where OpenCL\n"
        "/// fails, and std::invalid_argument on sizes that the kernels are not for.\nclass Launcher {\n "
        "public:\n";
    text += constructor();
    for (const Program::Value& input : program_.inputs) text += create(input) + write_method(input);
    for (const Program::Value& output : program_.outputs) text += create(output) + read_method(output);
    text += run() + "\n private:\n";
    if (has_params()) text += check_params();
    text += create_inner();
    for (const Program::Tensor& t : program_.tensors) text += storage(t);
    text += "  cl_context context_;\n";
    if (has_params()) text += "  Params params_;\n";
    text += "  detail::Kernels kernels_;\n";
    for (const Program::Tensor& t : program_.tensors) {
      if (is_inner(t)) text += fmt::format("  Memory {}_;\n", id(t));
    }
    return text + "};\n\n";
  }

  static bool is_inner(const Program::Tensor& t) {
    return t.kind == Kind::Intermediate || t.kind == Kind::Constant;
  }

  std::string pieces() const {
    constexpr std::size_t kPiece = 8000;
    std::string list;
    for (std::size_t at = 0; at < text_.size(); at += kPiece)
      list += fmt::format("{}R\"opencl({})opencl\"", at == 0 ? "" : ",\n", text_.substr(at, kPiece));
    return list;
  }

  std::string constants() const {
    std::string list;
    for (std::size_t i = 0; i < program_.constants.size; ++i) {
      list += fmt::format("{}{},", i % 24 == 0 ? "\n    " : " ",
                          static_cast<unsigned>(program_.constants.data[static_cast<std::ptrdiff_t>(i)]));
    }
    return fmt::format(
        "namespace detail {{\n/// As they are stored.\nalignas(64) inline const unsigned char constants[] = "
        "{{{}}};\n}}\n\n",
        list);
  }

  std::string constructor() {
    std::vector<std::string> entries;
    for (const KernelSource& k : program_.kernels) entries.push_back(fmt::format("\"{}\"", k.entry));
    std::string text = fmt::format(
        "  /// `options` are added to those of the build.\n"
        "  Launcher(cl_context context, cl_device_id device{}, const std::string& options = \"\")\n"
        "      : context_(context),{}\n"
        "        kernels_(context, device, source(), \"{} \" + options, {{{}}}) {{\n{}    "
        "create_inner_memory();\n",
        has_params() ? ", const Params& params" : "", has_params() ? "\n        params_(params)," : "",
        options_, fmt::join(entries, ", "), has_params() ? "    check_params();\n" : "");
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) text += check_sub_groups(k);
    text += "  }\n\n";
    if (has_params()) {
      text +=
          "  /// From the next run on. Memory that was created for other sizes does not fit any more.\n"
          "  void set_params(const Params& params) {\n    params_ = params;\n    check_params();\n    "
          "create_inner_memory();\n  }\n\n";
    }
    return text;
  }

  std::string check_sub_groups(std::size_t k) const {
    const KernelSource& kernel = program_.kernels[k];
    if (kernel.sub_group_size == 0) return "";
    const auto& g = kernel.launch.group_size;
    return fmt::format(
        "    {{\n      const std::size_t group[3] = {{{}, {}, {}}};\n      std::size_t items = 0;\n"
        "      detail::check(clGetKernelSubGroupInfo(kernels_[{}], device, "
        "CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, "
        "sizeof group, group,\n                                            sizeof items, &items, nullptr),\n"
        "                    \"clGetKernelSubGroupInfo\", \"{}\");\n"
        "      if (items != {}) throw std::runtime_error(\"{} needs sub-groups of {} work-items\");\n    "
        "}}\n",
        g[0], g[1], g[2], k, kernel.entry, kernel.sub_group_size, kernel.entry, kernel.sub_group_size);
  }

  std::string create(const Program::Value& value) {
    const std::string& name = id(tensor_of(value));
    return fmt::format(
        "  /// {}\n  Memory create_{}() const {{ return detail::create(context_, {}_storage()); }}\n",
        description(value), name, name);
  }

  /// The linear position of the index `i` in memory.
  std::string position(const Program::Tensor& tensor) {
    const auto rank = tensor.stored.extents.size();
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < rank; ++d) indices.push_back(Var(fmt::format("{}{}", kIndex, d)));
    const Layout& layout = tensor.stored.layout;
    const auto at = layout.stored_indices(indices), extents = layout.stored_extents(tensor.stored.extents);
    Expr linear = 0;
    for (std::size_t t = 0; t < at.size(); ++t) linear = linear * extents[t] + at[t];
    return host_expression(linear, [&](const std::string& name) {
      if (name.starts_with(kIndex)) return fmt::format("i[{}]", name.substr(kIndex.size()));
      return "params_." + params_.variable(name);
    });
  }

  std::string index_loop(const Program::Tensor& tensor, const std::string& statement) {
    std::vector<std::string> extents;
    for (const Expr& e : tensor.stored.extents) extents.push_back(number(e));
    return fmt::format(
        "    detail::for_each_index<{0}>({{{1}}}, [&](const std::array<std::int64_t, {0}>& i, std::size_t k) "
        "{{\n"
        "      {2}\n    }});\n",
        extents.size(), fmt::join(extents, ", "),
        fmt::format(fmt::runtime(statement), fmt::format("static_cast<std::size_t>({})", position(tensor))));
  }

  std::string write_method(const Program::Value& input) {
    const Program::Tensor& tensor = tensor_of(input);
    const std::string &name = id(tensor), type = host_type(input.type);
    std::string text = fmt::format(
        "  /// `values` are row-major. Waits until they are there.\n"
        "  void write_{0}(cl_command_queue queue, cl_mem {0}, const {1}* values) const {{\n"
        "    const detail::Storage storage = {0}_storage();\n",
        name, type);
    if (tensor.stored.layout.is_row_major()) {
      text += fmt::format("    detail::write(queue, {}, storage, values);\n", name);
    } else {
      text += fmt::format("    std::vector<{}> stored(static_cast<std::size_t>(storage.elements));\n", type);
      text += "    using namespace detail;\n" + index_loop(tensor, "stored[{}] = values[k];");
      text += fmt::format("    detail::write(queue, {}, storage, stored.data());\n", name);
    }
    return text + "  }\n\n";
  }

  std::string read_method(const Program::Value& output) {
    const Program::Tensor& tensor = tensor_of(output);
    const std::string &name = id(tensor), type = host_type(output.type);
    std::string text = fmt::format(
        "  /// Waits for what was handed to the queue before. `values` become row-major.\n"
        "  void read_{0}(cl_command_queue queue, cl_mem {0}, {1}* values) const {{\n"
        "    const detail::Storage storage = {0}_storage();\n",
        name, type);
    if (tensor.stored.layout.is_row_major()) {
      text += fmt::format("    detail::read(queue, {}, storage, values);\n", name);
    } else {
      text += fmt::format(
          "    std::vector<{}> stored(static_cast<std::size_t>(storage.elements));\n"
          "    detail::read(queue, {}, storage, stored.data());\n    using namespace detail;\n",
          type, name);
      text += index_loop(tensor, "values[k] = stored[{}];");
    }
    return text + "  }\n\n";
  }

  std::string run() {
    std::string text =
        "  /// Hands the kernels to the queue and does not wait. They start after the events of `after`; "
        "`done`, if it is\n"
        "  /// given, is complete after the last, and is the caller's to release.\n  void "
        "run(cl_command_queue queue";
    for (const auto* values : {&program_.inputs, &program_.outputs}) {
      for (const Program::Value& v : *values) text += fmt::format(", cl_mem {}", id(tensor_of(v)));
    }
    text +=
        ",\n           const std::vector<cl_event>& after = {}, cl_event* done = nullptr) const {\n"
        "    using namespace detail;\n    Chain chain(queue, after);\n";
    for (const Program::Launch& launch : program_.launches) text += launch_text(launch);
    return text + "    if (done != nullptr) *done = chain.take();\n  }\n";
  }

  std::string launch_text(const Program::Launch& launch) {
    const KernelSource& kernel = program_.kernels[launch.kernel];
    std::string text;
    for (std::size_t a = 0; a < kernel.arguments.size(); ++a) {
      const KernelArgument& argument = kernel.arguments[a];
      std::string value;
      if (argument.kind == KernelArgument::Kind::Scalar) {
        value = "params_." + params_.variable(argument.name);
      } else {
        const Program::Tensor& tensor = program_.tensors[static_cast<std::size_t>(launch.tensors[a])];
        value = is_inner(tensor) ? id(tensor) + "_.get()" : id(tensor);
      }
      text += fmt::format("    set_argument(kernels_[{}], {}, {}, \"{}\");\n", launch.kernel, a, value,
                          kernel.entry);
    }
    const auto& g = launch.groups;
    const auto& items = kernel.launch.group_size;
    return text + fmt::format("    chain.launch(kernels_[{}], \"{}\", {{{}, {}, {}}}, {{{}, {}, {}}});\n",
                              launch.kernel, kernel.entry, number(g[0]), number(g[1]), number(g[2]), items[0],
                              items[1], items[2]);
  }

  std::string check_params() {
    std::string text = "  void check_params() const {\n    using namespace detail;\n";
    for (const Program::Tensor& t : program_.tensors) {
      for (const Expr& e : t.stored.extents) {
        if (e->kind != ir::ExprKind::IntImm)
          text += fmt::format("    extent({}, {});\n", number(e), cpp_literal(t.name));
      }
    }
    for (const FactorRequirement& f : program_.factors) {
      text += fmt::format("    if ({} && params_.{} < {})\n      throw std::invalid_argument({});\n",
                          number(f.when), params_.variable(f.param), f.least,
                          cpp_literal(fmt::format("an index that {} has for {} needs {} to be {} or more",
                                                  f.reader, f.tensor, f.param, f.least)));
    }
    for (const ReadRequirement& r : program_.requirements) {
      text += fmt::format(
          "    if (const std::int64_t begin = {0}, end = {1}; {2} && begin < end && (begin < 0 || end > "
          "{3}))\n"
          "      throw std::invalid_argument({4});\n",
          number(r.begin), number(r.end), number(r.when), number(r.extent),
          cpp_literal(fmt::format("{} reads {} outside its extent in dimension {} ({})", r.reader, r.tensor,
                                  r.dimension, r.axis)));
    }
    return text + "  }\n\n";
  }

  std::string create_inner() {
    std::string text = "  void create_inner_memory() {\n";
    for (const Program::Tensor& t : program_.tensors) {
      if (t.kind == Kind::Intermediate)
        text += fmt::format("    {0}_ = detail::create(context_, {0}_storage());\n", id(t));
      if (t.kind == Kind::Constant) {
        text += fmt::format("    {0}_ = detail::create(context_, {0}_storage(), detail::constants + {1});\n",
                            id(t), t.offset);
      }
    }
    return text + "  }\n";
  }

  std::string storage(const Program::Tensor& t) {
    std::string text = fmt::format(
        "  detail::Storage {}_storage() const {{\n    using namespace detail;\n    Storage storage{{{}, {}, "
        "{}}};\n",
        id(t), cpp_literal(t.name), number(t.elements), t.stored.type.bytes());
    if (t.image && t.stored.image) {
      text += fmt::format(
          "    storage.type = {};\n    storage.format = {{{}, {}}};\n    storage.width = {};\n    "
          "storage.height = {};\n"
          "    storage.layers = {};\n",
          object_type(*t.stored.image), t.image->channels == 4 ? "CL_RGBA" : "CL_R",
          channel_type(t.stored.type), number(t.image->width), number(t.image->height),
          number(t.image->layers));
    }
    return text + "    return storage;\n  }\n";
  }

  static constexpr std::string_view kIndex = "launcher index ";

  const Program& program_;
  const std::string &text_, &options_;
  const LauncherNames& names_;
  codegen::CNames identifiers_{is_taken};
  codegen::CNames params_{[](const std::string& name) { return is_cpp_word(name) || is_macro(name); }};
};

}  // namespace

std::string launcher_header(const Program& program, const std::string& text, const std::string& options,
                            const LauncherNames& names) {
  return HeaderWriter(program, text, options, names).write();
}

}  // namespace tensordsl::generator
