__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reducesum_kernel(__constant int* restrict x0, __global int* restrict reducesum) {
  const int thread0 = get_local_id(0);
  if (thread0 < 1) {
    int reducesum_sum_0;
    reducesum_sum_0 = 0;
    for (int reducesum_sum_1_r_0 = 0; reducesum_sum_1_r_0 < 6; ++reducesum_sum_1_r_0) {
      reducesum_sum_0 = reducesum_sum_0 + x0[reducesum_sum_1_r_0];
    }
    reducesum[0] = reducesum_sum_0;
  }
}
