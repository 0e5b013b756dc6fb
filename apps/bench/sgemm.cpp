#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "apps/bench/benchmark.h"
#include "apps/bench/timing.h"
#include "apps/examples/matmul.h"
#include "apps/support/fma_peak.h"
#include "backends/opencl/device/check.h"
#include "backends/opencl/device/device_list.h"
#include "tensordsl/buffer.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// 64 elements of every row, so that every row and every column is met, summed in double.
void check_product(const Buffer& a, const Buffer& b, const Buffer& c, int size) {
  const auto A = a.as<float>(), B = b.as<float>(), C = c.as<float>();
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t s = 0; s < 64; ++s) {
      const std::size_t j = (i + s * (n / 64)) % n;
      double expected = 0;
      for (std::size_t k = 0; k < n; ++k)
        expected += static_cast<double>(A[i * n + k]) * static_cast<double>(B[k * n + j]);
      // n products of up to 1/4, each sum rounded to 24 bits.
      if (std::abs(expected - static_cast<double>(C[i * n + j])) <= 2e-6 * static_cast<double>(n)) continue;
      throw Error(fmt::format("sgemm_{}: C[{}, {}] is {}, expected {}", size, i, j, C[i * n + j], expected));
    }
  }
}

/// A shared library that stays open as long as it is used.
class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (!handle_) handle_.reset(dlopen(name, RTLD_NOW | RTLD_LOCAL));
    }
  }
  template <typename F>
  F* function(const char* name) const {
    return handle_ ? reinterpret_cast<F*>(dlsym(handle_.get(), name)) : nullptr;
  }

 private:
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  std::unique_ptr<void, Close> handle_;
};

using CblasSgemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                        const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
using DnnlSgemm = int(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                      float alpha, const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                      float beta, float* c, std::int64_t ldc);

using ClblastSgemm = int(int layout, int transpose_a, int transpose_b, std::size_t m, std::size_t n,
                         std::size_t k, float alpha, cl_mem a, std::size_t a_offset, std::size_t lda,
                         cl_mem b, std::size_t b_offset, std::size_t ldb, float beta, cl_mem c,
                         std::size_t c_offset, std::size_t ldc, cl_command_queue* queue, cl_event* event);

/// The factors on the device. The result is read back once first, so that only the product is timed later.
class DeviceProduct {
 public:
  DeviceProduct(const DeviceInfo& device, const Buffer& a, const Buffer& b) {
    cl_device_id id = nullptr;
    for (const auto& listed : opencl::list_devices()) {
      if (listed.info.platform_number == device.platform_number &&
          listed.info.device_number == device.device_number)
        id = listed.id;
    }
    cl_int status = CL_SUCCESS;
    context_ = opencl::Context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status));
    opencl::check(status, "clCreateContext");
    queue_ = opencl::Queue(clCreateCommandQueue(context_.get(), id, 0, &status));
    opencl::check(status, "clCreateCommandQueue");
    a_ = memory_of(a);
    b_ = memory_of(b);
    c_ = memory_of(a);
  }

  void multiply(ClblastSgemm* sgemm, int size, std::vector<float>& c) {
    constexpr int kRowMajor = 101, kAsIs = 111;
    const auto n = static_cast<std::size_t>(size);
    cl_command_queue queue = queue_.get();
    const int status = sgemm(kRowMajor, kAsIs, kAsIs, n, n, n, 1.0f, a_.get(), 0, n, b_.get(), 0, n, 0.0f,
                             c_.get(), 0, n, &queue, nullptr);
    if (status == 0) opencl::check(clFinish(queue), "clFinish");
    if (std::exchange(is_read_, true)) return;
    opencl::check(clEnqueueReadBuffer(queue, c_.get(), CL_TRUE, 0, c.size() * sizeof(float), c.data(), 0,
                                      nullptr, nullptr),
                  "clEnqueueReadBuffer");
  }

 private:
  opencl::Memory memory_of(const Buffer& data) const {
    cl_int status = CL_SUCCESS;
    opencl::Memory memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         data.size_bytes(), const_cast<std::byte*>(data.bytes().data()),
                                         &status));
    opencl::check(status, "clCreateBuffer");
    return memory;
  }

  opencl::Context context_;
  opencl::Queue queue_;
  opencl::Memory a_, b_, c_;
  bool is_read_ = false;
};

