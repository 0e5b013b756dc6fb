#include "apps/bench/phones/published_phones.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

using nlohmann::json;

struct WayName {
  PhoneWay way;
  std::string_view name, text;
};

constexpr std::array kWays{WayName{PhoneWay::Chosen, "chosen", "chosen"},
                           WayName{PhoneWay::Halves, "halves", "chosen, fp16"},
                           WayName{PhoneWay::Buffers, "buffers", "buffers"},
                           WayName{PhoneWay::LocalBuffers, "local_buffers", "buffers, local memory"},
                           WayName{PhoneWay::LocalImages, "local_images", "images, local memory"},
                           WayName{PhoneWay::OnlyLocal, "only_local", "tiles in local memory"},
                           WayName{PhoneWay::OnlyImages, "only_images", "images"},
                           WayName{PhoneWay::Autobroadcast, "autobroadcast", "autobroadcast"},
                           WayName{PhoneWay::Widened, "widened", "no autobroadcast"},
                           WayName{PhoneWay::AllAddresses, "all_addresses", "no elimination of addresses"},
                           WayName{PhoneWay::Simple, "simple", "tiles in loops"},
                           WayName{PhoneWay::Unrolled, "unrolled", "tiles unrolled"},
                           WayName{PhoneWay::Vectorized, "vectorized", "tiles in vectors"},
                           WayName{PhoneWay::Winograd, "winograd", "Winograd"}};

PhoneWay way_of(const json& name) {
  for (const WayName& way : kWays) {
    if (name == way.name) return way.way;
  }
  throw Error(fmt::format("unknown variant {}", name.dump()));
}

std::optional<PhoneWay> optional_way(const json& pair, const char* field) {
  return pair.contains(field) ? std::optional(way_of(pair[field])) : std::nullopt;
}

PhoneWork work_of(const json& entry) {
  PhoneWork work;
  work.profile = entry.at("profile");
  work.model = entry.value("model", "");
  work.precision = entry.value("precision", "fp32") == "fp16" ? Precision::Float16 : Precision::Float32;
  if (!work.model.empty()) return work;
  const json& convolution = entry.at("convolution");
  work.size = convolution.at("size");
  work.inputs = convolution.value("inputs", convolution.value("channels", 0));
  work.outputs = convolution.value("outputs", work.inputs);
  work.kernel = convolution.at("kernel");
  work.stride = convolution.value("stride", 1);
  work.is_depthwise = convolution.value("depthwise", false);
  return work;
}

}  // namespace

std::string to_string(const PhoneWork& work) {
  if (!work.model.empty())
    return fmt::format("{}, {}", work.model, work.precision == Precision::Float16 ? "fp16" : "fp32");
  return fmt::format("{}{}x{} {}x{} {}->{}{}", work.is_depthwise ? "depthwise " : "", work.kernel,
                     work.kernel, work.size, work.size, work.inputs, work.outputs,
                     work.stride > 1 ? ", stride 2" : "");
}

std::string to_string(PhoneWay way) {
  for (const WayName& known : kWays) {
    if (known.way == way) return std::string(known.text);
  }
  throw InternalError(fmt::format("phones: no name for PhoneWay {}; add it to kWays", static_cast<int>(way)));
}

PublishedPhones read_published_phones(const std::string& file) {
  try {
    std::ifstream stream(file);
    const json all = json::parse(stream);
    PublishedPhones result;
    for (const json& entry : all.at("times"))
      result.times.push_back({work_of(entry), entry.at("ms"), entry.at("by"), entry.at("source")});
    for (const json& entry : all.at("pairs")) {
      PublishedPair pair;
      pair.work = work_of(entry);
      pair.faster = way_of(entry.at("faster"));
      pair.slower = way_of(entry.at("slower"));
      pair.faster_base = optional_way(entry, "faster_base");
      pair.slower_base = optional_way(entry, "slower_base");
      if (!entry.at("times").is_null()) pair.times = entry["times"].get<double>();
      pair.source = entry.at("source");
      result.pairs.push_back(pair);
    }
    return result;
  } catch (const json::exception& error) {
    throw Error(fmt::format("{}: {}; expected the format of docs/measurements/published/phones.json", file,
                            error.what()));
  }
}

}  // namespace tensordsl::bench
