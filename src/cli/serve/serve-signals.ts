import {isatty} from 'node:tty';

/**
 * Stops the server at the signals that ask for it. SIGHUP reloads, as logrotate and the tools that renew certificates expect;
 * only when it says that the terminal of the server was closed, it stops too.
 */
export function handleServeSignals({stop, reload}: {stop: (signal: string) => void; reload: () => void}): void {
  const wasInTerminal = isInTerminal();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, stop);
  process.on('SIGHUP', () => (wasInTerminal && !isInTerminal() ? stop('SIGHUP') : reload()));
}

function isInTerminal(): boolean {
  return [0, 1, 2].some((descriptor) => isatty(descriptor));
}
