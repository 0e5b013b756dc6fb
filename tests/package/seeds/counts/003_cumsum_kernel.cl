__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void cumsum_kernel(__global const int* restrict cumsum_sum, __global int* restrict cumsum) {
  const int thread0 = get_local_id(0);
  const int a_0 = thread0 * 2;
  if (thread0 < 3) {
    *(__global int2*)(cumsum + a_0) = *(__global const int2*)(cumsum_sum + a_0);
  }
}
