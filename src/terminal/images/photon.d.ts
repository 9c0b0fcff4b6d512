/** The part of the decoder that Parley uses. Its own types need DOM globals. */

declare module '@cf-wasm/photon/others' {
  export const initPhoton: {
    readonly initialized: boolean;
    sync(input: {readonly module: WebAssembly.Module}): {readonly memory: {readonly buffer: ArrayBuffer}};
  };
  export class PhotonImage {
    constructor(rgba: Uint8Array, width: number, height: number);
    /** Throws, and leaves the decoder in an undefined state, if the file is damaged. */
    static new_from_byteslice(file: Uint8Array): PhotonImage;
    get_width(): number;
    get_height(): number;
    get_raw_pixels(): Uint8Array;
    get_bytes_jpeg(quality: number): Uint8Array;
    get_bytes_webp(): Uint8Array;
    free(): void;
  }
  export enum SamplingFilter {
    Nearest = 1,
    Triangle = 2,
  }
  export function resize(image: PhotonImage, width: number, height: number, filter: SamplingFilter): PhotonImage;
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Readonly<Record<string, {grow(pages: number): number}>>;
  }
}
