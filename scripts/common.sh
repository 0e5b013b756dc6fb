# Shared by the scripts of this folder; source it.

say() { printf '\n== %s\n' "$*"; }

# How many compilers may run at once: one per core, as long as each has 1.5 GiB of memory.
build_jobs() {
  local cores memory_kib=0 by_memory
  cores=$(nproc)
  [[ -r /proc/meminfo ]] && memory_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${memory_kib:-0} / (1536 * 1024)))
  echo $((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))
}
