// Programs of models are byte for byte those of before: kernels, launches, tensors, constants, memory plan.
//
// A change that is meant not to change kernels fails here if it does not. After a change that is meant to
// change them, TENSORDSL_UPDATE_DIGESTS=1 build/release/bin/test_program_digests writes the new digests.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
#include <sstream>

#include "docs/text_file.h"
#include "records/sha256.h"
#include "support/source_dir.h"
#include "tensordsl/model.h"

namespace tensordsl {
namespace {

constexpr const char* kDigests = "tests/model/program/program_digests.txt";

/// The digest of all that a package stores of the Program.
std::string digest_of(const Program& program) {
  records::Sha256 sha;
  sha.add_text(to_json(program));
  for (const KernelSource& kernel : program.kernels) sha.add_text(kernel.text);
  sha.add({reinterpret_cast<const unsigned char*>(program.constants.data.get()), program.constants.size});
  return records::to_hex(sha.finish()).substr(0, 16);
}

/// "unet adreno640 fp16 0123456789abcdef", one line for each way to compile the models.
std::string digests_now() {
  std::string lines;
  for (const std::string model : {"gpt", "mobilenet_v2", "squeezenet1_0", "unet"}) {
    const Model loaded =
        Model::load((source_dir() / "models" / (model + ".onnx")).string(), {.random_weights = true});
    for (const char* profile : {"adreno640", "mali_g76", "mali_t860", "nvidia_h100", "pocl_cpu_avx512"}) {
      for (const Precision precision : {Precision::Float32, Precision::Float16}) {
        CompileTarget target;
        target.profile = load_hw_profile(profile);
        target.precision = precision;
        lines +=
            fmt::format("{} {} {} {}\n", model, profile, precision == Precision::Float32 ? "fp32" : "fp16",
                        digest_of(loaded.compile(target)));
      }
    }
  }
  return lines;
}

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> all;
  for (std::string line; std::getline(lines, line);) all.insert(line);
  return all;
}

}  // namespace

TEST_CASE("programs: models are compiled to the kernels, launches, constants and plans of before") {
  const std::string now = digests_now();
  const std::filesystem::path path = source_dir() / kDigests;
  if (std::getenv("TENSORDSL_UPDATE_DIGESTS") != nullptr) std::ofstream(path) << now;
  const std::set<std::string> before = lines_of(docs::read_file(kDigests));
  INFO("after a wanted change of kernels: TENSORDSL_UPDATE_DIGESTS=1 build/release/bin/test_program_digests");
  for (const std::string& line : lines_of(now)) CHECK_MESSAGE(before.contains(line), line);
  CHECK(before.size() == lines_of(now).size());
}

}  // namespace tensordsl
