__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void cumsum_sum_kernel(__global const int* restrict x0, __global int* restrict cumsum_sum) {
  const int thread0 = get_local_id(0);
  if (thread0 < 6) {
    cumsum_sum[thread0] = x0[thread0];
  }
}
