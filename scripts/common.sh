# Shared by the scripts of this folder; source it.

say() { printf '\n== %s\n' "$*"; }

# Ninja prints this before each step: how many of how many, and the seconds so far.
export NINJA_STATUS='[%f of %t, %p, %e s] '

# build_estimate CPU_SECONDS: prints the jobs, and how long they may take. CPU_SECONDS were measured on an AMD EPYC with GCC 12.
build_estimate() {
  local jobs
  jobs=$(build_jobs)
  echo "with $jobs jobs (about $((($1 + 60 * jobs - 1) / (60 * jobs))) minutes of an idle machine, twice that on a slow one; less if some of it is built)"
}

# How many compilers may run at once: one per core, as long as each has 1.5 GiB of memory.
build_jobs() {
  local cores memory_kib=0 by_memory
  cores=$(nproc)
  [[ -r /proc/meminfo ]] && memory_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${memory_kib:-0} / (1536 * 1024)))
  echo $((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))
}
