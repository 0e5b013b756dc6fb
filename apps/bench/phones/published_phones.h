// Times of phones' GPUs that others have published, and which of two ways was faster there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/precision.h"

namespace tensordsl::bench {

/// A whole model, or a convolution by itself, f32 or f16.
struct PhoneWork {
  std::string profile;  ///< name of the device's profile
  std::string model;    ///< the file's name without its ending; empty: a convolution
  Precision precision = Precision::Float32;
  std::int64_t size = 0, inputs = 0, outputs = 0, kernel = 3, stride = 1;
  bool is_depthwise = false;
};

/// "mobilenet_v1, fp16", "3x3 56x56 256->256".
std::string to_string(const PhoneWork& work);

struct PublishedTime {
  PhoneWork work;
  double ms = 0;
  std::string by;      ///< project whose kernels were timed
  std::string source;  ///< publication of the time
};

/// A way of this library's to compute some work.
enum class PhoneWay : std::uint8_t {
  Chosen,        ///< the default schedule
  Halves,        ///< the default schedule, with fp16
  Buffers,       ///< operands in buffers, without local memory
  LocalBuffers,  ///< operands in buffers, with tiles in local memory where that is faster
  LocalImages,   ///< operands in images, with tiles in local memory where that is faster
  OnlyLocal,     ///< tiles only in local memory, from buffers
  OnlyImages,    ///< operands in images, without local memory
  Autobroadcast,
  Widened,  ///< operands in buffers: a scalar times a vector, written as a vector that repeats the scalar
  AllAddresses,  ///< the default schedule, without the elimination of common addresses
  Simple,
  Unrolled,
  Vectorized,  ///< tiles of 4 pixels x 4 channels: in loops; unrolled; in vectors
  Winograd     ///< F(2x2,3x3), a kernel for each transform and one for the products
};

std::string to_string(PhoneWay way);

struct PublishedPair {
  PhoneWork work;
  PhoneWay faster = PhoneWay::Chosen, slower = PhoneWay::Chosen;
  /// The bases of two gains that are compared.
  std::optional<PhoneWay> faster_base = std::nullopt, slower_base = std::nullopt;
  std::optional<double> times;  ///< published speedup; empty where only the order is published
  std::string source;
};

struct PublishedPhones {
  std::vector<PublishedTime> times;
  std::vector<PublishedPair> pairs;
};

/// docs/measurements/published/phones.json. Throws Error that names the file if it cannot be read.
PublishedPhones read_published_phones(const std::string& file);

}  // namespace tensordsl::bench
