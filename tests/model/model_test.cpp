// Models through the public interface.
#include "tensordsl/model.h"

#include <doctest/doctest.h>

#include <thread>

#include "support/error_text.h"
#include "support/source_dir.h"

using namespace tensordsl;

namespace {

const Model& squeezenet() {
  static const Model model =
      Model::load((source_dir() / "models/squeezenet1_0.onnx").string(), {.random_weights = true});
  return model;
}

/// All that a Program has.
std::string text(const Program& program) {
  std::string all = to_json(program);
  for (const KernelSource& kernel : program.kernels) all += kernel.text;
  return all +
         std::string(reinterpret_cast<const char*>(program.constants.data.get()), program.constants.size);
}

Program compiled(const char* name, int threads) {
  CompileTarget target;
  target.threads = threads;
  const std::string path = (source_dir() / "models" / name).string();
  return Model::load(path, {.random_weights = true}).compile(target);
}

}  // namespace

TEST_CASE("model: two compilations give the same bytes, with one thread or with eight") {
  const std::string once = text(compiled("inception_v3.onnx", 1));
  CHECK(text(compiled("inception_v3.onnx", 1)) == once);
  CHECK(text(compiled("inception_v3.onnx", 8)) == once);
}

TEST_CASE("model: several threads may compile one model at once") {
  const std::string once = text(squeezenet().compile());
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& result : found)
    threads.emplace_back([&result] { result = text(squeezenet().compile()); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : found) CHECK(result == once);
}

TEST_CASE(
    "model: padding, concatenation, layout transformations and attention's scores have no kernels of their "
    "own") {
  for (const auto& [name, launches] : {std::pair{"mobilenet_v1.onnx", 29},
                                       {"resnet18.onnx", 23},
                                       {"squeezenet1_0.onnx", 31},
                                       {"inception_v3.onnx", 112},
                                       {"mobilenet_v2.onnx", 54},
                                       {"vit_b16.onnx", 92},
                                       {"bert_base_128.onnx", 92},
                                       {"swin_t.onnx", 120}}) {
    CAPTURE(name);
    CHECK(static_cast<int>(compiled(name, 0).launches.size()) <= launches);
  }
}

TEST_CASE("model: a profile changes the schedules, and needs no device") {
  CompileTarget phone;
  phone.profile = load_hw_profile("mali_g76");
  const Program program = squeezenet().compile(phone);
  CHECK(program.kernels[0].launch.group_size != std::array<int, 3>{1, 1, 1});
  CompileTarget cpu;
  cpu.profile = load_hw_profile("pocl_cpu_avx512");
  CHECK(squeezenet().compile(cpu).kernels[0].launch.group_size == std::array<int, 3>{1, 1, 1});
}

TEST_CASE("model: stages are text, an unknown one is refused") {
  CHECK(squeezenet().emit("graph").find("Conv(") != std::string::npos);
  CHECK(squeezenet().emit("classes", {}, "Conv").find("contraction") != std::string::npos);
  CHECK(
      error_of([] {
        squeezenet().emit("layouts", {}, "nothing of that name");
      }).find("emit: no kernel, node or tensor has \"nothing of that name\" in its name; the kernels are ") ==
      0);
  CHECK(error_of([] {
          squeezenet().emit("magic");
        }).find("unknown stage \"magic\"; the stages are graph, classes, ") != std::string::npos);
}

TEST_CASE("model: a file that is none is refused with its name") {
  CHECK(error_of([] { Model::load("/no/such.onnx"); }) == "/no/such.onnx: there is no such file");
}
