import {emitNewFullMembers} from '#server/actions/groups/full-members.ts';
import type {ServerContext} from '#server/context.ts';

const periodMs = 3600_000;

/** Emits hourly events for members who became full members, which happens by the passing of time alone. */
export function startFullMemberWatcher(server: ServerContext): {stop(): void} {
  let since = Math.floor(server.clock.now() / 1000);
  let cancel = () => {};
  const schedule = () => {
    cancel = server.clock.after(periodMs, () => {
      server.runAction((act) => {
        emitNewFullMembers(act, since);
        since = act.now;
      });
      schedule();
    });
  };
  schedule();
  return {stop: () => cancel()};
}
