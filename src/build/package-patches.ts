import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

/** A change to one file of a package. package.json pins the version of each patched package. */
export interface PackagePatch {
  /** The path in `node_modules`. */
  readonly file: string;
  /** The checksum of the file that the patch was written for. */
  readonly sha256: string;
  /** `sources` is the path from the file to the folder `src`. */
  readonly patch: (text: string, sources: string) => string;
  /** Whether nothing is left of the package's file. */
  readonly isReplacement?: boolean;
}

/**
 * Lists all patches. The bundle, the sources and the tests apply the same ones. Ink's output and layout become those of
 * `src/ui/ink`; the last patch delays work that a package does when it is loaded. The figures are what each one saves.
 */
export const packagePatches: readonly PackagePatch[] = [
  {
    // 17 ms of CPU time for each frame of 120 x 40: Ink parses every line again.
    file: 'ink/build/output.js',
    sha256: '5e6c511c0a573f48cd5765d7f1f16583d2595f7b05775608382bdb990b63f225',
    patch: (_, sources) => `export {Output as default} from '${sources}/ui/ink/output.ts';`,
    isReplacement: true,
  },
  {
    // A key that changes one character writes 9 bytes instead of 275, a line of scrolling 170 instead of 6,000 (120 x 40).
    // Ink's also needs sequences that some terminals lack, and lines move where a terminal measures a character wider.
    file: 'ink/build/log-update.js',
    sha256: '0336ec176d00780756df0c2b6c365cd2f67118e28d0f9b5383e113fd9f70f285',
    patch: (_, sources) => `export {frameWriter as default} from '${sources}/ui/ink/frame-writer.ts';`,
    isReplacement: true,
  },
  {
    // 120 ms of CPU time on two threads and 27 MiB, with the compilation of its WebAssembly.
    file: 'yoga-layout/dist/src/index.js',
    sha256: '0c89ff0c01ee90b081b369119f972d72f71eb8882263d94ef0824500817d5de1',
    patch: (_, sources) => `export {rectangles as default} from '${sources}/ui/ink/rectangles.ts';`,
    isReplacement: true,
  },
  {
    // 5 ms and 5 MiB: the set of all emoji is not needed for text in Latin script.
    file: 'string-width/index.js',
    sha256: 'abc20775da6b552188b098688ebec671e29f5416d6339d3534bb7b016174003e',
    patch: (text) =>
      text.replace(
        'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
        `let rgiEmoji;
const rgiEmojiRegex = {test: (text) => (rgiEmoji ??= /^\\p{RGI_Emoji}$/v).test(text)};`,
      ),
  },
];

/**
 * Returns the patched text of each file by its path, for the packages in `root`/node_modules. Throws when a file is not the
 * one that its patch was written for.
 */
export function patchedFiles(
  root: string,
  patches: readonly PackagePatch[] = packagePatches,
): ReadonlyMap<string, string> {
  return new Map(
    patches.map(({file, sha256, patch}) => {
      const path = join(root, 'node_modules', file);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (createHash('sha256').update(text).digest('hex') !== sha256) {
        throw new Error(`node_modules/${file} is not the version that Parley patches: run “npm ci”.`);
      }
      return [path, patch(text, relative(dirname(path), join(root, 'src')))];
    }),
  );
}
