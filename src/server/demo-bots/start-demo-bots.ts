import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {PresenceStatus} from '#server/actions/users/presence.ts';
import {keepPresent} from '#server/bots/presence.ts';
import type {SentMessage, World} from '#server/context.ts';
import {parseWorld} from '#server/seed/demo-world/world-file.ts';
import {assetPath} from '#std/assets.ts';
import {Stage} from './bot-runtime.ts';
import {readBotScripts} from './bot-script.ts';
import {Answerer} from './responder.ts';
import {SmallTalker} from './small-talker.ts';
import {Lesson} from './tutorial.ts';
import {readLesson} from './tutorial-script.ts';

export interface BotsOptions {
  /** Whether they also speak unasked, and the guide teaches; else they only answer. */
  readonly smallTalk?: boolean;
  readonly log?: (line: string, error: unknown) => void;
}

/** Brings the demo's bots, and some of its people, to life. In a world that is not the demo nothing happens. */
export function startBots(world: World, options: BotsOptions = {}): {stop(): void} {
  const stage = new Stage(world, options.log ?? (() => {}));
  const cast = castOf(world);
  if (cast.size === 0) return stage;
  const answerers: Answerer[] = [];
  for (const script of readBotScripts()) {
    const userId = cast.get(script.key);
    if (userId === undefined) continue;
    answerers.push(new Answerer(stage, script, userId));
    if (options.smallTalk === false) continue;
    for (const talk of script.smallTalk) new SmallTalker(stage, talk, userId, script.isPerson);
  }
  keepPresent(stage, presentPeople(cast));
  const lesson = options.smallTalk === false ? undefined : lessonFor(stage, cast);
  const listener = (sent: SentMessage) => {
    if (sent.sender.is_bot === 1 || stage.isSpeaking || lesson?.isAwaiting(sent)) return;
    stage.attempt(() => {
      for (const answerer of answerers) answerer.hear(sent);
    });
  };
  world.listeners.add(listener);
  return {
    stop() {
      world.listeners.delete(listener);
      stage.stop();
    },
  };
}

function lessonFor(stage: Stage, cast: ReadonlyMap<string, number>): Lesson | undefined {
  const [guide, pupil] = [cast.get('pilot'), cast.get('you')];
  return guide === undefined || pupil === undefined
    ? undefined
    : new Lesson(stage, readLesson(), guide, pupil);
}

/** Ids by the keys of assets/demo/world.json; kept when the demo was planted. */
function castOf({db}: World): Map<string, number> {
  const stored = db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}';
  return new Map(Object.entries<number>(JSON.parse(stored)));
}

function presentPeople(cast: ReadonlyMap<string, number>): Map<number, PresenceStatus> {
  const present = new Map<number, PresenceStatus>();
  const json = readFileSync(join(assetPath('demo'), 'world.json'), 'utf8');
  for (const {key, presence, you, deactivated} of parseWorld('world.json', json).people) {
    const id = cast.get(key);
    if (id === undefined || you || deactivated) continue;
    if (presence === 'active' || presence === 'idle') present.set(id, presence);
  }
  return present;
}
