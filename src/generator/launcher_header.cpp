#include "generator/launcher_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/cpp_text.h"
#include "generator/launcher_runtime.h"
#include "generator/launcher_symbols.h"
#include "generator/launcher_tensors.h"
#include "ir/nodes/expr_node.h"

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

class HeaderWriter {
 public:
  HeaderWriter(const Program& program, const std::string& text, const std::string& options,
               const LauncherNames& names)
      : program_(program), text_(text), options_(options), names_(names), symbols_(program) {}

  std::string write() {
    std::string header = fmt::format("// {}\n", comment_text(names_.comment));
    header += contents();
    header += fmt::format(fmt::runtime(kPreamble), has_sub_groups() ? 210 : 120);
    if (has_sub_groups()) {
      header +=
          "#if CL_TARGET_OPENCL_VERSION < 210\n#error \"kernels with sub-groups need OpenCL 2.1: include "
          "this header "
          "first, or define CL_TARGET_OPENCL_VERSION as 210\"\n#endif\n";
    }
    header += fmt::format("namespace kernels::{} {{\n\n{}\n", names_.name, kLauncherRuntime);
    header += params();
    header += launcher();
    return header + fmt::format("}}  // namespace kernels::{}\n", names_.name);
  }

 private:
  bool has_sub_groups() const {
    return std::ranges::any_of(program_.kernels, [](const KernelSource& k) { return k.sub_group_size > 0; });
  }
  bool has_params() const { return !program_.params.empty(); }

  std::string contents() {
    std::string text = "//\n";
    const auto line = [&](const char* kind, const Program::Value& v) {
      text +=
          fmt::format("// {} {}{}: {}\n", kind, comment_text(v.name),
                      renamed(v.name, symbols_.of(program_.tensors[v.tensor])), describe_value(program_, v));
    };
    for (const Program::Value& v : program_.inputs) line("input  ", v);
    for (const Program::Value& v : program_.outputs) line("output ", v);
    for (const Program::Param& p : program_.params) {
      text += fmt::format("// param   {}{}: {}\n", comment_text(p.name),
                          renamed(p.name, symbols_.of_param(p.name)), host_type(p.type));
    }
    return text;
  }

  /// Returns a note with the C++ name if it differs from `name`, which is not an identifier or was taken.
  static std::string renamed(const std::string& name, const std::string& identifier) {
    return name == identifier ? "" : fmt::format(", here {}", identifier);
  }

