int4 floor_div_int4(int4 a, int4 b) {
  const int4 d = select((int4)(b), (int4)(1), (b == (int4)(0)) | (b == (int4)(-1)));
  const int4 q = a / d;
  const int4 r = a - q * d;
  const int4 f = q + ((r != (int4)(0)) & ((r < (int4)(0)) != (d < (int4)(0))));
  return select((int4)(select((int4)(f), (int4)(-a), b == (int4)(-1))), (int4)(0), b == (int4)(0));
}
int4 floor_mod_int4(int4 a, int4 b) {
  return select((int4)(a - floor_div_int4(a, b) * b), (int4)(0), b == (int4)(0));
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant int* restrict a, __constant int* restrict d, __global int* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 4;
  const int4 s_0 = *(__constant int4*)(a + a_0);
  const int4 s_1 = *(__constant int4*)(d + a_0);
  *(__global int4*)(out + a_0) = floor_div_int4(s_0, s_1) * (int4)(100) + (s_0 / 7 + ((s_0 % 7) >> 31)) + floor_mod_int4(s_0, s_1) - (s_0 & 7);
}
