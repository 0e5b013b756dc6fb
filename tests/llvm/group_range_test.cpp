// The entry of a kernel runs the work-groups of any range, each once, by its indices.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "backends/llvm/device/loaded_code.h"
#include "backends/llvm/emit/emit_llvm.h"
#include "ir/text/parse.h"

using namespace tensordsl;

namespace {

using Groups = std::array<int, 3>;

/// Writes its position in the order of all groups, plus 1, to the element with its indices.
KernelSource numbering_kernel(const Groups& groups) {
  lower::LoweredKernel kernel;
  kernel.name = "number";
  kernel.groups = {Expr(groups[0]), Expr(groups[1]), Expr(groups[2])};
  kernel.buffers = {{"out", Int(32), KernelArgument::Access::ReadWrite, Expr(1000)}};
  kernel.body =
      ir::parse_stmt("store out[block0*100 + block1*10 + block2] = out[block0*100 + block1*10 + block2] + 1");
  return llvm_ir::emit(kernel, {});
}

}  // namespace

TEST_CASE("host: a range of work-groups is run group by group, wherever it begins and ends") {
  const auto llvm = host::LlvmLibrary::load();
  REQUIRE(llvm);
  const host::Processor processor = host::this_processor(*llvm);
  for (const Groups& groups : {Groups{3, 2, 2}, Groups{1, 1, 5}, Groups{1, 4, 1}, Groups{7, 1, 1}}) {
    const KernelSource source = numbering_kernel(groups);
    const host::LoadedCode code(llvm, host::compile_object(*llvm, processor, source), source.entry);
    const std::int64_t count = std::int64_t{1} * groups[0] * groups[1] * groups[2];
    for (std::int64_t first = 0; first <= count; ++first) {
      for (std::int64_t last = first; last <= count; ++last) {
        std::vector<std::int32_t> found(1000), expected(1000);
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t row = i / groups[0];
          ++expected[static_cast<std::size_t>(i % groups[0] * 100 + row % groups[1] * 10 + row / groups[1])];
        }
        const std::uint64_t slots[] = {reinterpret_cast<std::uintptr_t>(found.data()),
                                       static_cast<std::uint64_t>(groups[0]),
                                       static_cast<std::uint64_t>(groups[1])};
        code.entry()(slots, first, last);
        CAPTURE(first);
        CAPTURE(last);
        CHECK(found == expected);
      }
    }
  }
}

TEST_CASE("host: of no work-groups in a dimension nothing is run") {
  const auto llvm = host::LlvmLibrary::load();
  REQUIRE(llvm);
  const KernelSource source = numbering_kernel({1, 1, 1});
  const host::LoadedCode code(llvm, host::compile_object(*llvm, host::this_processor(*llvm), source),
                              source.entry);
  std::vector<std::int32_t> found(1000);
  const std::uint64_t slots[] = {reinterpret_cast<std::uintptr_t>(found.data()), 0, 0};
  code.entry()(slots, 0, 0);
  CHECK(found == std::vector<std::int32_t>(1000));
}
