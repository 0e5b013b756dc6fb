#include "records/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

void must(int openssl_result) {
  if (openssl_result != 1) throw InternalError("OpenSSL does not provide SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  must(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

Sha256& Sha256::add(std::span<const unsigned char> bytes) {
  must(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
  return *this;
}

Sha256& Sha256::add_number(std::uint64_t number) {
  std::array<unsigned char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  return add(bytes);
}

Sha256& Sha256::add_text(std::string_view text) {
  add_number(text.size());
  return add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

Digest Sha256::finish() {
  Digest digest;
  must(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
  return digest;
}

std::string to_hex(std::span<const unsigned char> bytes) {
  std::string text;
  for (unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace tensordsl::records
