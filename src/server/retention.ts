import {archiveExpired, purgeArchive} from '#server/actions/messages/archive-messages.ts';
import {BackgroundTask, type Log} from './background-task.ts';
import type {ServerContext} from './context.ts';

const firstRunMs = 60_000;
const periodMs = 3600_000;
/** The wait between two parts of one run. */
const pauseMs = 1000;

/** Archives messages that are older than the organization keeps them, every hour and in small parts. */
export function startRetention(server: ServerContext, log: Log): {stop(): void} {
  const {clock} = server;
  const task = new BackgroundTask({clock, log, name: 'Deleting old messages', retryMs: periodMs}, () => {
    const count = server.runAction(archiveExpired) + server.runAction(purgeArchive);
    return count > 0 ? pauseMs : periodMs;
  });
  task.schedule(firstRunMs);
  return task;
}
