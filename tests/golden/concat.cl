__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant float* restrict first, __constant float* restrict second, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 8;
  *(__global float8*)(out + a_0) = block0 < 3 ? *(__constant float8*)(first + a_0) : *(__constant float8*)(second + (a_0 - 24));
}
