__kernel __attribute__((reqd_work_group_size(10, 4, 1)))
void out_kernel(__global const int* restrict in, __global int* restrict out) {
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  out[thread1 * 10 + thread0] = in[thread1 * 10 + thread0];
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void out_update0_kernel(__global int* restrict out) {
  const int thread0 = get_local_id(0);
  for (int out_1_r_0 = 1; out_1_r_0 < 10; ++out_1_r_0) {
    out[thread0 * 10 + out_1_r_0] = out[thread0 * 10 + out_1_r_0] + out[thread0 * 10 + out_1_r_0 - 1];
  }
}
