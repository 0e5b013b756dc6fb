// SQLite's calls with handles that close themselves, and errors that name the file.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tensordsl::records {

/// A connection to one file.
class Sqlite {
 public:
  enum class Mode { ReadOnly, ReadWrite };

  /// Opens a database; with ReadWrite the file is created if it does not exist. Throws Error if that fails.
  Sqlite(std::string path, Mode mode);

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return connection_.get(); }

  /// Statements without values, which give nothing back.
  void run(const char* sql) const;
  /// Reports SQLite's last error; `doing` describes the operation on the file. Throws Error.
  [[noreturn]] void fail(const std::string& doing) const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// One statement with its values. Reset and bound again it runs again.
class SqliteStatement {
 public:
  SqliteStatement(const Sqlite& connection, const char* sql);

  /// Values for ?1, ?2, ..
  SqliteStatement& bind(int place, const std::string& text);
  SqliteStatement& bind(int place, std::int64_t number);
  SqliteStatement& bind(int place, std::optional<double> number);

  /// Advances to the next row; returns false after the last one.
  bool step();
  /// To its end, and ready to be bound again.
  void run();

  std::string text(int column) const;
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::optional<double> real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void must(int result) const;

  const Sqlite* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// From its making to commit() all that is written is one step; without commit() nothing of it happened.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(const Sqlite& connection);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  void commit();

 private:
  const Sqlite& connection_;
  bool is_open_ = true;
};

}  // namespace tensordsl::records
