/* NMB in C, the method of src/poinsot/core/methods/body/nmb.py line by line: the yardstick of one_body.py.
   State: q[4], P[3], r[3], p[3]; the torque of the last step is kept.  It does all that the kernel does: the point
   of a free body moves (here its mobility is 0), counters are kept, a state that is not finite ends the loop. */
#include <math.h>

typedef struct { double x, y, z; } vec;
typedef struct { double I[3], a[3], m, free, mobility; vec c, g; } body;
typedef struct { vec T, F; } load;

static inline vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec axpy(double s, vec a, vec b) { return (vec){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z}; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline load load_at(const body *b, const double *q) {
    double w = q[0], x = q[1], y = q[2], z = q[3], s = 2.0 / (w * w + x * x + y * y + z * z);
    double sx = s * x, sy = s * y, sz = s * z, xx = sx * x, yy = sy * y, zz = sz * z, xy = sx * y, xz = sx * z,
           yz = sy * z, wx = sx * w, wy = sy * w, wz = sz * w;
    vec f = {b->m * b->g.x, b->m * b->g.y, b->m * b->g.z};
    vec r = {(1 - yy - zz) * f.x + (xy + wz) * f.y + (xz - wy) * f.z,
             (xy - wz) * f.x + (1 - xx - zz) * f.y + (yz + wx) * f.z,
             (xz + wy) * f.x + (yz - wx) * f.y + (1 - xx - yy) * f.z};
    return (load){cross(b->c, r), {b->free * f.x, b->free * f.y, b->free * f.z}};
}

static inline void compose_exp(double *q, vec u) { /* q <- q exp(u) */
    double z = 0.25 * dot(u, u), c, s;
    if (z > 0.0625) {
        double t = sqrt(z);
        c = cos(t);
        s = 0.5 * sin(t) / t;
    } else {
        c = 1 - z * (1 / 2. - z * (1 / 24. - z * (1 / 720. - z * (1 / 40320. - z * (1 / 3628800. - z / 479001600.)))));
        s = 0.5 * (1 - z * (1 / 6. - z * (1 / 120. - z * (1 / 5040. - z * (1 / 362880. - z / 39916800.)))));
    }
    double x = s * u.x, y = s * u.y, k = s * u.z, a = q[0], b = q[1], d = q[2], e = q[3];
    q[0] = a * c - b * x - d * y - e * k;
    q[1] = a * x + b * c + d * k - e * y;
    q[2] = a * y - b * k + d * c + e * x;
    q[3] = a * k + b * y - d * x + e * c;
    double n = 0.5 * (3 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++) q[i] *= n;
}

static inline vec solve(const double *A, vec b) {
    double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8], c2 = A[3] * A[7] - A[4] * A[6];
    double d = 1 / (A[0] * c0 + A[1] * c1 + A[2] * c2);
    return (vec){d * (c0 * b.x + (A[2] * A[7] - A[1] * A[8]) * b.y + (A[1] * A[5] - A[2] * A[4]) * b.z),
                 d * (c1 * b.x + (A[0] * A[8] - A[2] * A[6]) * b.y + (A[2] * A[3] - A[0] * A[5]) * b.z),
                 d * (c2 * b.x + (A[1] * A[6] - A[0] * A[7]) * b.y + (A[0] * A[4] - A[1] * A[3]) * b.z)};
}

long nmb(const body *b, double *state, double h, long n, long *counters) {
    double q[4] = {state[0], state[1], state[2], state[3]};
    vec P = {state[4], state[5], state[6]}, r = {state[7], state[8], state[9]}, p = {state[10], state[11], state[12]};
    load f = load_at(b, q);
    const double *a = b->a;
    double d1 = a[1] - a[2], d2 = a[2] - a[0], d3 = a[0] - a[1];
    for (long k = 0; k < n; k++) {
        vec rate = axpy(1, f.T, cross(P, (vec){a[0] * P.x, a[1] * P.y, a[2] * P.z}));
        vec half = axpy(0.5 * h, rate, P), p_half = axpy(0.5 * h, f.F, p);
        compose_exp(q, (vec){h * a[0] * half.x, h * a[1] * half.y, h * a[2] * half.z});
        r = axpy(h * b->mobility, p_half, r);
        P = axpy(0.5 * h, rate, half);
        f = load_at(b, q);
        p = axpy(0.5 * h, f.F, p_half);
        counters[1]++;
        for (int i = 0; i < 20; i++) {
            double x = 0.5 * h * P.x, y = 0.5 * h * P.y, z = 0.5 * h * P.z;
            double J[9] = {1, d1 * z, d1 * y, d2 * z, 1, d2 * x, d3 * y, d3 * x, 1};
            vec w = {a[0] * P.x, a[1] * P.y, a[2] * P.z};
            vec e = axpy(-0.5 * h, axpy(1, f.T, cross(P, w)), axpy(-1, half, P));
            vec d = solve(J, e);
            P = axpy(-1, d, P);
            counters[2]++;
            if (dot(d, d) <= 1e-18 * dot(P, P)) break;
        }
        if (!(dot(P, P) + dot(p, p) + dot(r, r) + q[0] * q[0] + q[1] * q[1] < 1e300)) return -1;
        counters[0]++;
    }
    for (int i = 0; i < 4; i++) state[i] = q[i];
    double *out = state + 4;
    out[0] = P.x, out[1] = P.y, out[2] = P.z, out[3] = r.x, out[4] = r.y, out[5] = r.z;
    out[6] = p.x, out[7] = p.y, out[8] = p.z;
    return counters[2];
}
