/**
 * The options of V8 with which the program starts: they are also in the first line of `parley.js`, which is the bin of the npm
 * package. They can be given at the start only: V8 may abort when a flag changes later. Compiled code fits the flags it was made
 * with, so `launcher.cjs` has other files for a start without them.
 */
export const heapFlags: readonly string[] = [
  // One thread of V8 beside the main one is enough, and each wakes up now and then and has memory of its own.
  '--v8-pool-size=1',
  // The young generation has 2 MiB: it would grow to 100 and never shrink. Pages that a collection has emptied go back to the system
  // at once: V8 would keep 40 MiB of them.
  '--optimize-for-size',
  // The old generation is collected when it has grown by two fifths. With this option and others, V8 refuses the compiled code
  // that Node has of its own modules: each module costs 0.4 ms, so few are loaded (`lazyBuiltins` in bundle.ts).
  '--heap-growing-percent=40',
  // Until the first collection of it, this is the limit. V8 lowers its own with each collection of the young generation, so that a
  // verb would need a full one, of 20 ms.
  '--initial-old-space-size=24',
  // undici's parser is WebAssembly. V8 would optimize it, which takes 30 MiB, of which 10 stay, and 60 ms even in a verb.
  '--wasm-tiering-budget=2000000000',
  // V8's own collections when idle, which wake its threads for some seconds, are replaced by those of `memoryLimiter`.
  '--no-memory-reducer',
  // A function is optimized after 5,000 calls instead of 400: compilers take about 10 MiB less in the first minutes, and keys need
  // no more CPU time. The same option for the second compiler is unknown to Node 20, which would not say that it is too old.
  '--invocation-count-for-maglev=5000',
];

/** The options of Node that the single file and `npm start` use. */
export const launchFlags: readonly string[] = [
  ...heapFlags,
  // Not in `parley.js`: Node 20 refuses to start with it, and could not say that it is too old.
  // SIGUSR1 must not open a debugger port: `cli.ts` ignores it from its start on, and this option before that.
  '--disable-sigusr1',
];

/** The options of V8 for a session over SSH, of which there are many: they take little memory, and give way to each other. */
export const sessionFlags: readonly string[] = [
  ...launchFlags,
  // The collections that empty pages take longer: 70 ms until the first content. At rest, garbage is collected anyway.
  ...['--no-optimize-for-size', '--max-semi-space-size=1'],
  ...['--heap-growing-percent=10', '--initial-old-space-size=0'],
  // Code is interpreted: compiled code takes memory in each process, and a key takes 2 ms of CPU time without it.
  ...['--no-opt', '--no-maglev', '--no-sparkplug'],
  // To collect garbage when idle: the inspector, which does it elsewhere, is not allowed there.
  '--expose-gc',
];
