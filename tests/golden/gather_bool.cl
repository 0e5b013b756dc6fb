__kernel __attribute__((reqd_work_group_size(2, 1, 1)))
void out_kernel(__global const int* restrict index, __global const long* restrict in, __global uchar* restrict out) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 8 + thread0 * 4;
  const int4 t_0 = *(__global const int4*)(index + a_0);
  *(__global uchar4*)(out + a_0) = convert_uchar4((convert_int4((long4)(0L) < (long4)(in[min(max(t_0.s0, 0), 15)], in[min(max(t_0.s1, 0), 15)], in[min(max(t_0.s2, 0), 15)], in[min(max(t_0.s3, 0), 15)])) | (t_0 == (int4)(3))) & 1);
}
