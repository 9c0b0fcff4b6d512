import {emitNewFullMembers} from '#server/actions/groups/full-members.ts';
import type {ServerContext} from '#server/context.ts';

const periodMs = 3600_000;

/** Members become full members by the passing of time alone, so somebody has to look now and then. */
export function startFullMemberWatcher(world: ServerContext): {stop(): void} {
  let since = Math.floor(world.clock.now() / 1000);
  let cancel = () => {};
  const schedule = () => {
    cancel = world.clock.after(periodMs, () => {
      world.runAction((act) => {
        emitNewFullMembers(act, since);
        since = act.now;
      });
      schedule();
    });
  };
  schedule();
  return {stop: () => cancel()};
}
