__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void out_kernel(__global const half* restrict in, __global const half* restrict add, __global half* restrict out, const float alpha) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  if (block0 * 4 + thread0 < 7) {
    if (block0 * 4 + thread0 < 6) {
      vstore_half8(((float8)(alpha) * vload_half8(0, in + (block0 * 32 + thread0 * 8)) + vload_half8(0, add + (block0 * 32 + thread0 * 8))), 0, out + (block0 * 32 + thread0 * 8));
    } else {
      vstore_half((alpha * vload_half(block0 * 32 + thread0 * 8, in) + vload_half(block0 * 32 + thread0 * 8, add)), block0 * 32 + thread0 * 8, out);
      vstore_half((alpha * vload_half(block0 * 32 + thread0 * 8 + 1, in) + vload_half(block0 * 32 + thread0 * 8 + 1, add)), block0 * 32 + thread0 * 8 + 1, out);
    }
  }
}
