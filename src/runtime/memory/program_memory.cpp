#include "runtime/memory/program_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "base/index_limit.h"
#include "runtime/memory/check_memory.h"
#include "runtime/program/shared_images.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

namespace {

std::size_t checked_bytes(Type type, std::int64_t elements) {
  if (elements > kMaxElements) {
    throw ShapeError(
        fmt::format("realize: {} elements exceed the limit of a kernel's index, {}", elements, kMaxElements));
  }
  const std::int64_t bytes = std::max<std::int64_t>(elements, 0) * type.bytes();
  if (bytes > PTRDIFF_MAX)
    throw ShapeError(
        fmt::format("realize: a tensor of {} bytes exceeds the address space of this process", bytes));
  return static_cast<std::size_t>(bytes);
}

/// The product of three sides and four channels fits 64 bits then.
constexpr std::int64_t kMaxSide = 1 << 20, kMaxTexels = INT32_MAX;

void check_sides(const std::string& name, const ImageDescription& image) {
  const auto is_in = [](std::int64_t side, std::int64_t most) { return side >= 0 && side <= most; };
  const bool is_flat = image.kind == ImageKind::Image1DBuffer;
  const bool fits = is_in(image.width, is_flat ? kMaxTexels : kMaxSide) &&
                    is_in(image.height, is_flat ? 1 : kMaxSide) &&
                    is_in(image.layers, image.kind == ImageKind::Image2DArray ? kMaxSide : 1);
  if (!fits)
    throw ShapeError(
        fmt::format("the program is damaged: \"{}\" is {}, which is not a valid size; compile it again", name,
                    to_string(image)));
}

bool same_size(const ImageDescription& a, const ImageDescription& b) {
  return a.width == b.width && a.height == b.height && a.layers == b.layers;
}

}  // namespace

ProgramMemory::ProgramMemory(const Program& program, Device& device, const RunValues& values)
    : program_(program), device_(device), values_(values), slots_(allocate_slots(program, device.info())) {
  check_images();
  check_device_memory();
  allocate();
}

/// Checks the sides of images, so that their product does not overflow. The host writes and reads whole
/// images: the layout's size in memory must equal the image's.
void ProgramMemory::check_images() const {
  for (const auto& [slot, image] : shared_images(program_)) check_sides(fmt::format("slot {}", slot), image);
  for (const Program::Tensor& t : program_.tensors) {
    if (!t.image || !t.stored.image) continue;
    const ImageDescription image = image_of(t);
    check_sides(t.name, image);
    if (t.kind == Program::Tensor::Kind::Intermediate || !values_.is_known(t.stored.extents)) continue;
    const std::int64_t stored = t.stored.layout.stored_elements(values_.shape(t.name, t.stored.extents));
    if (image.elements() != stored)
      throw ShapeError(fmt::format(
          "the program is damaged: the layout of \"{}\" has {} elements, but it is {}; compile it again",
          t.name, stored, to_string(image)));
  }
}

std::size_t ProgramMemory::bytes(std::size_t tensor) const {
  const Program::Tensor& t = program_.tensors[tensor];
  return checked_bytes(t.stored.type, t.kind == Program::Tensor::Kind::Intermediate
                                          ? values_.value(t.elements)
                                          : t.stored.layout.stored_elements(shape(tensor)));
}

std::size_t ProgramMemory::most_bytes(std::size_t tensor) const {
  const Program::Tensor& t = program_.tensors[tensor];
  if (!values_.has_count(t.elements)) return bytes(tensor);
  return checked_bytes(t.stored.type, values_.most(t.elements));
}

/// Returns the bytes to allocate: tensors of a state that are swapped get equal sizes.
std::size_t ProgramMemory::room(std::size_t tensor) const {
  std::size_t most = most_bytes(tensor);
  for (const Program::State& state : program_.states) {
    const std::size_t input = program_.inputs[state.input].tensor,
                      output = program_.outputs[state.output].tensor;
    if (tensor == input || tensor == output) most = std::max({most, most_bytes(input), most_bytes(output)});
  }
  return most;
}

RunShape ProgramMemory::shape(std::size_t tensor) const {
  const Program::Tensor& t = program_.tensors[tensor];
  return values_.shape(t.name, t.stored.extents);
}

/// Checks that the allocated buffers, and the tensors in them, fit the device.
void ProgramMemory::check_device_memory() const {
  std::vector<std::int64_t> allocations = slots_.bytes;
  std::vector<TensorMemory> tensors;
  for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
    const Program::Tensor& t = program_.tensors[i];
    const auto bytes = t.image && t.stored.image ? image_of(t).elements() * t.stored.type.bytes()
                                                 : static_cast<std::int64_t>(room(i));
    if (t.slot < 0) allocations.push_back(bytes);
    tensors.push_back({t.name, shape_text(i), bytes});
  }
  for (const auto& [slot, image] : shared_images(program_))
    allocations.push_back(image.elements() * image.type.bytes());
  check_memory(device_.info(), allocations, tensors);
}

