// tensordsl-bench isa reads machine code in the texts of compilers. The texts here are cut from those that
// Mesa 25.0 and LLVM 15 print.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "apps/bench/isa/amd_output.h"
#include "apps/bench/isa/gpu.h"
#include "apps/bench/isa/ir3_output.h"
#include "apps/bench/isa/isa_report.h"
#include "apps/bench/isa/kernel_loops.h"
#include "apps/bench/isa/mali_output.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

std::vector<std::string> lines_of_text(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

constexpr const char* kIr3 = R"(MESA: info: impl __wrapped_product {
MESA: info:     con 32     %47 = load_const (0x00000000 = 0.000000)
MESA: info: }
MESA: info: mov.f32f32 r0.x, 0.000000
MESA: info: l1:
MESA: info: (ss)isam.base0 (f32)(xyzw)r1.x, r0.x, s#0, t#0
MESA: info: (sy)(rpt3)mad.f32 r2.x, r1.x, (r)r3.x, (r)r2.x
MESA: info: (rpt1)nop
MESA: info: add.u r0.x, r0.x, 1
MESA: info: br p0.x, #l9
MESA: info: jump #l1
MESA: info: l9:
MESA: info: stib.b.typed.2d.f32.4.imm.base0 r2.x, r1.w, 32
MESA: info: (jp)end
MESA: info: ; CL: outputs:
MESA: info: ; CL prog 1/1: 0 last-baryf, 0 last-helper, 0 half, 24 full, 8 constlen
)";

constexpr const char* kBifrost = R"(block0 {
   r0 = FADD.f32 r1, r2
}
clause_0:
ds(0) nbb r_uncond
{
    *NOP t0
    +MOV.i32 r1:t1, 0x00000000
}

clause_14:
{
    *FMA.f32 r2:t0, r52, r44, r24
    +TEXS_2D.f32 t1, t0, t, texture_index:0, sampler_index:0, @r5
    *NOP t0
    +JUMP t1, clause_14
}

clause_20:
{
    *NOP t0
    +ST_CVT.v4 t1, r0, r1, r2, @r6
}
SHADER-DB: MESA_SHADER_KERNEL shader: 8 inst, 4 tuples, 2 threads, 1 loops, 0:0 spills:fills
)";

constexpr const char* kValhall = R"(block3 {
   r0 = FADD.f32 r1, r2
}
   MOV.i32 r0, 0x0
   FMA.f32 r1, r2, r3, r1
   LD_TEX.slot0.f32 @r4:r5:r6:r7, r0, r1
   BRANCHZ.eq.reconverge 0x0, offset:-3
   STORE.i128.slot1.tl @r4:r5:r6:r7, r60, offset:0x0
SHADER-DB: MESA_SHADER_KERNEL shader: 5 inst, 24.0 cycles, 1 threads, 1 loops, 3:4 spills:fills
)";

constexpr const char* kAmd =
    "\t.text\n"
    "product:                                ; @product\n"
    "; %bb.0:\n"
    "\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n"
    "\ts_branch .LBB0_2\n"
    ".LBB0_1:                                ;   in Loop: Header=BB0_2 Depth=1\n"
    "\tbuffer_store_dword v3, off, s[0:3], 0 offset:4\n"
    ".LBB0_2:                                ; =>This Loop Header: Depth=1\n"
    "                                        ;     Child Loop BB0_3 Depth 2\n"
    "\tbuffer_gl0_inv\n"
    ".LBB0_3:                                ;   Parent Loop BB0_2 Depth=1\n"
    "                                        ; =>  This Inner Loop Header: Depth=2\n"
    "\tv_fmac_f32_e32 v3, v8, v9\n"
    "\tglobal_load_dwordx4 v[4:7], v[0:1], off\n"
    "\ts_cbranch_scc1 .LBB0_3\n"
    "; %bb.4:                                ;   in Loop: Header=BB0_2 Depth=1\n"
    "\ts_cbranch_scc1 .LBB0_1\n"
    ".LBB0_5:\n"
    "\ts_endpgm\n"
    ".Lfunc_end0:\n"
    "\t.size\tproduct, .Lfunc_end0-product\n"
    "; NumVgprs: 24\n"
    "; ScratchSize: 16\n"
    "; Occupancy: 16\n"
    "amdhsa.kernels:\n"
    "    .name:           product\n"
    "    .sgpr_spill_count: 3\n"
    "    .symbol:         product.kd\n"
    "    .vgpr_spill_count: 5\n";

constexpr const char* kText = R"(__kernel void product(__global float* x) {
  for (int a = 0; a < 8; ++a) {
    for (int k = 0; k < 96; k += 4) {
      x[0] = x[0] + 1.0f;
    }
    for (int j = 0; j < n; ++j) {
    }
  }
}
)";

