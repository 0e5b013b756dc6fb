#include "apps/bench/phones/phones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "apps/bench/convolution/convolution_graph.h"
#include "apps/bench/convolution/convolution_group.h"
#include "apps/bench/model_graph.h"
#include "apps/bench/phones/phone_kernels.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/schedule_group.h"
#include "lower/lower.h"
#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "pipeline/lower_options.h"
#include "schedule/func_schedule.h"
#include "schedules/strategies.h"
#include "tensordsl/error.h"
#include "tune/autoschedule_graph.h"

namespace tensordsl::bench {
namespace {

/// Predicts times, and caches them.
class Predictor {
 public:
  explicit Predictor(const PhoneOptions& options) : options_(options) {}

  bool can(const PhoneWork& work) const { return work.model.empty() || !options_.models.empty(); }

  double ms(const PhoneWork& work, PhoneWay way) {
    const std::string key = fmt::format("{} {} {}", work.profile, to_string(work), to_string(way));
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = predicted(work, way) * 1e-3;
  }

 private:
  double predicted(const PhoneWork& work, PhoneWay way) {
    const HwProfile profile = load_hw_profile(work.profile);
    switch (way) {
      case PhoneWay::Simple:
      case PhoneWay::Unrolled:
      case PhoneWay::Vectorized:
      case PhoneWay::Winograd:
        return of_funcs({phone_convolution(work.size, work.inputs, way)}, profile);
      case PhoneWay::OnlyLocal:
      case PhoneWay::AllAddresses:
        return of_convolution(work, profile, way);
      default:
        return of_graph(graph_of(work), work, profile, way);
    }
  }

  definitions::DefinitionGraph graph_of(const PhoneWork& work) const {
    if (work.model.empty()) {
      const ConvolutionShape shape{work.size,   work.inputs, work.outputs,
                                   work.kernel, work.stride, work.is_depthwise ? work.inputs : 1};
      return define_graph(convolution_graph(shape, convolution_weights(shape), BeforeConvolution::Relu));
    }
    return graph_of_model(std::filesystem::path(options_.models) / (work.model + ".onnx"));
  }

  /// Returns the options of the target's profile, changed as the way asks.
  static graph::CompileOptions compile_options(const PhoneWork& work, const HwProfile& profile,
                                               PhoneWay way) {
    CompileTarget target;
    target.profile = profile;
    target.precision = way == PhoneWay::Halves ? Precision::Float16 : work.precision;
    graph::CompileOptions options = options_of(target);
    const bool has_images = way == PhoneWay::LocalImages || way == PhoneWay::OnlyImages;
    if (way != PhoneWay::Chosen && way != PhoneWay::Halves && way != PhoneWay::AllAddresses) {
      options.target.prefers_images = has_images;
      options.target.has_local_memory =
          way == PhoneWay::LocalBuffers || way == PhoneWay::LocalImages || way == PhoneWay::OnlyLocal;
      options.target.autobroadcast_pays = way != PhoneWay::Widened;
    }
    return options;
  }

  static double of_graph(definitions::DefinitionGraph graph, const PhoneWork& work, const HwProfile& profile,
                         PhoneWay way) {
    AutoscheduleReport report;
    const std::size_t operators = work.model.empty() ? 1 : 0;
    tune::autoschedule(std::move(graph), compile_options(work, profile, way), profile, {}, report);
    double us = 0;
    // Counts only the last kernel of a convolution; the kernels before it compute its input.
    for (std::size_t i = operators > 0 ? report.kernels.size() - 1 : 0; i < report.kernels.size(); ++i)
      us += report.kernels[i].launches * report.kernels[i].predicted_us;
    return us;
  }

  static double of_convolution(const PhoneWork& work, const HwProfile& profile, PhoneWay way) {
    const ConvolutionShape shape{work.size, work.inputs, work.outputs, work.kernel, work.stride};
    const ConvolutionGroup group(
        define_graph(convolution_graph(shape, convolution_weights(shape), BeforeConvolution::Relu)),
        compile_options(work, profile, way));
    tune::RankingOptions ranking;
    ranking.target = group.target();
    ranking.profile = profile;
    if (way == PhoneWay::OnlyLocal) {
      for (const char* name : {"staged_product", "staged_windows"})
        ranking.strategies.push_back(schedules::find_strategy(name));
      std::erase_if(ranking.strategies, [&](const schedules::Strategy* strategy) {
        return !strategy->applies(group.source().prepared(), group.target());
      });
      // Keeps schedules that use local memory: the study asks for its cost where it is not on chip.
      ranking.pruning.switch_off(predict::Criterion::LocalMemory);
    }
    const tune::Ranking ranked = tune::rank_candidates(group.source(), ranking);
    if (ranked.candidates.empty()) throw Error("phones: no strategy fits " + to_string(work));
    if (way == PhoneWay::OnlyLocal) return ranked.candidates.front().predicted.us;
    graph::ScheduledGroup scheduled = group.source().scheduled(ranked.candidates.front().schedule);
    graph::apply_schedule(scheduled.group, scheduled.schedule, scheduled.target);
    lower::LowerOptions lowering = lower_options(nullptr);
    lowering.without = {"hoist_addresses", "reduce_strength"};
    return of_funcs(scheduled.group.outputs, profile, lowering);
  }

