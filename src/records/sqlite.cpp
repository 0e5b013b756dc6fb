#include "records/sqlite.h"

#include <fmt/format.h>

#include <filesystem>

#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

constexpr int kMostMillisecondsOfWaiting = 30'000;  // for another process that writes

}  // namespace

Sqlite::Sqlite(std::string path, Mode mode) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw Error(fmt::format("cannot open the database {}: it is a folder; name a file in it", path_));
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw Error(fmt::format("cannot open the database {}: it is not a regular file", path_));
  const int flags =
      mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* connection = nullptr;
  // SQLite may take a name that begins so for an address.
  const std::string name = path_.starts_with("file:") ? "./" + path_ : path_;
  const int result = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);  // There is one also where opening failed, to ask it why.
  if (result != SQLITE_OK) fail("open");
  sqlite3_busy_timeout(connection, kMostMillisecondsOfWaiting);
}

void Sqlite::run(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("use");
}

void Sqlite::fail(const std::string& doing) const {
  const int code = sqlite3_errcode(connection_.get()) & 0xff;
  std::string problem = sqlite3_errmsg(connection_.get());
  if (code == SQLITE_FULL) problem = "the disk is full";
  if (code == SQLITE_BUSY) problem = "another process has locked it for half a minute";
  if (code == SQLITE_READONLY) problem = "it is read-only";
  if (code == SQLITE_NOTADB) problem = "it is not an SQLite database";
  throw Error(fmt::format("cannot {} the database {}: {}", doing, path_, problem));
}

SqliteStatement::SqliteStatement(const Sqlite& connection, const char* sql) : connection_(&connection) {
  sqlite3_stmt* statement = nullptr;
  must(sqlite3_prepare_v2(connection.handle(), sql, -1, &statement, nullptr));
  statement_.reset(statement);
}

void SqliteStatement::must(int result) const {
  if (result != SQLITE_OK) connection_->fail("use");
}

SqliteStatement& SqliteStatement::bind(int place, const std::string& text) {
  must(sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int place, std::int64_t number) {
  must(sqlite3_bind_int64(statement_.get(), place, number));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int place, std::optional<double> number) {
  must(number ? sqlite3_bind_double(statement_.get(), place, *number)
              : sqlite3_bind_null(statement_.get(), place));
  return *this;
}

bool SqliteStatement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) connection_->fail("use");
  return result == SQLITE_ROW;
}

void SqliteStatement::run() {
  while (step()) {
  }
  must(sqlite3_reset(statement_.get()));
}

std::string SqliteStatement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  return text ? std::string(reinterpret_cast<const char*>(text),
                            static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
              : std::string();
}

std::optional<double> SqliteStatement::real(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

// IMMEDIATE: a transaction that read first, and then waits for another's write, could not continue.
SqliteTransaction::SqliteTransaction(const Sqlite& connection) : connection_(connection) {
  connection_.run("BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction() {
  if (is_open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void SqliteTransaction::commit() {
  connection_.run("COMMIT");
  is_open_ = false;
}

}  // namespace tensordsl::records
