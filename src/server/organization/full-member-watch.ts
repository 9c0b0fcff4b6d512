import {announceNewFullMembers} from '#server/actions/groups/full-members.ts';
import type {World} from '#server/context.ts';

const periodMs = 3600_000;

/** Members become full members by the passing of time alone, so somebody has to look now and then. */
export function startFullMemberWatch(world: World): {stop(): void} {
  let since = Math.floor(world.clock.now() / 1000);
  let cancel = () => {};
  const schedule = () => {
    cancel = world.clock.after(periodMs, () => {
      world.act((act) => {
        announceNewFullMembers(act, since);
        since = act.now;
      });
      schedule();
    });
  };
  schedule();
  return {stop: () => cancel()};
}
