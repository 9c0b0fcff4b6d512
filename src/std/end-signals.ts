/**
 * The signals that end a process which does not listen for them, as far as Node can. Not those of a fault (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGTRAP, SIGSYS), after which no listener can run; SIGABRT ends the process in spite of a listener when it aborts itself.
 * Node ignores SIGPIPE and SIGXFSZ, and `cli.ts` SIGUSR1 and SIGUSR2. V8's CPU profiler uses SIGPROF.
 */
export const endSignals = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSTKFLT', 'SIGABRT'] as const),
];

export type EndSignal = (typeof endSignals)[number];
