// The file of bidi-js that `bidi.ts` imports: its index is CommonJS, with the types of a module.

declare module 'bidi-js/dist/bidi.mjs' {
  import type {Bidi} from 'bidi-js';

  const makeBidi: () => Bidi;

  export = makeBidi;
}
