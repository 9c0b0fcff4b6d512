import {userSettings} from '#server/accounts/user-settings.ts';
import {type PresenceStatus, reportPresence} from '#server/actions/users/presence.ts';
import type {SentMessage, ServerContext} from '#server/context.ts';
import {parseWorldFile} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {BotRuntime} from './bot-runtime.ts';
import {readBotScripts} from './bot-script.ts';
import {Responder} from './responder.ts';
import {SmallTalker} from './small-talker.ts';

export interface DemoBotsOptions {
  /** Whether bots also start conversations; else they only answer. */
  readonly smallTalk?: boolean;
  readonly log?: (line: string, error: unknown) => void;
}

/** Starts the demo's bots and simulated people. Does nothing when the database is not the demo. */
export function startDemoBots(server: ServerContext, options: DemoBotsOptions = {}): {stop(): void} {
  const runtime = new BotRuntime(server, options.log ?? (() => {}));
  const userIds = demoUserIds(server);
  if (userIds.size === 0) return runtime;
  const responders: Responder[] = [];
  for (const script of readBotScripts()) {
    const userId = userIds.get(script.key);
    if (userId === undefined) continue;
    responders.push(new Responder(runtime, script, userId));
    if (options.smallTalk === false) continue;
    for (const talk of script.smallTalk) new SmallTalker(runtime, talk, userId, script.isPerson);
  }
  startPresenceReports(runtime, presentPeople(userIds));
  const listener = (sent: SentMessage) => {
    if (sent.sender.is_bot === 1 || runtime.isSending) return;
    runtime.attempt(() => {
      for (const responder of responders) responder.handleMessage(sent);
    });
  };
  server.messageListeners.add(listener);
  return {
    stop() {
      server.messageListeners.delete(listener);
      runtime.stop();
    },
  };
}

/** Returns the user ids by the keys of assets/demo/world.json, which the seeding stored. */
function demoUserIds({db}: ServerContext): Map<string, number> {
  const stored = db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}';
  return new Map(Object.entries<number>(JSON.parse(stored)));
}

function presentPeople(userIds: ReadonlyMap<string, number>): Map<number, PresenceStatus> {
  const presences = new Map<number, PresenceStatus>();
  const json = readAsset('demo/world.json');
  for (const {key, presence, you, deactivated} of parseWorldFile('world.json', json).people) {
    const id = userIds.get(key);
    if (id === undefined || you || deactivated) continue;
    if (presence === 'active' || presence === 'idle') presences.set(id, presence);
  }
  return presences;
}

/** Short enough that a new client soon sees who is present; reports that change nothing are not written. */
const presenceIntervalMs = 20_000;

/** Reports the simulated people as active or idle while a client is connected. */
function startPresenceReports(runtime: BotRuntime, people: ReadonlyMap<number, PresenceStatus>): void {
  const {server} = runtime;
  const report = () => {
    if (server.queues.size > 0) {
      runtime.attempt(() => {
        server.runAction((act) => {
          for (const [id, status] of people) {
            const user = runtime.availableAccount(id);
            if (user !== undefined) reportPresence(act, user, status, userSettings(user).presence_enabled);
          }
        });
      });
    }
    runtime.after(presenceIntervalMs, report);
  };
  runtime.after(presenceIntervalMs, report);
}
