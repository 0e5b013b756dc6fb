#include "records/record_database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json_text.h"
#include "records/sqlite.h"
#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

constexpr std::int64_t kApplication = 0x7464736c;  // "tdsl", in the file's header
constexpr std::int64_t kDatabaseVersion = 2;

constexpr const char* kSchema = R"(
CREATE TABLE kernels (id INTEGER PRIMARY KEY, structure TEXT NOT NULL UNIQUE, family TEXT NOT NULL,
                      sizes TEXT NOT NULL, operators TEXT NOT NULL);
CREATE INDEX kernels_by_family ON kernels (family);
CREATE TABLE devices (id INTEGER PRIMARY KEY, device TEXT NOT NULL, driver TEXT NOT NULL,
                      library TEXT NOT NULL, UNIQUE (device, driver, library));
CREATE TABLE records (id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels (id),
                      device INTEGER NOT NULL REFERENCES devices (id), strategy TEXT NOT NULL,
                      point TEXT NOT NULL, us REAL, failure TEXT NOT NULL, features TEXT NOT NULL,
                      UNIQUE (kernel, device, strategy, point));
PRAGMA application_id = 1952740204;
PRAGMA user_version = 2;
)";

// The columns that record_of_row() reads.
constexpr const char* kSelect = R"(
SELECT structure, family, sizes, operators, devices.device, driver, library, strategy, point, us, failure,
       features, records.id
FROM records JOIN kernels ON kernels.id = records.kernel AND structure NOT LIKE '1:%'
     JOIN devices ON devices.id = records.device )";

// Version 1 of a database had hashes of printed definitions: the kernels that they are of are unknown. They
// are marked, and stay until they are pruned.
constexpr const char* kMarkOutdated =
    "UPDATE kernels SET structure = '1:' || structure, family = '1:' || family; PRAGMA user_version = 2";
constexpr const char* kIsOutdated = "kernel IN (SELECT id FROM kernels WHERE structure LIKE '1:%')";

static_assert(std::string_view(kApart) == "apart", "the SQL here names it");
constexpr const char* kOfDevice = "devices.device = ?1 AND driver = ?2 AND library = ?3";
constexpr const char* kIsSchedule = "us IS NOT NULL AND strategy <> 'apart'";
constexpr const char* kIsFastest =
    "us IS NOT NULL AND strategy <> 'apart' AND NOT EXISTS (SELECT 1 FROM records AS faster WHERE "
    "faster.kernel = records.kernel AND faster.device = records.device AND faster.strategy <> 'apart' AND "
    "(faster.us, faster.id) < (records.us, records.id))";
/// Puts the record that was added first before equally fast ones, as above: a later one was found to be no
/// faster.
constexpr const char* kFastestFirst = "us IS NULL, us, records.id";

std::int64_t number_of(const Sqlite& connection, const char* sql) {
  SqliteStatement statement(connection, sql);
  return statement.step() ? statement.number(0) : 0;
}

TuningRecord record_of_row(const SqliteStatement& row) {
  TuningRecord record;
  record.kernel = {row.text(0), row.text(1), parse_json(row.text(2)).get<std::vector<std::int64_t>>()};
  record.operators = row.text(3);
  record.device = {row.text(4), row.text(5), row.text(6)};
  record.strategy = row.text(7);
  record.point = row.text(8);
  record.us = row.real(9);
  record.failure = row.text(10);
  record.features = parse_json(row.text(11)).get<std::map<std::string, double>>();
  return record;
}

void bind_device(SqliteStatement& statement, const DeviceKey& device) {
  statement.bind(1, device.device).bind(2, device.driver).bind(3, device.library);
}