/// Returns the layout for the current values of its Params.
Layout ProgramMemory::layout_of(const Program::Storage& stored) const {
  return stored.layout.at([&](const std::string& param) { return values_.value(SizeExpr::param(param)); });
}

/// "f32[64,3]"
std::string ProgramMemory::shape_text(std::size_t tensor) const {
  const Program::Storage& stored = program_.tensors[tensor].stored;
  RunShape extents;
  for (const SizeExpr& extent : stored.extents) extents.push_back(values_.most(extent));
  return fmt::format("{}[{}]", to_string(stored.type), fmt::join(extents, ","));
}

ImageDescription ProgramMemory::image_of(const Program::Tensor& tensor) const {
  return {*tensor.stored.image,
          tensor.image->channels,
          tensor.stored.type,
          values_.most(tensor.image->width),
          values_.most(tensor.image->height),
          values_.most(tensor.image->layers)};
}

void ProgramMemory::allocate() {
  std::map<int, std::shared_ptr<DeviceImage>> images;  // images by slot
  for (const auto& [slot, image] : shared_images(program_)) images.emplace(slot, device_.allocate(image));
  std::vector<std::shared_ptr<DeviceBuffer>> slots;
  for (const std::int64_t bytes : slots_.bytes)
    slots.push_back(device_.allocate(static_cast<std::size_t>(bytes)));
  // Parts of equal position and size are one object: kernels that read one tensor and write another may not
  // be given two parts that overlap.
  std::map<std::tuple<int, std::int64_t, std::size_t>, std::shared_ptr<DeviceBuffer>> parts;
  const auto shared = [&](const SlotAllocations::Place& place, std::size_t bytes) {
    const auto& whole = slots[static_cast<std::size_t>(place.allocation)];
    if (!place.is_part) return whole;
    auto& part = parts[{place.allocation, place.offset, bytes}];
    if (!part) part = device_.part(whole, static_cast<std::size_t>(place.offset), bytes);
    return part;
  };
  for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
    const Program::Tensor& t = program_.tensors[i];
    DeviceMemory own;
    if (t.slot >= 0 && t.image) {
      own.image = images.at(t.slot);
    } else if (t.slot >= 0) {
      own.buffer = shared(slots_.places[i], bytes(i));
    } else if (t.image && t.stored.image) {
      own.image = device_.allocate(image_of(t));
    } else {
      own.buffer = device_.allocate(room(i));
    }
    memory_.push_back(std::move(own));
    if (t.kind == Program::Tensor::Kind::Constant) write_stored(i, constant(i));
  }
}

void ProgramMemory::check_room() const {
  for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
    const Program::Tensor& t = program_.tensors[i];
    const DeviceMemory& own = memory_[i];
    if (t.slot >= 0 || t.kind == Program::Tensor::Kind::Constant || own.image) continue;
    if (most_bytes(i) > own.buffer->size_bytes()) {
      throw ShapeError(
          fmt::format("run: \"{}\" would be {}, which exceeds its memory of {} bytes; construct the Runner "
                      "with the largest sizes",
                      t.name, shape_text(i), own.buffer->size_bytes()));
    }
  }
}

void ProgramMemory::fit() {
  check_room();
  for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
    const Program::Tensor& t = program_.tensors[i];
    DeviceMemory& own = memory_[i];
    if (t.slot >= 0 || t.kind == Program::Tensor::Kind::Constant || !own.image) continue;
    const ImageDescription wanted = image_of(t);
    if (!same_size(own.image->description(), wanted)) own.image = device_.allocate(wanted);
  }
}

std::span<const std::byte> ProgramMemory::constant(std::size_t tensor) const {
  const std::size_t bytes = this->bytes(tensor),
                    offset = static_cast<std::size_t>(program_.tensors[tensor].offset);
  const std::size_t size = program_.constants.size;
  if (offset > size || bytes > size - offset) {
    throw Error(fmt::format("the constant \"{}\" is not in the program: {} bytes at {} of {}",
                            program_.tensors[tensor].name, bytes, offset, size));
  }
  return {program_.constants.data.get() + offset, bytes};
}

void ProgramMemory::write_stored(std::size_t tensor, std::span<const std::byte> bytes) {
  const DeviceMemory& to = memory_[tensor];
  to.image ? device_.write(*to.image, bytes) : device_.write(*to.buffer, bytes);
}

void ProgramMemory::write(std::size_t tensor, const Buffer& value) {
  const Program::Storage& stored = program_.tensors[tensor].stored;
  const Buffer typed = value.type() == stored.type ? value : value.converted(stored.type);
  if (stored.layout.is_row_major()) {
    write_stored(tensor, typed.bytes());
    return;
  }
  const auto bytes = typed.bytes();
  write_stored(tensor, pack(bytes, stored.type.bytes(), stored.layout, shape(tensor)));
}

void ProgramMemory::write_value(const Program::Value& to, const Buffer& value) {
  const Program::Tensor& tensor = program_.tensors[to.tensor];
  if (tensor.kind != Program::Tensor::Kind::State) return write(to.tensor, value);
  const Program::Storage part{tensor.stored.type, to.shape, tensor.stored.layout};
  write_as(to.tensor, part, value.type() == part.type ? value : value.converted(part.type));
}

