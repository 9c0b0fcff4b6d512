import type {Database} from '#server/db/database.ts';
import {currentFailureHandler} from '#std/failure-handler.ts';
import type {ServerLog} from './server-log.ts';

/**
 * Keeps the server running after a failure that nothing caught: it is logged, and the request or connection that caused it
 * ends. A transaction that is still open is rolled back; if that is impossible, no later write could succeed, and the server ends.
 */
export function outliveFailures(
  db: Pick<Database, 'rollBackOpenTransaction'>,
  log: ServerLog,
  host: Pick<NodeJS.Process, 'on' | 'exit'> = process,
): void {
  const onFailure = (error: unknown) => {
    try {
      db.rollBackOpenTransaction();
      const fail = currentFailureHandler();
      if (fail === undefined) log.line('A failure was not expected', error);
      else fail(error);
    } catch (second) {
      log.line('A failure was not expected', error);
      log.line('The server ends, because its state is uncertain', second);
      host.exit(1);
    }
  };
  host.on('uncaughtException', onFailure);
  host.on('unhandledRejection', onFailure);
}
