__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void out_kernel(__global const half* restrict in, __global const half* restrict add, __global half* restrict out, const float alpha) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  const int a_1 = block0 * 32 + thread0 * 8;
  if (a_0 < 7) {
    if (a_0 < 6) {
      const float8 v_0 = (float8)(alpha);
      vstore_half8((v_0 * ((float8)(vload_half4(0, in + a_1), vload_half4(1, in + a_1))) + ((float8)(vload_half4(0, add + a_1), vload_half4(1, add + a_1)))), 0, out + a_1);
    } else {
      vstore_half((alpha * vload_half(a_1, in) + vload_half(a_1, add)), a_1, out);
      vstore_half((alpha * vload_half(a_1 + 1, in) + vload_half(a_1 + 1, add)), a_1 + 1, out);
    }
  }
}