std::vector<double> trips_of_tree(const LoopTree& tree) {
  std::vector<double> trips;
  for (const LoopTree& loop : tree.inner) {
    trips.push_back(loop.trips);
    for (const double inner : trips_of_tree(loop)) trips.push_back(inner);
  }
  return trips;
}

}  // namespace

TEST_CASE("isa: ir3's assembly gives instructions, loops, registers and waves") {
  const std::vector<MachineCode> kernels = read_ir3(lines_of_text(kIr3));
  REQUIRE(kernels.size() == 1);
  const MachineCode& code = kernels[0];
  CHECK(code.kernel == "product");
  CHECK(code.registers == 96);
  CHECK(code.waves == 8);
  CHECK(code.spills == 0);
  CHECK(code.instructions.size() == 9);
  REQUIRE(code.loops.size() == 1);
  CHECK(code.loops[0].begin == 1);
  CHECK(code.loops[0].end == 7);
}

TEST_CASE("isa: Bifrost's clauses give tuples, and the code after the last intermediate form counts") {
  const std::vector<MachineCode> kernels = read_mali(lines_of_text(kBifrost), {"product"});
  REQUIRE(kernels.size() == 1);
  const MachineCode& code = kernels[0];
  CHECK(code.kernel == "product");
  CHECK(code.waves == 2);
  CHECK(code.registers == 8);  // 0, 1, 2, 5, 6, 24, 44 and 52
  REQUIRE(code.loops.size() == 1);
  CHECK(code.loops[0].begin == 2);
  CHECK(code.loops[0].end == 6);
}

TEST_CASE("isa: Valhall's branches count instructions, and private memory is its own kind") {
  const std::vector<MachineCode> kernels = read_mali(lines_of_text(kValhall), {"product"});
  REQUIRE(kernels.size() == 1);
  const MachineCode& code = kernels[0];
  CHECK(code.spills == 7);
  CHECK(code.instructions.size() == 5);
  CHECK(code.instructions[4].kind == InstructionKind::Scratch);
  REQUIRE(code.loops.size() == 1);
  CHECK(code.loops[0].begin == 1);
  CHECK(code.loops[0].end == 4);
}

TEST_CASE("isa: AMD's assembly gives registers, scratch and occupancy") {
  const std::vector<MachineCode> kernels = read_amd(lines_of_text(kAmd));
  REQUIRE(kernels.size() == 1);
  const MachineCode& code = kernels[0];
  CHECK(code.kernel == "product");
  CHECK(code.registers == 24);
  CHECK(code.private_bytes == 16);
  CHECK(code.waves == 16);
  CHECK(code.spills == 5);
  REQUIRE(code.instructions.size() == 9);
  CHECK(code.instructions[2].kind == InstructionKind::Scratch);
  CHECK(code.instructions[3].kind == InstructionKind::Control);
}

TEST_CASE(
    "isa: AMD's loops are those of the comments, from their first block, which may precede the header") {
  const MachineCode code = read_amd(lines_of_text(kAmd)).at(0);
  REQUIRE(code.loops.size() == 2);
  CHECK(code.loops[0].begin == 2);
  CHECK(code.loops[0].end == 8);
  CHECK(code.loops[1].begin == 4);
  CHECK(code.loops[1].end == 7);
}

TEST_CASE("isa: AMD's compiler tells the time of its process in a line of its own") {
  CHECK(process_seconds("clang: output=x.s, total=237.288 ms, user=193.5 ms, mem=108664 Kb") == 0.1935);
  CHECK_FALSE(process_seconds("x.cl:2:1: warning: total=3 ms").has_value());
}

TEST_CASE("isa: loops of a text have their trips, and 64 where the text does not tell") {
  CHECK(trips_of_tree(loops_of_text(kText, "product")) == std::vector<double>{8, 24, 64});
  CHECK(loops_of_text(kText, "other").inner.empty());
}

TEST_CASE("isa: pieces of a loop that is cut where the text computes it share its trips") {
  const char* text = R"(void f() {
  for (int k = 0; k < first; ++k) {
  }
  for (int k = first; k < last; ++k) {
  }
  for (int k = last; k < 12; ++k) {
  }
}
)";
  CHECK(trips_of_tree(loops_of_text(text, "f")) == std::vector<double>{4, 4, 4});
}

TEST_CASE("isa: a loop of another form has its own trips, whatever loops are next to it") {
  const char* text = R"(void f() {
  {
    for (int k = 0; k < 8; ++k) {
    }
  }
  for (int j = n; j > 0; --j) {
  }
  {
    for (int k = 0; k < 4; ++k) {
    }
  }
}
)";
  CHECK(trips_of_tree(loops_of_text(text, "f")) == std::vector<double>{8, 64, 4});
}

