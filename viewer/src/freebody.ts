// The closed form of a free body: Euler's equations by Jacobi's functions, and the attitude by quadrature of
// an integral that is exact to rounding.  The formulas, with their numbers, are those of
// src/poinsot/core/body/flight.py, jacobi.py and euler.py; this is what the method `exact` computes.

import { rotate } from "./motion.ts";
import type { Quaternion, Vector } from "./payload.ts";

const LEG = 0.1; // of the attitude: duration times frequency
const SMALLEST = 1e-30; // k' on the separatrix itself
const [NEAR, FAR] = [Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 6, Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 6];
const [W_FAR, W_NEAR] = [(322 - 13 * Math.sqrt(70)) / 1800, (322 + 13 * Math.sqrt(70)) / 1800];
const GAUSS = [[0.5, 64 / 225], [0.5 - NEAR, W_NEAR], [0.5 + NEAR, W_NEAR], [0.5 - FAR, W_FAR], [0.5 + FAR, W_FAR]] as const;

/** sn, cn, dn of u for the complementary modulus k': (1), (2) of jacobi.py. */
export function jacobi(u: number, complementary: number): [number, number, number] {
  const moduli: [number, number][] = []; // k1, and k' before it
  let kc = Math.max(complementary, SMALLEST);
  for (let i = 0; i < 10; i++) {
    const k1 = (1 - kc) / (1 + kc);
    moduli.push([k1, kc]);
    u /= 1 + k1;
    kc = (2 * Math.sqrt(kc)) / (1 + kc);
  }
  let [s, c, d] = [Math.sin(u), Math.cos(u), 1];
  for (const [k1, before] of moduli.reverse()) {
    const [ss, cc] = [s * s, c * c];
    const m = 1 / (1 + k1 * ss);
    const dn = ss < cc ? 1 - 2 * k1 * ss * m : ((2 * before) / (1 + before) + k1 * cc) * m;
    [s, c, d] = [(1 + k1) * s * m, c * d * m, dn];
  }
  return [s, c, d];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function product(p: Quaternion, q: Quaternion): Quaternion {
  const [a, b] = [[p[1], p[2], p[3]] as Vector, [q[1], q[2], q[3]] as Vector];
  const c = cross(a, b);
  return [p[0] * q[0] - dot(a, b), p[0] * b[0] + q[0] * a[0] + c[0], p[0] * b[1] + q[0] * a[1] + c[1], p[0] * b[2] + q[0] * a[2] + c[2]];
}

function unit(q: Quaternion): Quaternion {
  const size = Math.hypot(...q);
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

/** exp of half a rotation vector. */
function exp(x: Vector): Quaternion {
  const half = Math.hypot(...x) / 2;
  const s = half > 1e-8 ? Math.sin(half) / (2 * half) : 0.5;
  return [Math.cos(half), s * x[0], s * x[1], s * x[2]];
}

export class FreeBody {
  private readonly axes: Vector[] = []; // principal axes in the body, by falling 1/I, right-handed
  private readonly a: Vector; // 1/I along them
  private readonly P: Vector; // momentum at the start, along them
  private readonly rate: Vector;
  private readonly A: number;
  private readonly B: number;
  private readonly start: Quaternion;

  /** Principal moments and axes (a rotation from them to the body), attitude and angular velocity (body axes) at time 0. */
  constructor(moments: Vector, axes: Quaternion, attitude: Quaternion, spin: Vector) {
    this.start = attitude;
    const order = [0, 1, 2].sort((i, k) => moments[i]! - moments[k]!);
    for (const i of order) this.axes.push(rotate(axes, [0, 1, 2].map((k) => (k === i ? 1 : 0))));
    const right = dot(cross(this.axes[0]!, this.axes[1]!), this.axes[2]!);
    if (right < 0) this.axes[2] = this.axes[2]!.map((x) => -x) as unknown as Vector;
    this.a = order.map((i) => 1 / moments[i]!) as unknown as Vector;
    this.P = this.axes.map((axis, k) => dot(axis, spin) / this.a[k]!) as unknown as Vector;
    const [d12, d23, d13] = this.differences();
    const [x, y, z] = this.P.map((one) => one * one) as [number, number, number];
    this.A = d12 * (d13 * x + d23 * y);
    this.B = d23 * (d12 * y + d13 * z); // (1) of flight.py
    this.rate = cross(this.P, this.P.map((one, k) => one * this.a[k]!) as unknown as Vector);
  }

  private differences(): Vector {
    return [this.a[0] - this.a[1], this.a[1] - this.a[2], this.a[0] - this.a[2]];
  }

  /** Momentum along the principal axes at a time: (3) of flight.py, with (1) of euler.py. */
  private momentum(t: number): Vector {
    const { A, B, P, rate } = this;
    const [d12, d23, d13] = this.differences();
    const [n1, n3] = [d12 * d13 * P[0] * P[0], d23 * d13 * P[2] * P[2]];
    const large = Math.max(A, B);
    if (!(large > 0)) return P; // a ball, or rotation about a principal axis
    const difference = d13 * (d12 * P[0] * P[0] - d23 * P[2] * P[2]);
    const fast = Math.sqrt(large);
    const [s, c, d] = jacobi(fast * t, Math.sqrt(Math.abs(difference) / large));
    const S = s / fast;
    const [C, D] = difference >= 0 ? [c, d] : [d, c];
    const N = 1 / (A >= B ? C * C + n1 * S * S : D * D + n3 * S * S);
    return [N * (D * P[0] + S * C * rate[0]), N * (C * D * P[1] + S * rate[1]), N * (C * P[2] + S * D * rate[2])];
  }

  private inBody(x: Vector): Vector {
    return [0, 1, 2].map((k) => x[0] * this.axes[0]![k]! + x[1] * this.axes[1]![k]! + x[2] * this.axes[2]![k]!) as unknown as Vector;
  }

  /** Angular velocity in body axes at a time. */
  spin(t: number): Vector {
    return this.inBody(this.momentum(t).map((one, k) => one * this.a[k]!) as unknown as Vector);
  }

  /** Angular momentum in space. */
  get L(): Vector {
    return rotate(this.start, this.inBody(this.P));
  }

  /** Kinetic energy. */
  get energy(): number {
    return dot(this.P, this.P.map((one, k) => one * this.a[k]!) as unknown as Vector) / 2;
  }

  /** Attitudes at times that do not fall, the first of them not before 0. */
  attitudes(times: ArrayLike<number>): Quaternion[] {
    const found: Quaternion[] = [];
    const fast = Math.sqrt(Math.max(this.A, this.B, 0));
    let [q, now, P] = [this.start, 0, this.P];
    const L = this.L;
    const twice = 2 * this.energy;
    const square = dot(P, P);
    for (let i = 0; i < times.length; i++) {
      const legs = Math.max(1, Math.ceil(((times[i]! - now) * fast) / LEG));
      const [begin, t] = [now, (times[i]! - now) / legs];
      for (let leg = 0; leg < legs && t > 0 && square > 0; leg++) {
        now = begin + leg * t;
        const next = this.momentum(now + t);
        const w = P.map((one, k) => one * this.a[k]!) as unknown as Vector;
        let f = 0;
        for (const [x, weight] of GAUSS) {
          const there = this.momentum(now + x * t);
          f += (weight * t * (twice + dot(w, there))) / (square + dot(P, there)); // (5) of flight.py
        }
        const [here, ahead] = [this.inBody(P), this.inBody(next)];
        const u = cross(ahead, here);
        const arc = unit([1 + dot(P, next) / square, u[0] / square, u[1] / square, u[2] / square]);
        q = unit(product(product(q, exp(here.map((one) => one * f) as unknown as Vector)), arc));
        P = next;
      }
      now = times[i]!;
      q = this.align(q, this.inBody(P), L, square);
      found.push(q);
    }
    return found;
  }

  /** The attitude that takes P to L: the rotation by which rounding missed it, (4) of invariants.py. */
  private align(q: Quaternion, P: Vector, L: Vector, square: number): Quaternion {
    if (!(square > 0)) return q;
    const M = rotate([q[0], -q[1], -q[2], -q[3]], L);
    const u = cross(P, [M[0] - P[0], M[1] - P[1], M[2] - P[2]]);
    return unit(product(q, [1, u[0] / (2 * square), u[1] / (2 * square), u[2] / (2 * square)]));
  }
}
