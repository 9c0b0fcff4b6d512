import {archiveExpired, purgeArchive} from '#server/actions/messages/archive-messages.ts';
import {isDiskFull} from '#server/db/database.ts';
import type {ServerContext} from './context.ts';

const firstRunMs = 60_000;
const periodMs = 3600_000;
/** The wait between two parts of one run. */
const pauseMs = 1000;

/** Archives messages that are older than the organization keeps them, every hour and in small parts. */
export function startRetention(server: ServerContext, log: (line: string, error?: unknown) => void): {stop(): void} {
  let cancel = server.clock.after(firstRunMs, run);
  function run(): void {
    let count = 0;
    try {
      count = server.runAction(archiveExpired) + server.runAction(purgeArchive);
    } catch (error) {
      log('Deleting old messages failed', isDiskFull(error) ? 'the disk is full' : error);
    }
    cancel = server.clock.after(count > 0 ? pauseMs : periodMs, run);
  }
  return {stop: () => cancel()};
}
