#include "runtime/buffer/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy files need a little-endian host");

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::uint64_t kLongestHeader = 1 << 16;  // numpy itself refuses more than 10,000 characters
constexpr std::size_t kHighestRank = 64;           // numpy's own limit

struct ElementFormat {
  std::string_view name;
  Type type;
};

constexpr std::array<ElementFormat, 12> kFormats = {{{"<f4", Float(32)},
                                                     {"<f2", Float(16)},
                                                     {"<f8", Float(64)},
                                                     {"|i1", Int(8)},
                                                     {"<i2", Int(16)},
                                                     {"<i4", Int(32)},
                                                     {"<i8", Int(64)},
                                                     {"|u1", UInt(8)},
                                                     {"<u2", UInt(16)},
                                                     {"<u4", UInt(32)},
                                                     {"<u8", UInt(64)},
                                                     {"|b1", Bool()}}};

const ElementFormat& format_of(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ElementFormat::name);
  if (found != kFormats.end()) return *found;
  const std::string little = fmt::format("<{}", name.substr(std::min<std::size_t>(name.size(), 1)));
  if (name.starts_with('>') && std::ranges::count(kFormats, little, &ElementFormat::name) > 0)
    throw ModelError(fmt::format("element type '{}' has the other byte order; convert it with .astype('{}')",
                                 name, little));
  std::vector<std::string_view> names;
  for (const ElementFormat& format : kFormats) names.push_back(format.name);
  throw ModelError(
      fmt::format("element type '{}' is not supported; supported: {}", name, fmt::join(names, ", ")));
}

struct Header {
  ElementFormat format;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }", the keys in any order.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    std::optional<ElementFormat> format;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !format) {
        format = format_of(quoted());
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        fail();
      }
      if (!accept(',') && peek() != '}') fail();
    }
    peek();
    if (!text_.empty() || !format || !fortran_order || !shape) fail();
    return {*format, *fortran_order, *shape};
  }

 private:
  [[noreturn]] static void fail() { throw ModelError("malformed .npy header"); }

  /// The next character that is not blank; 0 at the end.
  char peek() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_[0];
  }
  bool accept(char c) {
    if (text_.empty() || peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  bool accept_word(std::string_view word) {
    peek();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) fail();
    const std::string_view inside = text_.substr(1, end - 1);
    if (!std::ranges::all_of(inside, [](char c) { return c >= ' ' && c <= '~'; })) fail();
    text_.remove_prefix(end + 1);
    return inside;
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail();
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      peek();
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc() || value < 0 || values.size() == kHighestRank) fail();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept('L');  // Python 2
      values.push_back(value);
      if (!accept(',') && peek() != ')') fail();
    }
    return values;
  }

  std::string_view text_;
};

/// The file's bytes, counted, so that nothing past the stated size is asked for.
class ByteReader {
 public:
  ByteReader(std::uint64_t size, const ByteSource& read) : left_(size), read_(read) {}
  std::uint64_t left() const { return left_; }
  void read(std::span<std::byte> to) {
    if (to.size() > left_) throw ModelError("the .npy header is truncated; write the file again");
    left_ -= to.size();
    read_(to);
  }
  std::string text(std::uint64_t length) {
    if (length > left_) throw ModelError("the .npy header is truncated; write the file again");
    std::string text(length, '\0');
    read(std::as_writable_bytes(std::span(text)));
    return text;
  }

 private:
  std::uint64_t left_;
  const ByteSource& read_;
};

Header read_header(ByteReader& reader) {
  const std::string start = reader.text(8);
  const int version = start[6];
  if (!start.starts_with(kNpyMagic)) throw ModelError("not a .npy array");
  if (version < 1 || version > 3 || start[7] != 0) {
    throw ModelError(fmt::format(".npy format {}.{} is not supported; supported: 1.0, 2.0, 3.0",
                                 static_cast<unsigned char>(start[6]), static_cast<unsigned char>(start[7])));
  }
  std::uint32_t length = 0;
  const std::string length_bytes = reader.text(version == 1 ? 2 : 4);
  std::memcpy(&length, length_bytes.data(), length_bytes.size());
  if (length > kLongestHeader)
    throw ModelError(
        fmt::format("the .npy header has {} bytes; supported: up to {}", length, kLongestHeader));
  return HeaderParser(reader.text(length)).parse();
}

std::uint64_t array_bytes(const Header& header) {
  auto bytes = static_cast<std::uint64_t>(header.format.type.bytes());
  // An extent of 0 makes the array empty, however large the others are.
  if (std::ranges::find(header.shape, 0) != header.shape.end()) return 0;
  for (const std::int64_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
      throw ModelError(fmt::format("shape ({}) has too many elements", fmt::join(header.shape, ", ")));
    }
  }
  return bytes;
}

/// Column-major elements of `bytes` each -> row-major.
void transpose(std::span<const std::byte> from, std::span<std::byte> to,
               const std::vector<std::int64_t>& shape, std::size_t bytes) {
  if (to.empty()) return;  // the strides of an empty array may overflow
  std::vector<std::int64_t> index(shape.size(), 0), stride(shape.size(), 1);
  for (std::size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::int64_t source = 0;
  for (std::size_t at = 0; at < to.size(); at += bytes) {
    std::memcpy(&to[at], &from[static_cast<std::size_t>(source) * bytes], bytes);
    for (std::size_t d = shape.size(); d-- > 0;) {
      source += stride[d];
      if (++index[d] < shape[d]) break;
      source -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

Buffer read_npy(std::uint64_t size, const ByteSource& read) {
  ByteReader reader(size, read);
  const Header header = read_header(reader);
  if (const std::uint64_t bytes = array_bytes(header); bytes != reader.left()) {
    throw ModelError(fmt::format("shape ({}) of '{}' needs {} bytes, but the file has {}",
                                 fmt::join(header.shape, ", "), header.format.name, bytes, reader.left()));
  }
  Buffer buffer(header.format.type, header.shape);
  reader.read(buffer.bytes());
  if (header.fortran_order) {
    const std::vector<std::byte> column_major(buffer.bytes().begin(), buffer.bytes().end());
    transpose(column_major, buffer.bytes(), header.shape, static_cast<std::size_t>(buffer.type().bytes()));
  }
  if (buffer.type().is_bool()) {
    for (std::byte& b : buffer.bytes()) b = std::byte{b != std::byte{0}};
  }
  return buffer;
}

std::string npy_header(const Buffer& buffer) {
  const auto format = std::ranges::find(kFormats, buffer.type(), &ElementFormat::type);
  if (format == kFormats.end()) throw InternalError("npy: no format for " + to_string(buffer.type()));
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", format->name,
                                 fmt::join(buffer.shape(), ", "), buffer.shape().size() == 1 ? "," : "");
  // NumPy aligns the elements to 64 bytes: magic (6), version (2), length (2), text, blanks, newline.
  text.append(63 - (10 + text.size()) % 64, ' ').append("\n");
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header(kNpyMagic);
  header += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace tensordsl::runtime
