#include "backends/llvm/emit/emit_llvm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "backends/llvm/emit/guard_math.h"
#include "backends/llvm/emit/limit_exponentials.h"
#include "backends/llvm/emit/llvm_printer.h"
#include "backends/llvm/emit/llvm_types.h"
#include "backends/llvm/emit/separate_lanes.h"
#include "codegen/describe_kernel.h"
#include "lower/cpu/work_group_loops.h"
#include "tensordsl/error.h"

namespace tensordsl::llvm_ir {
namespace {

/// The parameters of the function that is one work-group, and the instructions of the entry that get them.
struct Parameters {
  std::vector<std::string> declared, passed, instructions;
  int slots = 0;

  /// The value in the next slot, of `type`.
  std::string load(const std::string& type) {
    const std::string slot = fmt::format("%slot{}", slots), value = fmt::format("%value{}", slots);
    instructions.push_back(fmt::format("{} = getelementptr i64, ptr %arguments, i64 {}", slot, slots));
    instructions.push_back(fmt::format("{} = load {}, ptr {}, align 8", value, type, slot));
    ++slots;
    return value;
  }

  std::string pass(const std::string& type, const std::string& name, const std::string& attributes = "") {
    const std::string parameter = identifier('%', name);
    declared.push_back(fmt::format("{} {}{}", type, attributes, parameter));
    passed.push_back(fmt::format("{} {}", type, load(type)));
    return parameter;
  }
};

std::string attributes_of(const lower::BufferArgument& b) {
  return fmt::format("{}nocapture {}", b.may_overlap ? "" : "noalias ",
                     b.access == KernelArgument::Access::ReadOnly ? "readonly " : "");
}

/// A name for each argument, whatever others are called.
std::string name_of(const std::string& what, const std::string& name) { return what + "." + name; }

}  // namespace

KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries) {
  codegen::CNames names([](const std::string&) { return false; });
  KernelSource source = describe_kernel(kernel, taken_entries, names);
  const lower::LoweredKernel loops = lower::as_work_group_loops(kernel);
  LlvmPrinter printer(kernel.half_arithmetic);
  Parameters parameters;
  for (const lower::BufferArgument& b : kernel.buffers) {
    const std::string pointer = parameters.pass("ptr", name_of("buffer", b.name), attributes_of(b));
    if (!b.image) {
      printer.define_buffer(b.name, b.type, pointer);
      continue;
    }
    const auto extent = [&](const char* what) { return parameters.pass("i32", name_of(what, b.name)); };
    ImageOperands image{.texels = pointer, .width = extent("width"), .height = "", .layers = ""};
    image.height = extent("height");
    image.layers = extent("layers");
    printer.define_image(b, image);
  }
  for (const lower::ScalarArgument& s : kernel.scalars)
    printer.define_value(s.name, parameters.pass(value_type(s.type, true), name_of("scalar", s.name)));
  std::vector<std::string> blocks;
  for (const char* name : lower::kBlockNames) {
    printer.define_value(name, fmt::format("%{}", name));
    parameters.declared.push_back(fmt::format("i32 %{}", name));
    blocks.push_back(fmt::format("i32 %{}", name));
  }
  if (loops.body.defined()) printer.print(guard_math(limit_exponentials(separate_lanes(loops.body))));
  if (printer.allocated_bytes() > kStackBytes) {
    throw ScheduleError(
        fmt::format("kernel {}: the arrays of a work-group need {} bytes, but a thread has {} for them; make "
                    "its tiles or its work-groups smaller",
                    kernel.name, printer.allocated_bytes(), kStackBytes));
  }
  const std::string groups0 = parameters.load("i64"), groups1 = parameters.load("i64");
  std::vector<std::string> passed = parameters.passed;
  passed.insert(passed.end(), blocks.begin(), blocks.end());

  std::string text;
  for (const auto& [name, function] : printer.functions()) text += function + "\n";
  text += fmt::format("define internal void @work_group({}) alwaysinline {{\nentry:\n{}{}  ret void\n}}\n\n",
                      fmt::join(parameters.declared, ", "), printer.allocations(), printer.text());
  text += fmt::format("define void @{}(ptr %arguments, i64 %first, i64 %last) {{\nentry:\n  {}\n",
                      source.entry, fmt::join(parameters.instructions, "\n  "));
  // Indices are divided out once. Dimension 0, whose groups are consecutive, has a loop of its own, so that
  // LLVM can hoist common parts and vectorize small groups.
  text += fmt::format(R"(  %is_any = icmp slt i64 %first, %last
  br i1 %is_any, label %start, label %end
start:
  %start.x = urem i64 %first, {0}
  %start.row = udiv i64 %first, {0}
  %start.y = urem i64 %start.row, {1}
  %start.z = udiv i64 %start.row, {1}
  br label %row
row:
  %group = phi i64 [ %first, %start ], [ %next_row, %row_end ]
  %x = phi i64 [ %start.x, %start ], [ 0, %row_end ]
  %y = phi i64 [ %start.y, %start ], [ %next_y, %row_end ]
  %z = phi i64 [ %start.z, %start ], [ %next_z, %row_end ]
  %in_row = sub i64 {0}, %x
  %left = sub i64 %last, %group
  %is_whole = icmp slt i64 %in_row, %left
  %count = select i1 %is_whole, i64 %in_row, i64 %left
  %end_x = add i64 %x, %count
  %first_block0 = trunc i64 %x to i32
  %end_block0 = trunc i64 %end_x to i32
  %block1 = trunc i64 %y to i32
  %block2 = trunc i64 %z to i32
  br label %body
body:
  %block0 = phi i32 [ %first_block0, %row ], [ %next_block0, %body ]
  call void @work_group({2})
  %next_block0 = add nsw i32 %block0, 1
  %goes_on = icmp slt i32 %next_block0, %end_block0
  br i1 %goes_on, label %body, label %row_end
row_end:
  %next_row = add i64 %group, %count
  %below = add i64 %y, 1
  %is_layer_end = icmp eq i64 %below, {1}
  %layer_behind = add i64 %z, 1
  %next_y = select i1 %is_layer_end, i64 0, i64 %below
  %next_z = select i1 %is_layer_end, i64 %layer_behind, i64 %z
  %is_more = icmp slt i64 %next_row, %last
  br i1 %is_more, label %row, label %end
end:
  ret void
}}
)",
                      groups0, groups1, fmt::join(passed, ", "));
  if (!printer.declarations().empty()) text += fmt::format("\n{}\n", fmt::join(printer.declarations(), "\n"));
  source.text = std::move(text);
  source.options = "";
  return source;
}

}  // namespace tensordsl::llvm_ir
