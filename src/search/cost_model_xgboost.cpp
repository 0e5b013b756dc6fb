#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <cmath>
#include <limits>
#include <set>

#include "search/cost_model.h"
#include "tensordsl/error.h"

namespace tensordsl::search {
namespace {

// Enough to distinguish schedules, and few enough to take less time than a trial.
constexpr int kRounds = 60;

void must(int result, const char* doing) {
  if (result != 0) throw InternalError(fmt::format("XGBoost cannot {}: {}", doing, XGBGetLastError()));
}

struct FreeMatrix {
  void operator()(void* matrix) const { XGDMatrixFree(matrix); }
};
using Matrix = std::unique_ptr<void, FreeMatrix>;

struct FreeBooster {
  void operator()(void* booster) const { XGBoosterFree(booster); }
};
using Booster = std::unique_ptr<void, FreeBooster>;

class BoostedTrees final : public CostModel {
 public:
  explicit BoostedTrees(std::uint64_t seed) : seed_(seed) {}

  void learn(const std::vector<Trial>& trials) override {
    booster_.reset();
    if (trials.empty()) return;
    std::set<std::string> names;
    for (const Trial& trial : trials) {
      for (const auto& [name, value] : trial.predicted.features) names.insert(name);
    }
    names_.assign(names.begin(), names.end());
    std::vector<const Features*> rows;
    std::vector<float> labels;
    for (const Trial& trial : trials) {
      rows.push_back(&trial.predicted.features);
      labels.push_back(static_cast<float>(std::log(*trial.measured.us / trial.predicted.us)));
    }
    const Matrix matrix = matrix_of(rows);
    must(XGDMatrixSetFloatInfo(matrix.get(), "label", labels.data(), labels.size()), "take labels");
    DMatrixHandle handle = matrix.get();
    BoosterHandle booster = nullptr;
    must(XGBoosterCreate(&handle, 1, &booster), "begin");
    booster_.reset(booster);
    // One thread: sums in another order would give other trees.
    set("nthread", "1");
    set("seed", std::to_string(seed_));
    set("objective", "reg:squarederror");
    set("base_score", "0");
    set("eta", "0.15");
    set("max_depth", "5");
    set("min_child_weight", "1");
    set("verbosity", "0");
    for (int round = 0; round < kRounds; ++round)
      must(XGBoosterUpdateOneIter(booster_.get(), round, matrix.get()), "learn");
  }

  std::vector<double> predict(const std::vector<const Evaluation*>& evaluations) const override {
    std::vector<double> us;
    for (const Evaluation* evaluation : evaluations) us.push_back(evaluation->us);
    if (!booster_ || evaluations.empty()) return us;
    std::vector<const Features*> rows;
    for (const Evaluation* evaluation : evaluations) rows.push_back(&evaluation->features);
    const Matrix matrix = matrix_of(rows);
    bst_ulong length = 0;
    const float* logarithms = nullptr;
    must(XGBoosterPredict(booster_.get(), matrix.get(), 0, 0, 0, &length, &logarithms), "predict");
    for (std::size_t i = 0; i < us.size() && i < length; ++i)
      us[i] *= std::exp(static_cast<double>(logarithms[i]));
    return us;
  }

 private:
  void set(const char* name, const std::string& value) {
    must(XGBoosterSetParam(booster_.get(), name, value.c_str()), "be set up");
  }

  Matrix matrix_of(const std::vector<const Features*>& rows) const {
    const float missing = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values;
    for (const Features* row : rows) {
      for (const std::string& name : names_) {
        const auto found = row->find(name);
        values.push_back(found == row->end() ? missing : static_cast<float>(found->second));
      }
    }
    DMatrixHandle matrix = nullptr;
    must(XGDMatrixCreateFromMat(values.data(), rows.size(), names_.size(), missing, &matrix),
         "take features");
    return Matrix(matrix);
  }

  std::uint64_t seed_;
  std::vector<std::string> names_;  // of the columns
  Booster booster_;                 // null: it has learned nothing
};

}  // namespace

std::unique_ptr<CostModel> make_boosted_trees(std::uint64_t seed) {
  return std::make_unique<BoostedTrees>(seed);
}

bool has_boosted_trees() { return true; }

}  // namespace tensordsl::search
