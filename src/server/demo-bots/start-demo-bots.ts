import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {PresenceStatus} from '#server/actions/users/presence.ts';
import {startPresenceReports} from '#server/bots/presence.ts';
import type {SentMessage, ServerContext} from '#server/context.ts';
import {parseWorldFile} from '#server/seed/demo-world/world-file.ts';
import {assetPath} from '#std/assets.ts';
import {BotRuntime} from './bot-runtime.ts';
import {readBotScripts} from './bot-script.ts';
import {Responder} from './responder.ts';
import {SmallTalker} from './small-talker.ts';
import {Tutorial} from './tutorial.ts';
import {readTutorial} from './tutorial-script.ts';

export interface DemoBotsOptions {
  /** Whether they also speak unasked, and the guide teaches; else they only answer. */
  readonly smallTalk?: boolean;
  readonly log?: (line: string, error: unknown) => void;
}

/** Brings the demo's bots, and some of its people, to life. In a world that is not the demo nothing happens. */
export function startDemoBots(world: ServerContext, options: DemoBotsOptions = {}): {stop(): void} {
  const stage = new BotRuntime(world, options.log ?? (() => {}));
  const cast = castOf(world);
  if (cast.size === 0) return stage;
  const answerers: Responder[] = [];
  for (const script of readBotScripts()) {
    const userId = cast.get(script.key);
    if (userId === undefined) continue;
    answerers.push(new Responder(stage, script, userId));
    if (options.smallTalk === false) continue;
    for (const talk of script.smallTalk) new SmallTalker(stage, talk, userId, script.isPerson);
  }
  startPresenceReports(stage, presentPeople(cast));
  const lesson = options.smallTalk === false ? undefined : lessonFor(stage, cast);
  const listener = (sent: SentMessage) => {
    if (sent.sender.is_bot === 1 || stage.isSending || lesson?.isAwaiting(sent)) return;
    stage.attempt(() => {
      for (const answerer of answerers) answerer.handleMessage(sent);
    });
  };
  world.messageListeners.add(listener);
  return {
    stop() {
      world.messageListeners.delete(listener);
      stage.stop();
    },
  };
}

function lessonFor(stage: BotRuntime, cast: ReadonlyMap<string, number>): Tutorial | undefined {
  const [guide, pupil] = [cast.get('pilot'), cast.get('you')];
  return guide === undefined || pupil === undefined
    ? undefined
    : new Tutorial(stage, readTutorial(), guide, pupil);
}

/** Ids by the keys of assets/demo/world.json; kept when the demo was planted. */
function castOf({db}: ServerContext): Map<string, number> {
  const stored = db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}';
  return new Map(Object.entries<number>(JSON.parse(stored)));
}

function presentPeople(cast: ReadonlyMap<string, number>): Map<number, PresenceStatus> {
  const present = new Map<number, PresenceStatus>();
  const json = readFileSync(join(assetPath('demo'), 'world.json'), 'utf8');
  for (const {key, presence, you, deactivated} of parseWorldFile('world.json', json).people) {
    const id = cast.get(key);
    if (id === undefined || you || deactivated) continue;
    if (presence === 'active' || presence === 'idle') present.set(id, presence);
  }
  return present;
}
