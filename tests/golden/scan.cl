__kernel __attribute__((reqd_work_group_size(10, 4, 1)))
void out_kernel(__global const int* restrict in, __global int* restrict out) {
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  const int a_0 = thread1 * 10 + thread0;
  out[a_0] = in[a_0];
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void out_update0_kernel(__global int* restrict out) {
  const int thread0 = get_local_id(0);
  const int a_0 = thread0 * 10;
  for (int out_1_r_0 = 1; out_1_r_0 < 10; ++out_1_r_0) {
    const int a_1 = a_0 + out_1_r_0;
    out[a_1] = out[a_1] + out[a_1 - 1];
  }
}
