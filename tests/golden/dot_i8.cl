__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant uchar* restrict rhs, __constant char* restrict lhs, __global int* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 32;
  int8 sum_0;
  sum_0 = (int8)(0);
  for (int sum_1_r_0 = 0; sum_1_r_0 < 32; ++sum_1_r_0) {
    sum_0 = convert_int8(*(__constant uchar8*)(rhs + sum_1_r_0 * 8)) * (int8)((int)lhs[a_0 + sum_1_r_0]) + sum_0;
  }
  *(__global int8*)(out + block0 * 8) = sum_0;
}
