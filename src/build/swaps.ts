/** A file of Ink's that the bundle has another for. */
export interface Swap {
  readonly file: string;
  /** Of the file that it was written for. */
  readonly sha256: string;
  /** What stands in its place, given what stood there. `ui-ink:x.ts` is a file of `src/ui/ink`. */
  readonly code: (text: string) => string;
}

/** A new Ink may need new ones. From the sources Ink runs as it is, with the same picture. */
export const swaps: readonly Swap[] = [
  {
    file: 'output.js',
    sha256: '5e6c511c0a573f48cd5765d7f1f16583d2595f7b05775608382bdb990b63f225',
    code: () => "export {Output as default} from 'ui-ink:output.ts';",
  },
  {
    file: 'line-update.js',
    sha256: '3101b3bbf790a845dc0268343f1d5d033ffa6468f2b8ea8947336c03d50d828f',
    code: () => "export {lineUpdate as default} from 'ui-ink:line-update.ts';",
  },
  {
    file: 'log-update.js',
    sha256: '0336ec176d00780756df0c2b6c365cd2f67118e28d0f9b5383e113fd9f70f285',
    code: (text) => `
      import {foldedMoves} from 'ui-ink:folded-moves.ts';
      ${text.replace("stream.write(buffer.join(''));", "stream.write(foldedMoves(buffer.join('')));")}`,
  },
];
