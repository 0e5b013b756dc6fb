__kernel void first_kernel(__global float* x) { x[get_global_id(0)] = 1.0f; }
