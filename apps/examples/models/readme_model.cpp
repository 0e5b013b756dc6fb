#include <tensordsl/model.h>
#include <tensordsl/tensordsl.h>

#include <cstdio>

using namespace tensordsl;

int main(int count, char** arguments) try {
  const Model model = Model::load(count > 1 ? arguments[1] : "model.onnx", {.random_weights = true});
  const auto device = Device::open();
  Runner runner = model.run(*device);
  for (const auto& input : runner.program().inputs) runner.write(input.name, default_input(input));
  runner.run();
  const Buffer scores = runner.read();
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < scores.elements(); ++i) best = scores.get(i) > scores.get(best) ? i : best;
  std::printf("class %d: %f\n", static_cast<int>(best), scores.get(best));
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
