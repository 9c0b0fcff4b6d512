import {archiveExpired, purgeArchive} from '#server/actions/messages/archive-messages.ts';
import {deleteUnusedUploads} from '#server/actions/uploads/unused-uploads.ts';
import {BackgroundTask, type Log} from './background-task.ts';
import type {ServerContext} from './context.ts';

const firstRunMs = 60_000;
const periodMs = 3600_000;
/** The wait between two parts of one run. */
const pauseMs = 1000;

/** Archives messages that are older than the organization keeps them, and deletes unused uploads, every hour and in small parts. */
export function startRetention(server: ServerContext, log: Log): {stop(): void} {
  const {clock} = server;
  const task = new BackgroundTask({clock, log, name: 'Deleting old messages', retryMs: periodMs}, () => {
    const parts = [archiveExpired, purgeArchive, deleteUnusedUploads];
    const count = parts.reduce((sum, part) => sum + server.runAction(part), 0);
    return count > 0 ? pauseMs : periodMs;
  });
  task.schedule(firstRunMs);
  return task;
}
