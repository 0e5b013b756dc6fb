#include "backends/llvm/device/host_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>

#include "backends/llvm/device/host_recording.h"
#include "backends/llvm/emit/emit_llvm.h"
#include "base/run_in_parallel.h"
#include "runtime/device/cache_entries.h"
#include "runtime/device/check_backend.h"
#include "runtime/device/check_buffer_range.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::host {
namespace {

/// A work-group's arrays, and LLVM's spills.
constexpr std::size_t kThreadStack = static_cast<std::size_t>(llvm_ir::kStackBytes) + (2 << 20);

}  // namespace

HostDevice::HostDevice(std::shared_ptr<const LlvmLibrary> llvm, Processor processor, DeviceInfo info,
                       runtime::ProgramCache cache)
    : llvm_(std::move(llvm)),
      processor_(std::move(processor)),
      info_(std::move(info)),
      identity_{processor_.triple, processor_.name, processor_.features, llvm_->file(), version()},
      cache_(std::move(cache)),
      queue_(std::make_shared<HostQueue>(info_.compute_units, kThreadStack)) {}

std::shared_ptr<std::byte> HostDevice::take_memory(std::size_t bytes) const {
  const auto alignment = std::align_val_t{static_cast<std::size_t>(info_.buffer_alignment_bytes)};
  // A kernel may ask for no more than its tensors' elements; vectors of them are whole.
  auto* memory =
      bytes > static_cast<std::size_t>(info_.max_allocation_bytes)
          ? nullptr
          : static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), alignment, std::nothrow));
  if (memory == nullptr) {
    throw DeviceError(
        fmt::format("device memory: {} bytes requested, but the largest allocation of {} is {} bytes", bytes,
                    info_.name, info_.max_allocation_bytes));
  }
  return {memory, [alignment](std::byte* p) { ::operator delete(p, alignment); }};
}

std::shared_ptr<DeviceBuffer> HostDevice::allocate(std::size_t bytes) {
  return std::make_shared<HostBuffer>(session_, take_memory(bytes), bytes, false);
}

const HostBuffer& HostDevice::checked_buffer(const DeviceBuffer& buffer, std::size_t bytes,
                                             std::size_t offset, const char* call) const {
  const auto* own = dynamic_cast<const HostBuffer*>(&buffer);
  runtime::check_buffer_range(call, {bytes, offset, buffer.size_bytes()}, own && own->session == session_,
                              info_);
  return *own;
}

std::shared_ptr<DeviceBuffer> HostDevice::part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                               std::size_t bytes) {
  const auto* own = dynamic_cast<const HostBuffer*>(whole.get());
  const bool is_own = own && own->session == session_;
  runtime::check_part({bytes, offset, whole->size_bytes()}, is_own, is_own && own->is_part, info_);
  return std::make_shared<HostBuffer>(
      session_, std::shared_ptr<std::byte>(own->data, own->data.get() + offset), bytes, true);
}

std::shared_ptr<DeviceBuffer> HostDevice::share(std::span<std::byte> memory,
                                                std::shared_ptr<const void> owner) {
  return std::make_shared<HostBuffer>(session_, std::shared_ptr<std::byte>(std::move(owner), memory.data()),
                                      memory.size(), false);
}

void HostDevice::write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) {
  const HostBuffer& own = checked_buffer(to, from.size(), offset, "write");
  queue_->wait();
  if (std::byte* place = own.data.get() + offset; place != from.data()) std::ranges::copy(from, place);
}

void HostDevice::read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) {
  const HostBuffer& own = checked_buffer(from, to.size(), offset, "read");
  queue_->wait();
  const std::byte* place = own.data.get() + offset;
  if (place != to.data()) std::copy_n(place, to.size(), to.begin());
}

std::shared_ptr<DeviceImage> HostDevice::allocate(const ImageDescription& image) {
  const ImageLimits& limits = info_.image_limits;
  const bool is_row = image.kind == ImageKind::Image1DBuffer;
  const bool fits = !image.is_normalized && image.width <= (is_row ? limits.buffer_texels : limits.width) &&
                    image.height <= limits.height && image.layers <= limits.layers;
  if (!fits)
    throw DeviceError(fmt::format("device memory: {} does not support {}", info_.name, to_string(image)));
  const auto bytes =
      static_cast<std::size_t>(image.elements()) * static_cast<std::size_t>(image.type.bytes());
  return std::make_shared<HostImage>(session_, take_memory(bytes), image);
}

