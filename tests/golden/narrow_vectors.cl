char4 floor_div_char4(char4 a, char4 b) {
  const char4 d = select((char4)(b), (char4)(1), (b == (char4)(0)) | (b == (char4)(-1)));
  const char4 q = a / d;
  const char4 r = a - q * d;
  const char4 f = q + ((r != (char4)(0)) & ((r < (char4)(0)) != (d < (char4)(0))));
  return select((char4)(select((char4)(f), (char4)(-a), b == (char4)(-1))), (char4)(0), b == (char4)(0));
}
char4 floor_mod_char4(char4 a, char4 b) {
  return select((char4)(a - floor_div_char4(a, b) * b), (char4)(0), b == (char4)(0));
}
uchar4 floor_div_uchar4(uchar4 a, uchar4 b) {
  const uchar4 d = select((uchar4)(b), (uchar4)(1), b == (uchar4)(0));
  const uchar4 q = a / d;
  return select((uchar4)(q), (uchar4)(0), b == (uchar4)(0));
}
uchar4 floor_mod_uchar4(uchar4 a, uchar4 b) {
  return select((uchar4)(a - floor_div_uchar4(a, b) * b), (uchar4)(0), b == (uchar4)(0));
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant char* restrict a, __constant char* restrict d, __constant uchar* restrict p, __constant uchar* restrict q, __constant uchar* restrict u, __global int* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 4;
  const char4 s_0 = *(__constant char4*)(a + a_0);
  const char4 s_1 = *(__constant char4*)(d + a_0);
  const int4 s_2 = convert_int4(*(__constant uchar4*)(p + a_0) != (uchar)0);
  const int4 s_3 = convert_int4(*(__constant uchar4*)(q + a_0) != (uchar)0);
  *(__global int4*)(out + a_0) = convert_int4(floor_mod_char4(s_0, s_1)) * (int4)(300) + convert_int4(floor_div_uchar4(*(__constant uchar4*)(u + a_0), convert_uchar4(s_0))) * (int4)(7) + select((int4)(0), (int4)(100000), s_3 < s_2) + select((int4)(0), (int4)(200000), s_3 <= s_2) + select((int4)(0), (int4)(400000), convert_int4(s_0 != (char4)(0))) + convert_int4(floor_div_char4(s_0, s_1));
}
