__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void cumsum_sum_update0_kernel(__global int* restrict cumsum_sum) {
  for (int cumsum_sum_1_r_0 = 1; cumsum_sum_1_r_0 < 6; ++cumsum_sum_1_r_0) {
    cumsum_sum[cumsum_sum_1_r_0] = cumsum_sum[cumsum_sum_1_r_0] + cumsum_sum[cumsum_sum_1_r_0 - 1];
  }
}
