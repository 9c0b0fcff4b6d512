import type {ServerContext} from '#server/context.ts';
import {JsonText} from '#server/http/json-text.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import {currentLevel, levels} from '#wire/levels.ts';
import type {Downgrade, Json, SentEvent} from './downgrade.ts';
import {type DowngradeContext, type LevelChange, without} from './level-change.ts';
import {levelChanges} from './level-changes.ts';
import {eventObjectLocations, mapObjects, responseObjectLocations} from './object-locations.ts';

/** Undefined at the current level, where nothing is rewritten and nothing is paid. */
export function downgradeTo(level: number, world: () => ServerContext): Downgrade | undefined {
  if (level >= currentLevel) return undefined;
  const later = levelChanges.filter((change) => change.level > level);
  const past = (): DowngradeContext => ({world: world(), level});
  const fixed = Object.fromEntries(
    later.flatMap((change) => (change.kind === 'capability' ? [[change.name, change.before]] : [])),
  );
  const settings = Object.assign(
    {},
    ...later.map((change) => (change.kind === 'setting' ? change.before : {})),
  );
  // The same object until the settings change: most of what a server does asks for them.
  let shown: {instead: OrganizationSettings; settings: OrganizationSettings} | undefined;
  return {
    reportsIgnoredParams: level >= levels.ignoredParameters,
    unknownEventTypes: new Set(later.flatMap((change) => (change.kind === 'eventType' ? [change.type] : []))),
    capabilities: (given) => ({...given, ...fixed}),
    organization(current) {
      if (shown?.instead !== current) shown = {instead: current, settings: {...current, ...settings}};
      return shown.settings;
    },
    actor(id, actor) {
      const rise = later.find((change) => change.kind === 'rank' && change.endpoint === id);
      if (rise?.kind !== 'rank' || actor.role > rise.role) return actor;
      return {...actor, role: Math.min(actor.role, rise.now)};
    },
    response: (id, answer) =>
      answer instanceof JsonText
        ? answer
        : later.reduce((body, change) => olderAnswer(change, id, body, past()), answer),
    error: (error) =>
      later.reduce(
        (seen, change) =>
          change.kind === 'error' && change.error === seen.kind ? change.before(seen) : seen,
        error,
      ),
    request(id, params, actor) {
      for (const change of later)
        if (change.kind === 'request' && change.endpoint === id) change.before(params, {...past(), actor});
    },
    event: (type, body) =>
      later.reduce<readonly SentEvent[]>(
        (events, change) => events.flatMap((sent) => olderEvent(change, sent, past())),
        [{type, body}],
      ),
  };
}

function olderAnswer(change: LevelChange, id: string, answer: Json, past: DowngradeContext): Json {
  switch (change.kind) {
    case 'answer':
      return change.endpoint === id ? without(answer, change.without) : answer;
    case 'reshape':
      return change.endpoint === id ? change.before(answer, past) : answer;
    case 'fields':
      return mapObjects(answer, responseObjectLocations[id] ?? [], change.object, (value) =>
        without(value, change.names),
      );
    case 'object':
      return mapObjects(answer, responseObjectLocations[id] ?? [], change.object, (value) =>
        change.before(value, past),
      );
    default:
      return answer;
  }
}

function olderEvent(change: LevelChange, sent: SentEvent, past: DowngradeContext): readonly SentEvent[] {
  const places = eventObjectLocations[sent.type] ?? [];
  switch (change.kind) {
    case 'eventType':
      return change.type === sent.type ? [] : [sent];
    case 'event':
      return change.type === sent.type ? change.before(sent.body, past) : [sent];
    case 'fields':
      return [
        {
          ...sent,
          body: mapObjects(sent.body, places, change.object, (value) => without(value, change.names)),
        },
      ];
    case 'object':
      return [
        {...sent, body: mapObjects(sent.body, places, change.object, (value) => change.before(value, past))},
      ];
    default:
      return [sent];
  }
}
