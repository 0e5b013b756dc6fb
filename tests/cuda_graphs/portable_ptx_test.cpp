// Tests the translation of PTX that NVIDIA's OpenCL writes and CUDA does not accept.
#include "backends/cuda_graphs/portable_ptx.h"

#include <doctest/doctest.h>

using tensordsl::cuda::portable_ptx;
using tensordsl::cuda::with_early_start;

TEST_CASE("PTX: registers of OpenCL's offsets are 0, and images are not in a mode of their own") {
  CHECK(portable_ptx(".version 8.0\n"
                     ".target sm_90, texmode_independent\n"
                     ".visible .entry add(\n"
                     "\tmov.b32 \t%r1, %envreg3;\n"
                     "\tadd.s32 \t%r2, %envreg12, %envreg0;\n"
                     "\tmov.u32 \t%r3, %ctaid.x;\n") ==
        ".version 8.0\n"
        ".target sm_90\n"
        ".visible .entry add(\n"
        "\tmov.b32 \t%r1, 0;\n"
        "\tadd.s32 \t%r2, 0, 0;\n"
        "\tmov.u32 \t%r3, %ctaid.x;\n");
}

TEST_CASE("PTX: a kernel that may start early waits before its first instruction") {
  const std::string head =
      ".version 8.5\n.target sm_90\n.address_size 64\n\n"
      ".func (.param .b32 r) half(.param .b32 x)\n{\n\t.reg .b32 \t%r<2>;\n\tmov.b32 \t%r1, 1;\n\tret;\n}\n"
      "\t// .globl\tadd\n.entry add(\n\t.param .u64 .ptr .global .align 4 add_param_0\n)\n.reqntid 32, 1, "
      "1\n{\n"
      "\t.reg .b32 \t%r<4>;\n\n\t// begin\n";
  const std::string body = "\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n}\n.entry two()\n{\n";
  const std::string wait = "\tgriddepcontrol.wait;\n";
  CHECK(with_early_start(head + body + "$L:\n\tret;\n}") == head + wait + body + wait + "$L:\n\tret;\n}");
  const std::string older = ".version 8.0\n.target sm_89\n.entry add()\n{\n\tret;\n}\n";
  CHECK(with_early_start(older) == older);
  CHECK(with_early_start("").empty());
}

TEST_CASE("PTX: kernels that take constant memory are known") {
  CHECK(tensordsl::cuda::has_constant_arguments(".param .u64 .ptr .const .align 4 add_param_0,"));
  CHECK_FALSE(tensordsl::cuda::has_constant_arguments(".param .u64 .ptr .global .align 4 add_param_0,"));
}

TEST_CASE("PTX: its final zeros go, all else stays") {
  CHECK(portable_ptx("").empty());
  CHECK(portable_ptx(std::string_view("ret;\n\0\0", 7)) == "ret;\n");
  CHECK(portable_ptx("no end of a line") == "no end of a line");
  CHECK(portable_ptx("\n\n") == "\n\n");
}