double gflops(int size, const std::function<void()>& run) {
  run();
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * size * size * size / median(std::move(times)) * 1e-9;
}

/// The corners of the product, which a wrong order or leading dimension would spoil.
bool is_product(const Buffer& a, const Buffer& b, const std::vector<float>& c, int size) {
  for (const int i : {0, size - 1}) {
    for (const int j : {0, size - 1}) {
      double sum = 0;
      for (int k = 0; k < size; ++k)
        sum +=
            a.get(static_cast<std::int64_t>(i) * size + k) * b.get(static_cast<std::int64_t>(k) * size + j);
      if (std::abs(sum - static_cast<double>(c[static_cast<std::size_t>(i) * static_cast<std::size_t>(size) +
                                               static_cast<std::size_t>(j)])) > 1e-2)
        return false;
    }
  }
  return true;
}

/// Returns the GFLOPS of a*b by the libraries that users would take instead, if they are found at run time:
/// OpenBLAS and oneDNN on the host's CPU, CLBlast on the device. Leaves out a library whose corners of the
/// product are wrong.
std::vector<Peer> sgemm_peers(const DeviceInfo& device, const Buffer& a, const Buffer& b, int size) {
  std::vector<Peer> peers;
  const float *A = a.as<float>().data(), *B = b.as<float>().data();
  std::vector<float> c(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  const auto measure = [&](const char* name, const std::function<void()>& run) {
    const double value = gflops(size, run);
    if (is_product(a, b, c, size)) peers.push_back({name, value});
  };
  const Library openblas({"libopenblas.so.0"}), dnnl({"libdnnl.so.3", "libdnnl.so.2"});
  if (auto* sgemm = openblas.function<CblasSgemm>("cblas_sgemm")) {
    constexpr int kRowMajor = 101, kAsIs = 111;
    measure("OpenBLAS", [&] {
      sgemm(kRowMajor, kAsIs, kAsIs, size, size, size, 1.0f, A, size, B, size, 0.0f, c.data(), size);
    });
  }
  if (auto* sgemm = dnnl.function<DnnlSgemm>("dnnl_sgemm")) {
    measure("oneDNN",
            [&] { sgemm('N', 'N', size, size, size, 1.0f, A, size, B, size, 0.0f, c.data(), size); });
  }
  const Library clblast({"libclblast.so.1"});
  if (auto* sgemm = clblast.function<ClblastSgemm>("CLBlastSgemm")) {
    DeviceProduct product(device, a, b);
    measure("CLBlast", [&] { product.multiply(sgemm, size, c); });
  }
  return peers;
}

}  // namespace

template <int Size, LocalTiles Tiles>
Result sgemm(const Context& context) {
  const DeviceInfo& device = context.device.info();
  const Func product = device.is_cpu ? matmul_packed(Size, Size, Size, device.native_vector_width_float)
                                     : matmul_local(Size, Size, Size, Tiles);
  const auto pipeline = Pipeline(product).prepare(context.device);
  const Buffer a = test_data({Size, Size}, 1), b = test_data({Size, Size}, 2);
  pipeline->write("A", a);
  pipeline->write("B", b);
  pipeline->run();
  check_product(a, b, pipeline->read(), Size);
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  const double flops = 2.0 * Size * Size * Size;
  Result result{flops / seconds_of(*pipeline) * 1e-9, "GFLOPS", std::max(before, peak.measure()), true};
  if (context.peers) result.peers = sgemm_peers(device, a, b, Size);
  return result;
}

template Result sgemm<512, LocalTiles::Adjacent>(const Context&);
template Result sgemm<1024, LocalTiles::Adjacent>(const Context&);
template Result sgemm<2048, LocalTiles::Adjacent>(const Context&);
template Result sgemm<4096, LocalTiles::Adjacent>(const Context&);
template Result sgemm<2048, LocalTiles::Interleaved>(const Context&);
template Result sgemm<4096, LocalTiles::Interleaved>(const Context&);
template Result sgemm<2048, LocalTiles::Swizzled>(const Context&);
template Result sgemm<4096, LocalTiles::Swizzled>(const Context&);

}  // namespace tensordsl::bench
