// Arrays of numbers out of the binary part of a payload.  The format is described in
// src/poinsot/view/payload.py; `pack` there and `unpack` here are inverse to each other.

export interface Packed {
  readonly kind: "fixed" | "float32" | "float64";
  readonly rows: number;
  readonly columns: number;
  readonly order: number; // how often differences along time were taken
  readonly scale: number; // of one unit; fixed only
  readonly offset: readonly number[]; // of each column; fixed only
  readonly at: number; // first byte
}

/** A table of numbers, column by column: element (row, column) is data[column * stride + row]. */
export interface Table {
  readonly rows: number;
  readonly stride: number; // rows, or more in a table that grows
  readonly columns: number;
  readonly data: Float64Array;
}

export function unpack(bytes: Uint8Array, packed: Packed): Table {
  const { rows, columns, order, at } = packed;
  const count = rows * columns;
  const wide = packed.kind === "float64" ? 8 : 4;
  if (at < 0 || at + wide * count > bytes.length) throw new Error("the data of this page are cut off");
  if (wide === 8) {
    const own = new Uint8Array(8 * count); // from all first bytes, all second bytes ... to number by number
    for (let i = 0; i < 8 * count; i++) own[8 * (i % count) + Math.floor(i / count)] = bytes[at + i]!;
    return { rows, columns, stride: rows, data: new Float64Array(own.buffer) };
  }
  const words = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const z =
      bytes[at + i]! |
      (bytes[at + count + i]! << 8) |
      (bytes[at + 2 * count + i]! << 16) |
      (bytes[at + 3 * count + i]! << 24);
    words[i] = (z >>> 1) ^ -(z & 1); // zigzag: 0, -1, 1, -2, 2 ...
  }
  for (let column = 0; column < columns; column++) {
    for (let pass = 0; pass < order; pass++) {
      let sum = 0;
      for (let i = column * rows; i < (column + 1) * rows; i++) {
        sum = (sum + words[i]!) | 0;
        words[i] = sum;
      }
    }
  }
  if (packed.kind === "float32") {
    return { rows, columns, stride: rows, data: Float64Array.from(new Float32Array(words.buffer)) };
  }
  const { scale, offset } = packed;
  const data = new Float64Array(count);
  for (let column = 0; column < columns; column++) {
    for (let i = column * rows; i < (column + 1) * rows; i++) data[i] = (offset[column] ?? 0) + scale * words[i]!;
  }
  return { rows, columns, stride: rows, data };
}

/** Bytes of base64 text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes in a zlib stream. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
