#include <algorithm>
#include <chrono>
#include <oneapi/dnnl/dnnl.hpp>

#include "apps/bench/convolution/convolution_peers.h"
#include "apps/bench/timing.h"

namespace tensordsl::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

memory::desc description(const std::vector<std::int64_t>& extents, Tag tag) {
  return {extents, memory::data_type::f32, tag};
}

dnnl::convolution_forward::primitive_desc onednn_convolution(const dnnl::engine& engine,
                                                             dnnl::algorithm algorithm, std::int64_t pad,
                                                             const memory::desc& in,
                                                             const memory::desc& weights,
                                                             const memory::desc& out) {
  const memory::dims strides{1, 1}, padding{pad, pad};
  constexpr auto kind = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kind, algorithm, in, weights, out, strides, padding, padding};
#else
  return {{kind, algorithm, in, weights, out, strides, padding, padding}, engine};
#endif
}

/// Seconds of one run.
double seconds_by(dnnl::algorithm algorithm, const Buffer& in, const Buffer& weights,
                  const std::function<void(const Buffer&)>& check) {
  const std::vector<std::int64_t> shape = in.shape();
  const auto outputs = weights.shape()[0], channels = weights.shape()[1], kernel = weights.shape()[2],
             height = shape[shape.size() - 2], width = shape.back();
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto plain_in = description({1, channels, height, width}, Tag::nchw),
             plain_weights = description(weights.shape(), Tag::oihw),
             plain_out = description({1, outputs, height, width}, Tag::nchw);
  const auto chosen = onednn_convolution(
      engine, algorithm, kernel / 2, description({1, channels, height, width}, Tag::any),
      description(weights.shape(), Tag::any), description({1, outputs, height, width}, Tag::any));
  const auto in_order = [&](const Buffer& data, const memory::desc& plain, const memory::desc& wanted) {
    memory from(plain, engine, const_cast<std::byte*>(data.bytes().data())), to(wanted, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  };
  memory source = in_order(in, plain_in, chosen.src_desc()),
         filter = in_order(weights, plain_weights, chosen.weights_desc()), result(chosen.dst_desc(), engine);
  const dnnl::convolution_forward primitive(chosen);
  const auto run = [&] {
    primitive.execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, filter}, {DNNL_ARG_DST, result}});
    stream.wait();
  };
  run();
  Buffer out(Float(32), {outputs, height, width});
  memory plain(plain_out, engine, out.bytes().data());
  dnnl::reorder(result, plain).execute(stream, result, plain);
  stream.wait();
  check(out);
  std::vector<double> times;
  for (int i = 0; i < 25; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return median(std::move(times));
}

}  // namespace

std::vector<Peer> convolution_peers(const Buffer& in, const Buffer& weights,
                                    const std::function<void(const Buffer&)>& check) {
  const std::vector<std::int64_t> shape = in.shape();
  double seconds = seconds_by(dnnl::algorithm::convolution_auto, in, weights, check);
  try {
    seconds = std::min(seconds, seconds_by(dnnl::algorithm::convolution_winograd, in, weights, check));
  } catch (const dnnl::error&) {
    // The library has no such kernel for this shape or processor.
  }
  const double flops = 2.0 * static_cast<double>(weights.elements() * shape[shape.size() - 2] * shape.back());
  return {{"oneDNN", flops / seconds * 1e-9}};
}

}  // namespace tensordsl::bench