  static double of_funcs(const std::vector<Func>& outputs, const HwProfile& profile,
                         const lower::LowerOptions& lowering = lower_options(nullptr)) {
    const predict::DeviceFigures device = predict::figures_of(profile);
    std::vector<ir::FunctionPtr> functions;
    for (const Func& output : outputs) functions.push_back(output.shared());
    double us = 0;
    for (const lower::LoweredKernel& kernel : lower::lower(functions, lowering).kernels)
      us += predict::predict_kernel(predict::count_work(kernel, device), device).us;
    return us;
  }

  PhoneOptions options_;
  std::map<std::string, double> known_;
};

std::string share_text(double share) { return fmt::format("{:+.0f} %", 100 * share); }

}  // namespace

double PhonesResult::agreement() const {
  return static_cast<double>(std::ranges::count_if(pairs, &PredictedPair::agrees)) /
         static_cast<double>(std::max<std::size_t>(1, pairs.size()));
}

double PhonesResult::mean_factor() const {
  double sum = 0;
  for (const PredictedTime& time : times) sum += std::abs(std::log(time.ms / time.published.ms));
  return std::exp(sum / static_cast<double>(std::max<std::size_t>(1, times.size())));
}

PhonesResult run_phones(const PhoneOptions& options) {
  const PublishedPhones published = read_published_phones(options.published);
  Predictor predict(options);
  PhonesResult result;
  for (const PublishedTime& time : published.times) {
    if (!predict.can(time.work)) continue;
    // Whoever publishes a time has waited for the end of its last kernel.
    const std::optional<Measurement> launched = load_hw_profile(time.work.profile).launch_completed_us;
    const double waited_ms = launched ? launched->value * 1e-3 : 0;
    result.times.push_back({time, waited_ms + predict.ms(time.work, PhoneWay::Chosen)});
  }
  for (const PublishedPair& pair : published.pairs) {
    if (!predict.can(pair.work)) continue;
    double times = predict.ms(pair.work, pair.slower) / predict.ms(pair.work, pair.faster);
    if (pair.faster_base && pair.slower_base) {
      times = predict.ms(pair.work, *pair.faster_base) / predict.ms(pair.work, pair.faster) /
              (predict.ms(pair.work, *pair.slower_base) / predict.ms(pair.work, pair.slower));
    }
    result.pairs.push_back({pair, times});
  }
  return result;
}

nlohmann::ordered_json to_json(const PhonesResult& result) {
  nlohmann::ordered_json times = nlohmann::ordered_json::array(), pairs = times;
  for (const PredictedTime& time : result.times) {
    times.push_back({{"profile", time.published.work.profile},
                     {"work", to_string(time.published.work)},
                     {"published_ms", time.published.ms},
                     {"by", time.published.by},
                     {"source", time.published.source},
                     {"predicted_ms", time.ms},
                     {"error", time.error()}});
  }
  for (const PredictedPair& pair : result.pairs) {
    const auto published = pair.published.times ? nlohmann::ordered_json(*pair.published.times) : nullptr;
    pairs.push_back({{"profile", pair.published.work.profile},
                     {"work", to_string(pair.published.work)},
                     {"faster", to_string(pair.published.faster)},
                     {"slower", to_string(pair.published.slower)},
                     {"compares_gains", pair.published.faster_base.has_value()},
                     {"source", pair.published.source},
                     {"published_times", published},
                     {"predicted_times", pair.times},
                     {"agrees", pair.agrees()}});
  }
  return {{"times", times},
          {"pairs", pairs},
          {"mean_factor", result.mean_factor()},
          {"agreement", result.agreement()}};
}

std::string to_text(const PhonesResult& result) {
  std::string text;
  for (const PredictedTime& time : result.times) {
    text += fmt::format("{:<10} {:<34} {:>8.2f} ms {:<34} predicted {:>8.2f} ms {:>7}\n",
                        time.published.work.profile, to_string(time.published.work), time.published.ms,
                        time.published.by, time.ms, share_text(time.error()));
  }
  for (const PredictedPair& pair : result.pairs) {
    text += fmt::format(
        "{:<10} {:<22} {} {} {}: published {}, predicted {:.2f}: {}\n", pair.published.work.profile,
        to_string(pair.published.work), to_string(pair.published.faster),
        pair.published.faster_base ? "gains more than" : "before", to_string(pair.published.slower),
        pair.published.times ? fmt::format("{:.2f}", *pair.published.times) : "the order", pair.times,
        pair.agrees() ? "agrees" : "differs");
  }
  return text + fmt::format("{} of {} pairs agree; the mean error of the predictions is a factor of {:.2f}",
                            std::ranges::count_if(result.pairs, &PredictedPair::agrees), result.pairs.size(),
                            result.mean_factor());
}

}  // namespace tensordsl::bench