/// Two processes may both find a new file: the second waits, and then finds tables in it.
void make_tables(const Sqlite& connection) {
  // Fails while another process sets the same mode; the file then has a log from that process.
  sqlite3_exec(connection.handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  SqliteTransaction transaction(connection);
  if (number_of(connection, "SELECT count(*) FROM sqlite_schema") == 0) connection.run(kSchema);
  transaction.commit();
}

std::int64_t version_of(const Sqlite& connection) { return number_of(connection, "PRAGMA user_version"); }

void check_kind(const Sqlite& connection) {
  if (number_of(connection, "PRAGMA application_id") != kApplication)
    throw Error(fmt::format("{} is an SQLite database, but not one of tuning records", connection.path()));
  if (const std::int64_t version = version_of(connection); version > kDatabaseVersion) {
    throw Error(fmt::format(
        "the database {} has version {}; this build supports versions up to {}; use a newer build",
        connection.path(), version, kDatabaseVersion));
  }
}

void upgrade(const Sqlite& connection) {
  if (version_of(connection) == kDatabaseVersion) return;
  SqliteTransaction transaction(connection);
  // Another process may have done it meanwhile.
  if (version_of(connection) < kDatabaseVersion) connection.run(kMarkOutdated);
  transaction.commit();
}

/// Adds records one by one, within a transaction of the caller's.
class Writer {
 public:
  enum class Known { Replaced, Kept };

  Writer(const Sqlite& connection, Known known)
      : add_kernel_(connection,
                    "INSERT OR IGNORE INTO kernels (structure, family, sizes, operators) "
                    "VALUES (?1, ?2, ?3, ?4)"),
        add_device_(connection,
                    "INSERT OR IGNORE INTO devices (device, driver, library) VALUES (?1, ?2, ?3)"),
        add_record_(
            connection,
            known == Known::Replaced
                ? "INSERT INTO records (kernel, device, strategy, point, us, failure, features) VALUES "
                  "((SELECT id FROM kernels WHERE structure = ?1), (SELECT id FROM devices WHERE "
                  "device = ?2 AND driver = ?3 AND library = ?4), ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO "
                  "UPDATE SET us = excluded.us, failure = excluded.failure, features = excluded.features"
                : "INSERT OR IGNORE INTO records (kernel, device, strategy, point, us, failure, features) "
                  "VALUES ((SELECT id FROM kernels WHERE structure = ?1), (SELECT id FROM devices WHERE "
                  "device = ?2 AND driver = ?3 AND library = ?4), ?5, ?6, ?7, ?8, ?9)") {}

  void add(const TuningRecord& record) {
    const KernelKey& kernel = record.kernel;
    const DeviceKey& device = record.device;
    add_kernel_.bind(1, kernel.structure).bind(2, kernel.family);
    add_kernel_.bind(3, dump_json(kernel.sizes)).bind(4, record.operators).run();
    bind_device(add_device_, device);
    add_device_.run();
    add_record_.bind(1, kernel.structure).bind(2, device.device).bind(3, device.driver);
    add_record_.bind(4, device.library).bind(5, record.strategy).bind(6, record.point);
    add_record_.bind(7, record.us).bind(8, record.failure).bind(9, dump_json(record.features));
    add_record_.run();
  }

 private:
  SqliteStatement add_kernel_, add_device_, add_record_;
};

}  // namespace

struct RecordDatabase::Impl {
  Sqlite connection;
  bool is_outdated = false;  // as a whole: of an earlier version, and read only

  [[noreturn]] void fail_to_read(const SqliteStatement& row) const {
    const std::int64_t number = row.number(12);
    throw Error(
        fmt::format("the database {} has an unreadable record, number {}; delete it with an SQLite tool: "
                    "\"DELETE FROM records WHERE id = {}\"",
                    connection.path(), number, number));
  }

  /// Damaged pages may read as if there were no records.
  void check_is_whole() const {
    SqliteStatement statement(connection, "PRAGMA quick_check(1)");
    const std::string found = statement.step() ? statement.text(0) : "";
    if (found != "ok") {
      throw Error(fmt::format("the database {} is damaged ({}); delete it, or recover it with an SQLite tool",
                              connection.path(), found));
    }
  }

