__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reducesum_kernel(__global const float* restrict x0, __global float* restrict reducesum, const int fresh, const int past_size) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  __local float reducesum_sum[1];
  __local float reducesum_sum_by_part[64];
  __local float reducesum_sum_by_sum_of_parts[8];
  const int a_0 = fresh + past_size;
  const int a_1 = block0 * a_0 + thread0;
  const bool a_2 = thread0 < 8;
  const bool a_3 = thread0 == 0;
  reducesum_sum_by_part[thread0] = 0.0f;
  const int reducesum_sum_by_part_1_step_end0 = max(a_0 >> 6, 0);
  for (int reducesum_sum_by_part_1_step = 0; reducesum_sum_by_part_1_step < reducesum_sum_by_part_1_step_end0; ++reducesum_sum_by_part_1_step) {
    reducesum_sum_by_part[thread0] = reducesum_sum_by_part[thread0] + x0[reducesum_sum_by_part_1_step * 64 + a_1];
  }
  for (int reducesum_sum_by_part_1_step = reducesum_sum_by_part_1_step_end0; reducesum_sum_by_part_1_step < (a_0 + 63) >> 6; ++reducesum_sum_by_part_1_step) {
    if (reducesum_sum_by_part_1_step * 64 + thread0 < a_0) {
      reducesum_sum_by_part[thread0] = reducesum_sum_by_part[thread0] + x0[reducesum_sum_by_part_1_step * 64 + a_1];
    }
  }
  if (a_2) {
    reducesum_sum_by_sum_of_parts[thread0] = 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a_2) {
    float reducesum_sum_by_sum_of_parts_acc_0;
    reducesum_sum_by_sum_of_parts_acc_0 = reducesum_sum_by_sum_of_parts[thread0];
    for (int reducesum_sum_by_sum_of_parts_1_step = 0; reducesum_sum_by_sum_of_parts_1_step < 8; ++reducesum_sum_by_sum_of_parts_1_step) {
      reducesum_sum_by_sum_of_parts_acc_0 = reducesum_sum_by_sum_of_parts_acc_0 + reducesum_sum_by_part[reducesum_sum_by_sum_of_parts_1_step * 8 + thread0];
    }
    reducesum_sum_by_sum_of_parts[thread0] = reducesum_sum_by_sum_of_parts_acc_0;
  }
  if (a_3) {
    reducesum_sum[0] = 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a_3) {
    float reducesum_sum_acc_0;
    reducesum_sum_acc_0 = reducesum_sum[0];
    for (int reducesum_sum_1_sum_of_parts = 0; reducesum_sum_1_sum_of_parts < 8; ++reducesum_sum_1_sum_of_parts) {
      reducesum_sum_acc_0 = reducesum_sum_acc_0 + reducesum_sum_by_sum_of_parts[reducesum_sum_1_sum_of_parts];
    }
    reducesum_sum[0] = reducesum_sum_acc_0;
    reducesum[block0] = reducesum_sum[0];
  }
}
