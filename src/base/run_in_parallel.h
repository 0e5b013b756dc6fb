// A bounded set of threads for a list of independent jobs.
#pragma once

#include <functional>

namespace tensordsl {

/// Calls work(0) .. work(count - 1), each once, on up to `threads_wanted` threads of its own (0: one for each
/// core), and returns when all are done. `progress`, if any, is called on the calling thread with (done,
/// count). After an exception no further job starts; of those that were thrown the one of the lowest job is
/// rethrown.
void run_in_parallel(int count, const std::function<void(int)>& work,
                     const std::function<void(int, int)>& progress = nullptr, int threads_wanted = 0);

}  // namespace tensordsl