  std::vector<TuningRecord> rows(SqliteStatement& statement) const {
    std::vector<TuningRecord> records;
    while (statement.step()) {
      try {
        records.push_back(record_of_row(statement));
      } catch (const nlohmann::json::exception&) {
        fail_to_read(statement);
      } catch (const ParseError&) {
        fail_to_read(statement);
      }
      const std::optional<double>& us = records.back().us;
      if (us && !(std::isfinite(*us) && *us > 0)) fail_to_read(statement);
    }
    return records;
  }

  std::vector<TuningRecord> select(const std::string& rest,
                                   const std::function<void(SqliteStatement&)>& bind = nullptr) const {
    if (is_outdated) return {};
    SqliteStatement statement(connection, (kSelect + rest).c_str());
    if (bind) bind(statement);
    return rows(statement);
  }
};

RecordDatabase::RecordDatabase(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RecordDatabase::RecordDatabase(const std::string& path)
    : RecordDatabase(std::make_unique<Impl>(Sqlite(path, Sqlite::Mode::ReadWrite))) {
  if (number_of(impl_->connection, "SELECT count(*) FROM sqlite_schema") == 0) make_tables(impl_->connection);
  check_kind(impl_->connection);
  impl_->check_is_whole();
  upgrade(impl_->connection);
  // A commit outlives the end of the process, though not a power failure in the same second.
  impl_->connection.run("PRAGMA synchronous = NORMAL");
}

RecordDatabase RecordDatabase::open_existing(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(fmt::format("the database {} does not exist", path));
  RecordDatabase database(std::make_unique<Impl>(Sqlite(path, Sqlite::Mode::ReadOnly)));
  check_kind(database.impl_->connection);
  database.impl_->check_is_whole();
  database.impl_->is_outdated = version_of(database.impl_->connection) < kDatabaseVersion;
  return database;
}

RecordDatabase::~RecordDatabase() = default;
RecordDatabase::RecordDatabase(RecordDatabase&&) noexcept = default;
RecordDatabase& RecordDatabase::operator=(RecordDatabase&&) noexcept = default;

const std::string& RecordDatabase::path() const { return impl_->connection.path(); }

void RecordDatabase::add(const std::vector<TuningRecord>& records) {
  if (records.empty()) return;
  SqliteTransaction transaction(impl_->connection);
  Writer writer(impl_->connection, Writer::Known::Replaced);
  for (const TuningRecord& record : records) writer.add(record);
  transaction.commit();
}

std::vector<TuningRecord> RecordDatabase::of(const std::string& structure, const DeviceKey& device) const {
  return impl_->select(fmt::format("WHERE {} AND structure = ?4 ORDER BY {}", kOfDevice, kFastestFirst),
                       [&](SqliteStatement& statement) {
                         bind_device(statement, device);
                         statement.bind(4, structure);
                       });
}

std::optional<TuningRecord> RecordDatabase::best(const std::string& structure,
                                                 const DeviceKey& device) const {
  std::vector<TuningRecord> records = of(structure, device);
  std::erase_if(records, [](const TuningRecord& record) { return !record.us || record.is_apart(); });
  if (records.empty()) return std::nullopt;
  return std::move(records.front());
}

std::vector<TuningRecord> RecordDatabase::of_device(const DeviceKey& device, std::int64_t most) const {
  return impl_->select(
      fmt::format("WHERE {} AND {} ORDER BY records.id DESC LIMIT {}", kOfDevice, kIsSchedule, most),
      [&](SqliteStatement& statement) { bind_device(statement, device); });
}

std::vector<TuningRecord> RecordDatabase::best_of_device(const DeviceKey& device) const {
  return impl_->select(fmt::format("WHERE {} AND {} ORDER BY structure", kOfDevice, kIsFastest),
                       [&](SqliteStatement& statement) { bind_device(statement, device); });
}

std::vector<TuningRecord> RecordDatabase::apart_on_device(const DeviceKey& device) const {
  return impl_->select(
      fmt::format("WHERE {} AND us IS NOT NULL AND strategy = 'apart' ORDER BY structure", kOfDevice),
      [&](SqliteStatement& statement) { bind_device(statement, device); });
}

std::vector<TuningRecord> RecordDatabase::best_of_family(const std::string& family,
                                                         const DeviceKey& device) const {
  return impl_->select(
      fmt::format("WHERE {} AND {} AND family = ?4 ORDER BY structure", kOfDevice, kIsFastest),
      [&](SqliteStatement& statement) {
        bind_device(statement, device);
        statement.bind(4, family);
      });
}

std::vector<TuningRecord> RecordDatabase::all() const {
  return impl_->select(fmt::format("ORDER BY devices.device, driver, library, structure, {}", kFastestFirst));
}

std::vector<KernelSummary> RecordDatabase::summaries() const {
  std::vector<KernelSummary> summaries;
  for (TuningRecord& record : all()) {
    if (summaries.empty() || summaries.back().structure != record.kernel.structure ||
        summaries.back().device != record.device) {
      summaries.push_back({record.kernel.structure, record.operators, record.device, 0, 0, std::nullopt});
    }
    KernelSummary& summary = summaries.back();
    if (record.is_apart()) {
      summary.apart_us = record.us;
      continue;
    }
    ++(record.us ? summary.timed : summary.failed);
    if (record.us && !summary.best) summary.best = std::move(record);
  }
  return summaries;
}

std::int64_t RecordDatabase::size() const {
  return number_of(impl_->connection, "SELECT count(*) FROM records") - outdated();
}

std::int64_t RecordDatabase::outdated() const {
  const std::string condition = impl_->is_outdated ? "1" : kIsOutdated;
  return number_of(impl_->connection, ("SELECT count(*) FROM records WHERE " + condition).c_str());
}

std::int64_t RecordDatabase::merge(const RecordDatabase& other) {
  const std::vector<TuningRecord> theirs = other.all();
  SqliteTransaction transaction(impl_->connection);
  Writer writer(impl_->connection, Writer::Known::Kept);
  const std::int64_t before = size();
  for (const TuningRecord& record : theirs) writer.add(record);
  const std::int64_t added = size() - before;
  transaction.commit();
  return added;
}

std::int64_t RecordDatabase::prune(const PruneOptions& options) {
  const Sqlite& connection = impl_->connection;
  SqliteTransaction transaction(connection);
  const auto count = [&] { return number_of(connection, "SELECT count(*) FROM records"); };
  const std::int64_t before = count();
  std::vector<std::string> conditions;
  if (options.outdated) conditions.emplace_back(kIsOutdated);
  if (options.failures) conditions.push_back("us IS NULL");
  if (options.keep) {
    conditions.push_back(fmt::format(
        "{} AND (SELECT count(*) FROM records AS faster WHERE faster.kernel = records.kernel AND "
        "faster.device = records.device AND faster.strategy <> 'apart' AND (faster.us, faster.id) < "
        "(records.us, records.id)) >= {}",
        kIsSchedule, *options.keep));
  }
  if (conditions.empty()) conditions.push_back("1");
  // An empty text restricts nothing.
  const std::string sql = fmt::format(
      "DELETE FROM records WHERE device IN (SELECT id FROM devices WHERE (?1 = '' OR device = ?1) AND "
      "(?2 = '' OR driver = ?2) AND (?3 = '' OR library = ?3) AND (?4 = '' OR library <> ?4)) AND ({})",
      fmt::join(conditions, " OR "));
  SqliteStatement statement(connection, sql.c_str());
  bind_device(statement, {options.device, options.driver, options.library});
  statement.bind(4, options.except_library).run();
  connection.run("DELETE FROM kernels WHERE id NOT IN (SELECT kernel FROM records)");
  connection.run("DELETE FROM devices WHERE id NOT IN (SELECT device FROM records)");
  const std::int64_t removed = before - count();
  transaction.commit();
  return removed;
}

}  // namespace tensordsl::records
