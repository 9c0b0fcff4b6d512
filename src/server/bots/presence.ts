import {userSettings} from '#server/accounts/user-settings.ts';
import {type PresenceStatus, reportPresence} from '#server/actions/users/presence.ts';
import type {BotRuntime} from '#server/demo-bots/bot-runtime.ts';

/** Often enough that who connects sees people soon; reports that change nothing are not written. */
const everyMs = 20_000;

/** Keeps people at their desks, or away from them, while somebody is looking. */
export function startPresenceReports(stage: BotRuntime, people: ReadonlyMap<number, PresenceStatus>): void {
  const {world} = stage;
  const report = () => {
    if (world.queues.size > 0) {
      stage.attempt(() => {
        world.runAction((act) => {
          for (const [id, status] of people) {
            const user = stage.availableAccount(id);
            if (user !== undefined) reportPresence(act, user, status, userSettings(user).presence_enabled);
          }
        });
      });
    }
    stage.after(everyMs, report);
  };
  stage.after(everyMs, report);
}