TEST_CASE("isa: loops that a compiler unrolled are those of the fewest trips") {
  const LoopTree text = loops_of_text(kText, "product");
  MachineCode code;
  code.instructions.resize(10);
  SUBCASE("none is unrolled") {
    code.loops = {{1, 9}, {2, 4}, {5, 7}};
    const std::vector<double> times = times_of_instructions(code, text);
    CHECK(times == std::vector<double>{1, 8, 192, 192, 8, 512, 512, 8, 8, 1});
  }
  SUBCASE("the loop of 24 trips is") {
    code.loops = {{1, 9}, {5, 7}};
    const std::vector<double> times = times_of_instructions(code, text);
    CHECK(times == std::vector<double>{1, 8, 8, 8, 8, 512, 512, 8, 8, 1});
  }
  SUBCASE("loops of another shape run once") {
    code.loops = {{1, 3}, {5, 7}};
    CHECK(times_of_instructions(code, text) == std::vector<double>(10, 1));
  }
}

TEST_CASE("isa: an inner loop of few trips that stays is found by the shape of the loops") {
  const char* text = R"(void f() {
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 4; ++b) {
    }
  }
  for (int c = 0; c < 32; ++c) {
  }
  for (int d = 0; d < 8; ++d) {
  }
}
)";
  MachineCode code;
  code.instructions.resize(6);
  code.loops = {{0, 3}, {1, 2}, {4, 5}};
  const std::vector<double> times = times_of_instructions(code, loops_of_text(text, "f"));
  CHECK(times == std::vector<double>{64, 256, 64, 1, 32, 1});
}

TEST_CASE("isa: a row weighs instructions by loops, and totals by work-items") {
  const IsaKernel kernel{"000_product",
                         "product",
                         "void product(\n{\nfor (int k = 0; k < 10; ++k) {\n}\n}\n",
                         "",
                         "Conv",
                         40,
                         100,
                         7,
                         0};
  CompiledFile file{"000_product", read_ir3(lines_of_text(kIr3)), "", 0.5};
  const IsaRow row = row_of(kernel, file);
  CHECK(row.error.empty());
  CHECK(row.hot.multiply_adds == 4);
  CHECK(row.hot.textures == 1);
  CHECK(row.text.all == 11);         // a mad of four counts four times; nops do not count
  CHECK(row.run.all == 3 + 10 * 8);  // the loop has 8
  const IsaTotals totals = totals_of({row, row});
  CHECK(totals.instructions == 2 * 100 * 83);
  CHECK(totals.refused == 0);
  CHECK(totals.seconds == 1);
  CHECK(table_of({row}).find("40/96") != std::string::npos);
  CHECK(comparison_of({row}, {row}).find("instructions 1.000") != std::string::npos);
}

TEST_CASE("isa: Mali's cycles are those of the busiest unit, and predicted times are compared with them") {
  const std::vector<MachineCode> code = read_mali(lines_of_text(kValhall), {"product"});
  std::vector<IsaRow> rows;
  for (const double items : {100, 300, 200}) {
    IsaKernel kernel{"000_product", "product", "", "", "", std::nullopt, items, items / 10, 0};
    rows.push_back(row_of(kernel, {"000_product", code, "", 0.5}));
  }
  CHECK(rows[0].all_cycles() == 100);  // its store
  const IsaTotals totals = totals_of(rows);
  CHECK(totals.cycles == 600);
  CHECK(totals.memory_cycles == 600);
  CHECK(totals.time_correlation == doctest::Approx(1));
  CHECK(table_of(rows).find("of predicted times and cycles 1.00") != std::string::npos);
}

TEST_CASE("isa: private memory counts where the schedule does not ask for it") {
  MachineCode code;
  code.kernel = "product";
  code.private_bytes = 64;
  const auto row = [&](std::int64_t asked) {
    const IsaKernel kernel{"000_product", "product", "", "", "", std::nullopt, 1, 0, asked};
    return row_of(kernel, {"000_product", {code}, "", 0});
  };
  CHECK(row(0).has_private());
  CHECK_FALSE(row(64).has_private());
  CHECK(totals_of({row(0), row(64)}).with_private == 1);
}

TEST_CASE("isa: a GPU that is unknown is refused with the list of those that there are") {
  CHECK(gpu_of("g76").profile == "mali_g76");
  CHECK_THROWS_WITH_AS(
      gpu_of("g99"),
      "--gpu: \"g99\" is unknown; there are a640 (Adreno 640), a660 (Adreno 660), a730 (Adreno 730), g76 "
      "(Mali-G76, Bifrost), g57 (Mali-G57, Valhall), g610 (Mali-G610, Valhall), gfx1030 (AMD RDNA 2)",
      Error);
}

TEST_CASE("isa: a refused kernel has the compiler's words in its row") {
  const IsaKernel kernel{"000_product", "product", "", "", "", std::nullopt, 1, 0, 0};
  const IsaRow row = row_of(kernel, {"000_product", {}, "error: no half\n", 0});
  CHECK(table_of({row}).find("refused: error: no half") != std::string::npos);
  CHECK(totals_of({row}).refused == 1);
  CHECK(json_of({row})["kernels"][0]["error"] == "error: no half\n");
}

}  // namespace tensordsl::bench
