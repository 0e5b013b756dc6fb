#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
ushort float_to_half(float v) {
#ifdef cl_khr_fp16
  return as_ushort(convert_half_rte(v));
#else
  ushort4 bits;
  vstore_half4_rte((float4)(v), 0, (__private half*)&bits);
  return bits.x;
#endif
}
ushort8 float_to_half8(float8 v) {
#ifdef cl_khr_fp16
  return as_ushort8(convert_half8_rte(v));
#else
  ushort8 bits;
  vstore_half8_rte(v, 0, (__private half*)&bits);
  return bits;
#endif
}
float2 half_to_float2(ushort2 h) {
#ifdef cl_khr_fp16
  return convert_float2(as_half2(h));
#else
  const ushort4 bits = (ushort4)(h, h);
  return vload_half4(0, (const __private half*)&bits).xy;
#endif
}
float8 half_to_float8(ushort8 h) {
#ifdef cl_khr_fp16
  return convert_float8(as_half8(h));
#else
  const ushort8 bits = h;
  return vload_half8(0, (const __private half*)&bits);
#endif
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void out_kernel(__global const ushort* restrict in, __global const ushort* restrict add, __global ushort* restrict out, const float alpha) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  const int a_1 = block0 * 32 + thread0 * 8;
  if (a_0 < 7) {
    if (a_0 < 6) {
      const float8 v_0 = (float8)(alpha);
      *(__global ushort8*)(out + a_1) = float_to_half8(v_0 * half_to_float8(*(__global const ushort8*)(in + a_1)) + half_to_float8(*(__global const ushort8*)(add + a_1)));
    } else {
      const float2 t_0 = half_to_float2(*(__global const ushort2*)(in + a_1));
      const float2 t_1 = half_to_float2(*(__global const ushort2*)(add + a_1));
      out[a_1] = float_to_half(alpha * t_0.s0 + t_1.s0);
      out[a_1 + 1] = float_to_half(alpha * t_0.s1 + t_1.s1);
    }
  }
}
