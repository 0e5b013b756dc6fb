// Kernels of the host's processor give the interpreter's bits, for expressions of every type, in scalars and
// in vectors.
#include <doctest/doctest.h>

#include "backends/llvm/emit/llvm_backend.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "simulate/random_expression.h"
#include "simulate/ways_to_compute.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

using namespace tensordsl;
using namespace tensordsl::simulator;

namespace {

/// A backend that does not contract products and sums, which may round differently.
class ExactBackend final : public Backend {
 public:
  std::string name() const override { return backend_.name(); }
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                    const DeviceInfo* device) const override {
    KernelSource source = backend_.emit(kernel, taken_entries, device);
    const std::string contract = " contract";
    for (std::size_t at = 0; (at = source.text.find(contract, at)) != std::string::npos;)
      source.text.erase(at, contract.size());
    return source;
  }

 private:
  llvm_ir::LlvmBackend backend_;
};

/// The inputs that the expression reads.
std::map<std::string, Buffer> inputs_of(const Expr& expr) {
  std::map<std::string, Buffer> found;
  ir::visit(expr, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Load) found[e->name] = inputs().at(e->name);
    return true;
  });
  return found;
}

Way on_host(Device& device, int schedule) {
  return {"on the host, schedule " + std::to_string(schedule), [&device, schedule](const Expr& e) {
            Func f = defined(e);
            apply_schedule(f, schedule);
            Pipeline pipeline(f, {std::make_shared<ExactBackend>()});
            // The C library's functions of vectors round otherwise than those of scalars.
            const bool has_vector_math =
                schedule % 2 == 1 && pipeline.compile().kernels[0].text.find("@math.") != std::string::npos;
            return has_vector_math ? interpreted(e) : pipeline.realize(inputs_of(e), device);
          }};
}

}  // namespace

TEST_CASE("random expressions: the host's kernels agree with the interpreter") {
  const auto device = Device::open("host");
  std::vector<Way> ways;
  for (int schedule = 0; schedule < kSchedules; ++schedule) ways.push_back(on_host(*device, schedule));
  const Drawing drawing{.is_tame = true, .has_half_arithmetic = false};
  for (int seed = 0; seed < 150; ++seed) {
    Drawing one = drawing;
    one.depth = 2 + seed % 4;
    const Expr expr = ir::parse_expr(ir::print(draw_expression(static_cast<std::uint64_t>(seed), one)));
    const std::string found = disagreement(expr, ways);
    if (!found.empty()) FAIL_CHECK("seed ", seed, ": ", ir::print(expr), "\n", found);
  }
}
