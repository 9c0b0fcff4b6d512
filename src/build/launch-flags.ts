/**
 * The options of Node that the single file and `npm start` use. One thread of V8 beside the main one is enough, and each wakes up
 * now and then and has memory of its own. SIGUSR1 must not open a debugger port: `cli.ts` ignores it from its start on, and the
 * option before that.
 */
export const launchFlags: readonly string[] = ['--v8-pool-size=1', '--max-semi-space-size=2', '--disable-sigusr1'];
