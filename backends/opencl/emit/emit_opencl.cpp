#include "backends/opencl/emit/emit_opencl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "backends/opencl/emit/opencl_printer.h"
#include "backends/opencl/emit/opencl_types.h"
#include "codegen/describe_kernel.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/lowered.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {

using namespace ir;

namespace {

/// "read_only image2d_t"
std::string image_type(const lower::BufferArgument& b) {
  const std::string_view access =
      b.access == KernelArgument::Access::ReadOnly ? "__read_only" : "__write_only";
  switch (b.image->kind) {
    case ImageKind::Image1DBuffer:
      return fmt::format("{} image1d_buffer_t", access);
    case ImageKind::Image2D:
      return fmt::format("{} image2d_t", access);
    case ImageKind::Image2DArray:
      return fmt::format("{} image2d_array_t", access);
  }
  return "";
}

std::string parameter(const lower::BufferArgument& b, bool half_arithmetic, codegen::CNames& names) {
  if (b.image) return fmt::format("{} {}", image_type(b), names.buffer(b.name));
  return fmt::format("{} {}* {}{}", address_space(b), memory_type(b.type, half_arithmetic),
                     b.may_overlap ? "" : "restrict ", names.buffer(b.name));
}

std::string index_declarations(const lower::LoweredKernel& kernel) {
  std::string text;
  for (int d = 0; d < 3; ++d) {
    if (uses_var(kernel.body, lower::kBlockNames[d])) {
      text += fmt::format("  const int {} = get_group_id({});\n", lower::kBlockNames[d], d);
    }
  }
  for (int d = 0; d < 3; ++d) {
    if (uses_var(kernel.body, lower::kThreadNames[d])) {
      text += fmt::format("  const int {} = get_local_id({});\n", lower::kThreadNames[d], d);
    }
  }
  return text;
}

std::vector<std::string> extensions(const lower::LoweredKernel& kernel, bool has_double) {
  std::vector<std::string> text;
  if (kernel.half_arithmetic) text.emplace_back("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
  if (has_double) text.emplace_back("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  if (kernel.sub_group_size > 0)
    text.emplace_back(
        "#ifdef cl_khr_subgroups\n#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n#endif\n");
  if (lower::has_shuffle(kernel.body)) {
    text.emplace_back(R"(#if defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#elif defined(cl_intel_subgroups)
#define sub_group_shuffle intel_sub_group_shuffle
#endif
)");
  }
  return text;
}

/// Returns the attribute that sets the size of sub-groups, which depends on the compiler's extensions; the
/// host checks the size in any case.
std::string sub_group_attribute(const lower::LoweredKernel& kernel) {
  if (kernel.sub_group_size == 0) return "";
  return fmt::format(R"(#if defined(cl_intel_required_subgroup_size)
__attribute__((intel_reqd_sub_group_size({})))
#elif defined(cl_qcom_reqd_sub_group_size)
#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable
__attribute__((qcom_reqd_sub_group_size("{}")))
#endif
)",
                     kernel.sub_group_size, kernel.sub_group_size >= 64 ? "full" : "half");
}

/// OpenCL compilers limit how deep brackets nest; clang takes 256.
void check_nesting(const std::string& kernel, const std::string& text) {
  constexpr int kDeepest = 250;
  int depth = 0, deepest = 0;
  for (const char c : text) {
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    deepest = std::max(deepest, depth);
  }
  if (deepest <= kDeepest) return;
  throw ScheduleError(
      fmt::format("kernel {}: an expression nests {} brackets deep, and OpenCL compilers take {}; move part "
                  "of it into a Func with compute_root()",
                  kernel, deepest, kDeepest));
}

}  // namespace

KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                  bool has_dp4a) {
  codegen::CNames names(is_reserved);
  for (int d = 0; d < 3; ++d) {
    names.keep(lower::kBlockNames[d]);
    names.keep(lower::kThreadNames[d]);
  }
  KernelSource source = describe_kernel(kernel, taken_entries, names);
  std::vector<std::string> parameters;
  for (const lower::BufferArgument& b : kernel.buffers)
    parameters.push_back(parameter(b, kernel.half_arithmetic, names));
  for (const lower::ScalarArgument& s : kernel.scalars)
    parameters.push_back(fmt::format("const {} {}", value_type(s.type), names.variable(s.name)));
  std::string body;
  std::vector<std::string> helpers;
  bool has_double = false;
  if (kernel.body.defined()) {
    OpenCLPrinter printer(names, kernel, has_dp4a);
    printer.print(kernel.body);
    for (KernelArgument& a : source.arguments) a.alignment = printer.alignment_of(a.name);
    body = index_declarations(kernel) + printer.local_declarations() + printer.text();
    helpers = printer.helpers();
    has_double = printer.has_double();
  }
  if (kernel.sub_group_size > 0) source.options = "-cl-std=CL2.0";
  source.shared = extensions(kernel, has_double);
  const bool has_helpers = !helpers.empty();
  std::ranges::move(helpers, std::back_inserter(source.shared));
  source.text =
      fmt::format("{}{}{}__kernel __attribute__((reqd_work_group_size({}, {}, {})))\nvoid {}({}) {{\n{}}}\n",
                  fmt::join(source.shared, ""), has_helpers ? "\n" : "", sub_group_attribute(kernel),
                  kernel.group_size[0], kernel.group_size[1], kernel.group_size[2], source.entry,
                  fmt::join(parameters, ", "), body);
  check_nesting(kernel.name, source.text);
  return source;
}

}  // namespace tensordsl::opencl
