const memorySection = 5;

/**
 * Returns the WebAssembly module with a maximum of 64 KiB pages for its memory, which has none: nothing else bounds what a module
 * takes. Beyond it an allocation of the module fails.
 */
export function limitWasmMemory(wasm: Uint8Array, maxPages: number): Uint8Array {
  // Eight bytes of the format's name and version, then sections: their kind, their length and their content.
  for (let at = 8; at < wasm.length; ) {
    const {value: length, end: start} = readNumber(wasm, at + 1);
    const end = start + length;
    if (wasm[at] !== memorySection) {
      at = end;
      continue;
    }
    // One memory, without a maximum, and its first number of pages.
    const minimum = wasm.subarray(start + 2, end);
    if (wasm[start] !== 1 || wasm[start + 1] !== 0) break;
    const content = [1, 1, ...minimum, ...numberBytes(maxPages)];
    return Buffer.concat([
      wasm.subarray(0, at),
      Buffer.from([memorySection, content.length, ...content]),
      wasm.subarray(end),
    ]);
  }
  throw new Error('The module has no memory of its own without a maximum.');
}

/** Reads a number in groups of seven bits, the lowest first; the highest bit says that another group follows. */
function readNumber(bytes: Uint8Array, from: number) {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return {value, end: at + 1};
  }
}

function numberBytes(number: number): number[] {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...numberBytes(number >> 7)];
}