const HostImage& HostDevice::checked_image(const DeviceImage& image, std::size_t bytes,
                                           const char* call) const {
  const auto* own = dynamic_cast<const HostImage*>(&image);
  if (own == nullptr || own->session != session_)
    throw DeviceError(fmt::format("{}: the image belongs to another device, not to {}", call, info_.name));
  if (bytes != own->size_bytes()) {
    throw DeviceError(fmt::format("{}: found {} bytes for {}, which has {}", call, bytes,
                                  to_string(own->what), own->size_bytes()));
  }
  return *own;
}

void HostDevice::write(DeviceImage& to, std::span<const std::byte> from) {
  const HostImage& own = checked_image(to, from.size(), "write");
  queue_->wait();
  std::ranges::copy(from, own.data.get());
}

void HostDevice::read(const DeviceImage& from, std::span<std::byte> to) {
  const HostImage& own = checked_image(from, to.size(), "read");
  queue_->wait();
  std::copy_n(own.data.get(), to.size(), to.begin());
}

HostDevice::Built HostDevice::build_one(const KernelSource& source) const {
  const runtime::ProgramKey key = runtime::program_key(source, identity_);
  const auto load = [&](std::optional<runtime::ProgramBinary> object, bool from_cache) {
    auto code = std::make_shared<const LoadedCode>(llvm_, *object, source.entry);
    return Built{std::make_shared<const runtime::ProgramBinary>(*std::move(object)), std::move(code),
                 from_cache};
  };
  // Code compiled elsewhere, say with another math library, may fail to load here.
  const auto loaded = [&](std::optional<runtime::ProgramBinary> kept) -> std::optional<Built> {
    try {
      if (kept) return load(std::move(kept), true);
    } catch (const DeviceError&) {
    }
    return std::nullopt;
  };
  if (auto built = loaded(offered_.find(key))) return *std::move(built);
  if (auto built = loaded(cache_.load(key))) return *std::move(built);
  Built built = load(compile_object(*llvm_, processor_, source), false);
  if (cache_.folder()) cache_.store(key, *built.object);
  return built;
}

std::vector<std::shared_ptr<DeviceKernel>> HostDevice::build(const std::vector<KernelSource>& sources,
                                                             const std::function<void(int, int)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const std::uintmax_t cache_limit = runtime::ProgramCache::limit_of_environment();
  runtime::check_backend(sources, info_);
  std::vector<const KernelSource*> distinct;
  std::map<std::string_view, std::size_t> seen;
  for (const KernelSource& source : sources) {
    if (seen.try_emplace(source.text, distinct.size()).second) distinct.push_back(&source);
  }
  std::vector<Built> built(distinct.size());
  run_in_parallel(
      static_cast<int>(distinct.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        built[i] = build_one(*distinct[i]);
      },
      progress);
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  for (const KernelSource& source : sources) {
    const Built& one = built[seen.at(source.text)];
    kernels.push_back(std::make_shared<HostKernel>(session_, one.object, one.code, source));
  }
  const auto compiled = static_cast<int>(std::ranges::count(built, false, &Built::from_cache));
  if (compiled > 0) cache_.trim(cache_limit);
  const std::lock_guard lock(counting_);
  statistics_.compiled += compiled;
  statistics_.from_cache += static_cast<int>(built.size()) - compiled;
  statistics_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return kernels;
}

void HostDevice::offer(const std::vector<DeviceBinary>& binaries) { offered_.add(binaries); }

std::vector<DeviceBinary> HostDevice::binaries(const std::vector<std::shared_ptr<DeviceKernel>>& kernels) {
  std::vector<runtime::ProgramKey> keys;
  for (const auto& kernel : kernels) {
    const auto* own = dynamic_cast<const HostKernel*>(kernel.get());
    if (own == nullptr || own->session != session_)
      throw DeviceError(fmt::format("binaries: a kernel belongs to another device, not to {}", info_.name));
    keys.push_back(runtime::program_key(own->source(), identity_));
  }
  return runtime::cache_entries(
      keys, [&](std::size_t i) { return *static_cast<const HostKernel&>(*kernels[i]).object; });
}

BuildStatistics HostDevice::build_statistics() const {
  const std::lock_guard lock(counting_);
  return statistics_;
}

std::int64_t HostDevice::max_group_size(const KernelSource&) { return info_.max_group_size; }

std::unique_ptr<Recording> HostDevice::record(std::vector<Launch> launches) {
  return record_launches(session_, queue_, std::move(launches), info_.buffer_alignment_bytes);
}

void HostDevice::finish(Waiting) { queue_->wait(); }

}  // namespace tensordsl::host