Buffer ProgramMemory::read_value(const Program::Value& from) const {
  const Program::Tensor& tensor = program_.tensors[from.tensor];
  const Buffer value = tensor.kind == Program::Tensor::Kind::State
                           ? read_as(from.tensor, {tensor.stored.type, from.shape, tensor.stored.layout})
                           : read(from.tensor).reshaped(values_.shape(from.name, from.shape));
  return value.type() == from.type ? value : value.converted(from.type);
}

bool ProgramMemory::is_stored_as_seen(const Program::Value& value) const {
  const Program::Tensor& tensor = program_.tensors[value.tensor];
  return tensor.kind != Program::Tensor::Kind::State && tensor.stored.type == value.type &&
         tensor.stored.layout.is_row_major() && !memory_[value.tensor].image;
}

void ProgramMemory::write_value(const Program::Value& to, std::span<const std::byte> value) {
  if (is_stored_as_seen(to)) return write_stored(to.tensor, value);
  Buffer buffer(to.type, values_.shape(to.name, to.shape));
  std::ranges::copy(value, buffer.bytes().begin());
  write_value(to, buffer);
}

void ProgramMemory::read_value(const Program::Value& from, std::span<std::byte> to) const {
  if (is_stored_as_seen(from)) return device_.read(*memory_[from.tensor].buffer, to);
  const Buffer value = read_value(from);
  std::ranges::copy(value.bytes(), to.begin());
}

bool ProgramMemory::can_swap(const Program::State& state) const {
  const std::size_t input = program_.inputs[state.input].tensor,
                    output = program_.outputs[state.output].tensor;
  const Program::Tensor &from = program_.tensors[output], &to = program_.tensors[input];
  const auto is_named_once = [&](std::size_t tensor) {
    return std::ranges::count(program_.inputs, tensor, &Program::Value::tensor) +
               std::ranges::count(program_.outputs, tensor, &Program::Value::tensor) ==
           1;
  };
  return from.kind == Program::Tensor::Kind::Output && to.kind == Program::Tensor::Kind::Input &&
         !from.image && !to.image && from.stored.type == to.stored.type &&
         from.stored.layout == to.stored.layout && is_named_once(input) && is_named_once(output);
}

void ProgramMemory::swap(const Program::State& state) {
  std::swap(memory_[program_.inputs[state.input].tensor], memory_[program_.outputs[state.output].tensor]);
}

void ProgramMemory::require_room(std::size_t tensor, const Program::Storage& stored) const {
  const Program::Tensor& t = program_.tensors[tensor];
  const RunShape extents = values_.shape(t.name, stored.extents);
  const std::size_t bytes = checked_bytes(stored.type, layout_of(stored).stored_elements(extents)),
                    there = t.image && t.stored.image
                                ? static_cast<std::size_t>(image_of(t).elements() * t.stored.type.bytes())
                                : room(tensor);
  if (bytes <= there) return;
  throw ShapeError(
      fmt::format("the program is damaged: a host step uses \"{}\" as [{}], but its memory has {} bytes; "
                  "compile it again",
                  t.name, fmt::join(extents, ", "), there));
}

std::vector<std::byte> ProgramMemory::read_stored(std::size_t tensor, const Program::Storage& stored,
                                                  const RunShape& extents) const {
  const DeviceMemory& from = memory_[tensor];
  std::vector<std::byte> bytes(checked_bytes(stored.type, layout_of(stored).stored_elements(extents)));
  from.image ? device_.read(*from.image, bytes) : device_.read(*from.buffer, bytes);
  return bytes;
}

Buffer ProgramMemory::read(std::size_t tensor) const {
  return read_as(tensor, program_.tensors[tensor].stored);
}

Buffer ProgramMemory::read_as(std::size_t tensor, const Program::Storage& stored) const {
  require_room(tensor, stored);
  const RunShape extents = values_.shape(program_.tensors[tensor].name, stored.extents);
  std::vector<std::byte> bytes = read_stored(tensor, stored, extents);
  const auto plain = stored.layout.is_row_major()
                         ? std::move(bytes)
                         : unpack(bytes, stored.type.bytes(), layout_of(stored), extents);
  Buffer value(stored.type, extents);
  std::ranges::copy(plain, value.bytes().begin());
  return value;
}

void ProgramMemory::write_as(std::size_t tensor, const Program::Storage& stored, const Buffer& value) {
  require_room(tensor, stored);
  if (stored.layout.is_row_major()) {
    write_stored(tensor, value.bytes());
    return;
  }
  const RunShape extents = values_.shape(program_.tensors[tensor].name, stored.extents);
  std::vector<std::byte> bytes = read_stored(tensor, stored, extents);
  pack_into(value.bytes(), stored.type.bytes(), layout_of(stored), extents, bytes);
  write_stored(tensor, bytes);
}

}  // namespace tensordsl::runtime