  std::string params() {
    if (!has_params()) return "";
    std::string text = "/// The Params that the kernels take at launch.\nstruct Params {\n";
    for (const Program::Param& p : program_.params)
      text += fmt::format("  {} {} = 0;\n", host_type(p.type), symbols_.of_param(p.name));
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
        "/// Builds the kernels once, for many runs. For one thread at a time; can be moved, and not copied. "
        "Throws\n"
        "/// std::runtime_error where OpenCL fails, and std::invalid_argument on sizes or memory that the "
        "kernels are not\n/// for.\nclass Launcher {\n public:\n";
    text += constructor();
    for (const Program::Value& input : program_.inputs) {
      text += create_function(program_, input, symbols_) + write_function(program_, input, symbols_);
    }
    for (const Program::Value& output : program_.outputs) {
      text += create_function(program_, output, symbols_) + read_function(program_, output, symbols_);
    }
    text += run() + "\n private:\n";
    if (has_params()) text += check_params();
    text += create_inner();
    for (const Program::Tensor& t : program_.tensors) text += storage_function(t, symbols_);
    text += "  cl_context context_;\n";
    if (has_params()) text += "  Params params_;\n";
    text += "  detail::Kernels kernels_;\n";
    for (const Program::Tensor& t : program_.tensors) {
      if (is_inner(t)) text += fmt::format("  Memory {}_memory_;\n", symbols_.of(t));
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
          "  /// If it throws, nothing has changed.\n"
          "  void set_params(const Params& params) {\n    const Params before = params_;\n    params_ = "
          "params;\n"
          "    try {\n      check_params();\n      create_inner_memory();\n    } catch (...) {\n      "
          "params_ = before;\n"
          "      throw;\n    }\n  }\n\n";
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

  std::string run() {
    std::string text =
        "  /// Hands the kernels to the queue and does not wait. They start after the events of `after`; "
        "`done`, if it is\n"
        "  /// given, is complete after the last, and is the caller's to release.\n  void "
        "run(cl_command_queue queue";
    for (const auto* values : {&program_.inputs, &program_.outputs}) {
      for (const Program::Value& v : *values)
        text += fmt::format(", cl_mem {}", symbols_.of(program_.tensors[v.tensor]));
    }
    text +=
        ",\n           const std::vector<cl_event>& after = {}, cl_event* done = nullptr) const {\n"
        "    detail::Chain chain(queue, after);\n";
    for (const auto* values : {&program_.inputs, &program_.outputs}) {
      for (const Program::Value& v : *values)
        text += fmt::format("    detail::check_memory({0}, this->{0}_storage());\n",
                            symbols_.of(program_.tensors[v.tensor]));
    }
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
        value = "params_." + symbols_.of_param(argument.name);
      } else {
        const Program::Tensor& tensor = program_.tensors[static_cast<std::size_t>(launch.tensors[a])];
        value = is_inner(tensor) ? "this->" + symbols_.of(tensor) + "_memory_.get()" : symbols_.of(tensor);
      }
      text += fmt::format("    detail::set_argument(kernels_[{}], {}, {}, \"{}\");\n", launch.kernel, a,
                          value, kernel.entry);
    }
    const auto& g = launch.groups;
    const auto& items = kernel.launch.group_size;
    return text + fmt::format("    chain.launch(kernels_[{}], \"{}\", {{{}, {}, {}}}, {{{}, {}, {}}});\n",
                              launch.kernel, kernel.entry, symbols_.number(g[0]), symbols_.number(g[1]),
                              symbols_.number(g[2]), items[0], items[1], items[2]);
  }

  std::string check_params() {
    std::string text = "  void check_params() const {\n";
    for (const Program::Tensor& t : program_.tensors) {
      for (const SizeExpr& extent : t.stored.extents) {
        if (!extent.constant())
          text += fmt::format("    detail::extent({}, {});\n", symbols_.number(extent), cpp_literal(t.name));
      }
    }
    for (const FactorRequirement& f : program_.factors) {
      text += fmt::format(
          "    if ({} && detail::wide(params_.{}) < {})\n      throw std::invalid_argument({});\n",
          symbols_.number(f.when), symbols_.of_param(f.param), f.least,
          cpp_literal(fmt::format("an index of {} into {} needs {} to be {} or more", f.reader, f.tensor,
                                  f.param, f.least)));
    }
    for (const ReadRequirement& r : program_.requirements) {
      text += fmt::format(
          "    if (const std::int64_t begin = {0}, end = {1}; {2} && begin < end && (begin < 0 || end > "
          "{3}))\n"
          "      throw std::invalid_argument({4});\n",
          symbols_.number(r.begin), symbols_.number(r.end), symbols_.number(r.when),
          symbols_.number(r.extent),
          cpp_literal(fmt::format("{} reads {} outside its extent in dimension {} ({})", r.reader, r.tensor,
                                  r.dimension, r.axis)));
    }
    return text + "  }\n\n";
  }

  /// All of it, or, if it throws, none.
  std::string create_inner() {
    std::string made, kept;
    for (const Program::Tensor& t : program_.tensors) {
      if (!is_inner(t)) continue;
      const std::string contents =
          t.kind == Kind::Constant ? fmt::format(", detail::constants + {}", t.offset) : "";
      made += fmt::format("    Memory {0} = detail::create(context_, this->{0}_storage(){1});\n",
                          symbols_.of(t), contents);
      kept += fmt::format("    this->{0}_memory_ = std::move({0});\n", symbols_.of(t));
    }
    return fmt::format("  void create_inner_memory() {{\n{}{}  }}\n", made, kept);
  }

  const Program& program_;
  const std::string &text_, &options_;
  const LauncherNames& names_;
  LauncherSymbols symbols_;
};

}  // namespace

std::string launcher_header(const Program& program, const std::string& text, const std::string& options,
                            const LauncherNames& names) {
  return HeaderWriter(program, text, options, names).write();
}

}  // namespace tensordsl::generator
