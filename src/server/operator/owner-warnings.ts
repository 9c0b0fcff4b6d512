import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {ServerContext} from '#server/context.ts';
import {metaValue, storeMeta} from '#server/db/meta.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {serverWarnings} from './server-status.ts';

const firstRunMs = 60_000;
const periodMs = 600_000;
const key = 'warnings_told';

/** Tells the owners by a message when a warning begins, once until it has ended. */
export function startOwnerWarnings(server: ServerContext, log: Log): {stop(): void} {
  const task = new BackgroundTask({clock: server.clock, log, name: 'Telling owners about warnings'}, () => {
    // Nothing can be said in a database that cannot be written.
    const warnings = serverWarnings(server, 'database');
    const codes = JSON.stringify(warnings.map(({code}) => code));
    const told = metaValue(server.db, key) ?? '[]';
    if (codes === told) return periodMs;
    const known: readonly string[] = JSON.parse(told);
    server.runAction((act) => {
      storeMeta(act.db, key, codes);
      const isOwner = `role = ${Role.owner} AND is_active = 1 AND is_bot = 0`;
      for (const id of act.db.pluck(`SELECT id FROM user WHERE ${isOwner}`)) {
        for (const {code, text} of warnings) {
          if (!known.includes(code)) sendPersonalNotice(act, id, `A warning about this server: ${text}`);
        }
      }
    });
    return periodMs;
  });
  task.schedule(firstRunMs);
  return task;
}
