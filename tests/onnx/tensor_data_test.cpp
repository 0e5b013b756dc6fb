// Tensors in the file and in external files.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "onnx/file/read_tensor.h"
#include "support/onnx_model.h"
#include "support/temporary.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::testing;
using ::onnx::TensorProto;
namespace fs = std::filesystem;

namespace {

/// A folder of this test's own: root/outside.bin, root/model/ (the model's folder), root/model/data.bin of 64
/// bytes.
class ModelFolder {
 public:
  ModelFolder() : root_(testing::temporary("onnx")) {
    fs::create_directories(folder() / "sub");
    write("data.bin", std::string(32, '\1') + std::string(32, '\2'));
    std::ofstream(root_ / "outside.bin") << std::string(64, 'x');
  }
  ~ModelFolder() { fs::remove_all(root_); }
  fs::path folder() const { return root_ / "model"; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  }

 private:
  fs::path root_;
};

TensorProto tensor(int type, const Ints& shape) {
  TensorProto result;
  result.set_name("t");
  result.set_data_type(type);
  for (const std::int64_t extent : shape) result.add_dims(extent);
  return result;
}

TensorProto external(const std::vector<std::pair<std::string, std::string>>& fields,
                     int type = TensorProto::INT8, const Ints& shape = {32}) {
  TensorProto result = tensor(type, shape);
  result.set_data_location(TensorProto::EXTERNAL);
  for (const auto& [key, value] : fields) {
    auto* field = result.add_external_data();
    field->set_key(key);
    field->set_value(value);
  }
  return result;
}

std::string error(const TensorProto& proto, const fs::path& folder = "/nonexistent") {
  try {
    read_tensor(proto, folder);
  } catch (const ModelError& failure) {
    return failure.what();
  }
  return "no error";
}

template <typename T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("tensor data: raw data of every type") {
  const auto read = [](int type, const std::string& bytes) {
    TensorProto proto = tensor(type, {2});
    proto.set_raw_data(bytes);
    return read_tensor(proto, "");
  };
  CHECK(read(TensorProto::FLOAT, raw({1.5F, -2.0F})).get(1) == -2.0);
  CHECK(read(TensorProto::DOUBLE, raw({1.5, -2.0})).type() == Float(64));
  CHECK(read(TensorProto::DOUBLE, raw({1.5, -1e300})).get(1) == -1e300);
  CHECK(read(TensorProto::FLOAT16, raw<std::uint16_t>({0x3C00, 0xC000})).get(1) == -2.0);
  CHECK(read(TensorProto::INT8, raw<std::int8_t>({1, -2})).get_int(1) == -2);
  CHECK(read(TensorProto::UINT8, raw<std::uint8_t>({1, 254})).get_int(1) == 254);
  CHECK(read(TensorProto::INT32, raw<std::int32_t>({1, -2})).get_int(1) == -2);
  CHECK(read(TensorProto::INT64, raw<std::int64_t>({1, std::int64_t{-1} << 40})).get_int(1) ==
        std::int64_t{-1} << 40);
  CHECK(read(TensorProto::BOOL, raw<std::uint8_t>({0, 7})).as<std::uint8_t>()[1] == 1);
}

TEST_CASE("tensor data: typed fields of every type") {
  for (const int type :
       {TensorProto::FLOAT16, TensorProto::INT8, TensorProto::UINT8, TensorProto::INT32, TensorProto::BOOL}) {
    TensorProto proto = tensor(type, {2});
    proto.add_int32_data(0);
    proto.add_int32_data(1);
    CHECK(read_tensor(proto, "").get(1) == (type == TensorProto::FLOAT16 ? 0x1p-24 : 1.0));
  }
  TensorProto longs = tensor(TensorProto::INT64, {});
  longs.add_int64_data(5);
  CHECK(read_tensor(longs, "").get_int(0) == 5);
  TensorProto doubles = tensor(TensorProto::DOUBLE, {1});
  doubles.add_double_data(0.1);
  CHECK(read_tensor(doubles, "").get(0) == 0.1);
  CHECK(read_tensor(tensor(TensorProto::FLOAT, {0}), "").elements() == 0);
}

TEST_CASE("tensor data: too little, too much and impossible shapes are refused") {
  TensorProto few = tensor(TensorProto::FLOAT, {3});
  few.add_float_data(1);
  CHECK(error(few) == "tensor 't': f32[3] needs 3 values, but has 1");
  TensorProto wrong_field = tensor(TensorProto::FLOAT, {1});
  wrong_field.add_int32_data(1);
  CHECK(error(wrong_field) == "tensor 't': f32[1] needs 1 values, but has 0");
  TensorProto bytes = tensor(TensorProto::FLOAT, {2});
  bytes.set_raw_data("123456789");
  CHECK(error(bytes) == "tensor 't': f32[2] needs 8 bytes, but has 9");
  CHECK(error(tensor(TensorProto::FLOAT, {-2})) == "tensor 't': the shape [-2] has a negative extent");
  CHECK(error(tensor(TensorProto::FLOAT, {std::int64_t{1} << 31, std::int64_t{1} << 31, 4})) ==
        "tensor 't': a tensor f32[2147483648,2147483648,4] is larger than the limit of 8589934592 bytes");
  CHECK(error(tensor(TensorProto::COMPLEX64, {1})) ==
        "tensor 't' has elements of type COMPLEX64; supported: FLOAT, DOUBLE, FLOAT16, INT8, UINT8, "
        "INT16, UINT16, INT32, UINT32, INT64, UINT64, BOOL, BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, "
        "FLOAT8E5M2, FLOAT8E5M2FNUZ, UINT4, INT4, FLOAT4E2M1, FLOAT8E8M0, UINT2, INT2");
  CHECK(error(tensor(99, {1})).starts_with("tensor 't' has elements of type 99; supported: "));
}

TEST_CASE("external data: it is read from its place in the file") {
  const ModelFolder files;
  const Buffer tail =
      read_tensor(external({{"location", "data.bin"}, {"offset", "32"}, {"length", "32"}}), files.folder());
  CHECK(tail.get_int(0) == 2);
  CHECK(tail.get_int(31) == 2);
  CHECK(read_tensor(external({{"location", "data.bin"}, {"offset", "32"}}), files.folder()).get_int(0) == 2);
  // Without a length it has as many bytes as the tensor, and more may follow.
  const auto first = external({{"location", "data.bin"}}, TensorProto::FLOAT, {2});
  CHECK(read_tensor(first, files.folder()).size_bytes() == 8);
  CHECK(error(external({{"location", "data.bin"}, {"offset", "60"}}, TensorProto::FLOAT, {2}),
              files.folder()) == "tensor 't': f32[2] needs 8 bytes, but has 4");
  files.write("sub/more.bin", "\1");
  const auto none = external({{"location", "sub/more.bin"}}, TensorProto::FLOAT, {0});
  CHECK(read_tensor(none, files.folder()).elements() == 0);
  CHECK(read_tensor(external({{"location", "sub/more.bin"}}, TensorProto::UINT8, {1}), files.folder())
            .get_int(0) == 1);
  const auto halves = external({{"location", "./data.bin"}, {"length", "16"}}, TensorProto::DOUBLE, {2});
  CHECK(read_tensor(halves, files.folder()).type() == Float(64));
}

TEST_CASE("external data: nothing past the end of the file is read") {
  const ModelFolder files;
  const auto at = [&](const char* offset, const char* length) {
    return error(external({{"location", "data.bin"}, {"offset", offset}, {"length", length}}),
                 files.folder());
  };
  const std::string past = "tensor 't': the external data 'data.bin' has 64 bytes; ";
  CHECK(at("33", "32") == past + "offset 33 and length 32 are past its end");
  CHECK(at("65", "0") == past + "offset 65 and length 0 are past its end");
  CHECK(at("18446744073709551600", "32") ==
        past + "offset 18446744073709551600 and length 32 are past its end");
  CHECK(at("32", "18446744073709551615") ==
        past + "offset 32 and length 18446744073709551615 are past its end");
  CHECK(at("0", "31") == "tensor 't': i8[32] needs 32 bytes, but has 31");
  CHECK(at("-1", "32") == "tensor 't': the external data's offset '-1' is not a size in bytes");
  CHECK(at("0", "32 ") == "tensor 't': the external data's length '32 ' is not a size in bytes");
  CHECK(at("18446744073709551616", "1") ==
        "tensor 't': the external data's offset '18446744073709551616' is not a size in bytes");
  CHECK(error(external({{"location", "data.bin"}, {"length", "64"}}), files.folder()) ==
        "tensor 't': i8[32] needs 32 bytes, but has 64");
}

TEST_CASE("external data: only files inside the model's folder are read") {
  const ModelFolder files;
  fs::create_symlink("../outside.bin", files.folder() / "leak.bin");
  fs::create_directory_symlink("..", files.folder() / "up");
  fs::create_symlink("data.bin", files.folder() / "inside.bin");
  const auto at = [&](const std::string& location) {
    return error(external({{"location", location}, {"length", "32"}}), files.folder());
  };
  for (const std::string location :
       {"../outside.bin", "/etc/passwd", "", "a/../../outside.bin", "..", "data.bin\n"}) {
    const std::string shown = location == "data.bin\n" ? "data.bin?" : location;
    CHECK(at(location) ==
          fmt::format(
              "tensor 't': the external data's location '{}' is not a file name inside the model's folder",
              shown));
  }
  CHECK(at(std::string("data.bin\0x", 10)) ==
        "tensor 't': the external data's location 'data.bin?x' is not a file name inside the model's folder");
  CHECK(at("leak.bin") == "tensor 't': the external data 'leak.bin' leads outside the model's folder");
  CHECK(at("up/outside.bin") ==
        "tensor 't': the external data 'up/outside.bin' leads outside the model's folder");
  CHECK(at("inside.bin") == "no error");
  CHECK(at(".") == "tensor 't': the external data '.' is not a file");
  CHECK(
      at("absent.bin") ==
      "tensor 't': the external data file 'absent.bin' does not exist; put it next to the model, or load the "
      "model with random weights (--random-weights of the tool, random_weights of the library)");
  CHECK(at(std::string(500, 'a')).starts_with("tensor 't': the external data "));
}

TEST_CASE("random weights: they stand in for an absent file only, and for floats only") {
  const ModelFolder files;
  ImportOptions options;
  options.random_weights = true;
  const auto import = [&](const TensorProto& proto) {
    OnnxModel model;
    *model.proto.mutable_graph()->add_initializer() = proto;
    model.input("x", proto.data_type() == TensorProto::FLOAT ? Ints{8} : Ints{32}, proto.data_type());
    model.node("Add", {"x", "t"}, {"y"}).output("y");
    return import_onnx(model.proto.SerializeAsString(), "m.onnx", files.folder(), options);
  };
  const Graph present =
      import(external({{"location", "data.bin"}, {"length", "32"}}, TensorProto::FLOAT, {8}));
  CHECK(present.constants.at("t").bytes()[0] == std::byte{1});
  const Graph absent =
      import(external({{"location", "absent.bin"}, {"length", "32"}}, TensorProto::FLOAT, {8}));
  CHECK(std::abs(absent.constants.at("t").get(0)) <= 0.05);
  CHECK(absent.constants.at("t").get(0) != absent.constants.at("t").get(1));
  CHECK_THROWS_WITH_AS(import(external({{"location", "absent.bin"}})),
                       "m.onnx: tensor 't': i8[32] cannot be filled with random weights; supported: FLOAT",
                       ModelError);
  CHECK_THROWS_WITH_AS(
      import(external({{"location", "../absent.bin"}}, TensorProto::FLOAT, {8})),
      "m.onnx: tensor 't': the external data's location '../absent.bin' is not a file name inside the "
      "model's folder",
      ModelError);
  options.max_constant_bytes = 16;
  CHECK_THROWS_WITH_AS(import(external({{"location", "absent.bin"}}, TensorProto::FLOAT, {8})),
                       "m.onnx: its initializers need 32 bytes, but the limit is 16 bytes; the largest are "
                       "\"t\" f32[8], 32 bytes",
                       ModelError);
}

TEST_CASE("files: what is no model is refused in one line that starts with the file's name") {
  const ModelFolder files;
  const auto at = [&](const std::string& name) {
    const std::string path = (files.folder() / name).string();
    try {
      import_onnx(path);
    } catch (const ModelError& failure) {
      const std::string text = failure.what();
      return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
    }
    return std::string("no error");
  };
  CHECK(at("absent.onnx") == "there is no such file");
  CHECK(at(".") == "it is not a regular file");
  files.write("empty.onnx", "");
  CHECK(at("empty.onnx") == "the file is empty");
  CHECK(at("data.bin") == "the file is damaged, or not an ONNX model");
  const std::string whole = one_node("Relu", {2}).proto.SerializeAsString();
  files.write("cut.onnx", whole.substr(0, whole.size() - 3));
  CHECK(at("cut.onnx") == "the file is damaged, or not an ONNX model");
  files.write("other.onnx", "\x08\x01");
  CHECK(at("other.onnx") == "the file has no graph; is it an ONNX model?");
  files.write("good.onnx", whole);
  CHECK(at("good.onnx") == "no error");
  files.write("huge.onnx", "x");
  fs::resize_file(files.folder() / "huge.onnx", std::uintmax_t{1} << 31);  // sparse: takes no space
  CHECK(at("huge.onnx") ==
        "the file is larger than 2 GB, the limit of the format; save the weights as external data");
}

TEST_CASE("files: messages nested deeper than protobuf allows are refused") {
  // AttributeProto.g (6) -> GraphProto.node (1) -> NodeProto.attribute (5) -> ..., built from the inside.
  std::string message;
  const auto wrap = [&](int field) {
    std::string length;
    for (std::size_t size = message.size(); true; size >>= 7) {
      length += static_cast<char>((size & 0x7F) | (size > 0x7F ? 0x80 : 0));
      if (size <= 0x7F) break;
    }
    message = static_cast<char>(field << 3 | 2) + length + message;
  };
  for (int depth = 0; depth < 2000; ++depth) {
    for (const int field : {6, 5, 1}) wrap(field);
  }
  wrap(7);  // ModelProto.graph
  CHECK_THROWS_WITH_AS(import_onnx(message, "deep.onnx", ""),
                       "deep.onnx: the file is damaged, or not an ONNX model", ModelError);
}
