import type {ServerContext} from '#server/context.ts';
import {JsonText} from '#server/http/json-text.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import {currentLevel, levels} from '#wire/levels.ts';
import type {Downgrade, SentEvent} from './downgrade.ts';
import {type DowngradeContext, type LevelChange, without} from './level-change.ts';
import {levelChanges} from './level-changes.ts';
import {eventObjectLocations, mapObjects, responseObjectLocations} from './object-locations.ts';

/** Returns the rewrites that make this server body like one of `level`; undefined at the current level. */
export function downgradeTo(level: number, server: () => ServerContext): Downgrade | undefined {
  if (level >= currentLevel) return undefined;
  const changes = levelChanges.filter((change) => change.level > level);
  const context = (): DowngradeContext => ({server: server(), level});
  const fixedCapabilities = Object.fromEntries(
    changes.flatMap((change) => (change.kind === 'capability' ? [[change.name, change.before]] : [])),
  );
  const settings = Object.assign({}, ...changes.map((change) => (change.kind === 'setting' ? change.before : {})));
  const changesByEndpoint = new Map<string, readonly LevelChange[]>();
  const changesOf = (id: string) => {
    const found = changesByEndpoint.get(id) ?? changes.filter((change) => changesResponse(change, id));
    changesByEndpoint.set(id, found);
    return found;
  };
  // Cached until the settings change: most requests read them.
  let cachedSettings: {current: OrganizationSettings; older: OrganizationSettings} | undefined;
  return {
    reportsIgnoredParams: level >= levels.ignoredParameters,
    unknownEventTypes: new Set(changes.flatMap((change) => (change.kind === 'eventType' ? [change.type] : []))),
    capabilities: (sent) => ({...sent, ...fixedCapabilities}),
    organization(current) {
      if (cachedSettings?.current !== current) cachedSettings = {current, older: {...current, ...settings}};
      return cachedSettings.older;
    },
    actor(id, actor) {
      const roleChange = changes.find((change) => change.kind === 'role' && change.endpoint === id);
      if (roleChange?.kind !== 'role' || actor.role > roleChange.role) return actor;
      return {...actor, role: Math.min(actor.role, roleChange.now)};
    },
    response: (id, body) =>
      // Copied once: a snapshot has hundreds of fields, and most changes remove some of them.
      body instanceof JsonText
        ? body
        : changesOf(id).reduce((older, change) => olderResponse(change, id, older, context()), {...body}),
    error: (error) =>
      changes.reduce(
        (current, change) =>
          change.kind === 'error' && change.error === current.kind ? change.before(current) : current,
        error,
      ),
    request(id, params, actor) {
      for (const change of changes)
        if (change.kind === 'request' && change.endpoint === id) change.before(params, {...context(), actor});
    },
    event: (type, body) =>
      changes.reduce<readonly SentEvent[]>(
        (events, change) => events.flatMap((sent) => olderEvent(change, sent, context())),
        [{type, body}],
      ),
  };
}

function changesResponse(change: LevelChange, id: string): boolean {
  switch (change.kind) {
    case 'responseFields':
    case 'reshape':
      return change.endpoint === id;
    case 'fields':
    case 'object':
      return (responseObjectLocations[id] ?? []).some(([, object]) => object === change.object);
    default:
      return false;
  }
}

/** Returns the response before a change of this endpoint. It may change the fields of `body`, but not their values. */
function olderResponse(
  change: LevelChange,
  id: string,
  body: Record<string, unknown>,
  context: DowngradeContext,
): Record<string, unknown> {
  switch (change.kind) {
    case 'responseFields':
      for (const name of change.without) delete body[name];
      return body;
    case 'reshape':
      return change.before(body, context);
    case 'fields':
      return mapObjects(body, responseObjectLocations[id] ?? [], change.object, (value) =>
        without(value, change.names),
      );
    case 'object':
      return mapObjects(body, responseObjectLocations[id] ?? [], change.object, (value) =>
        change.before(value, context),
      );
    default:
      return body;
  }
}

function olderEvent(change: LevelChange, sent: SentEvent, context: DowngradeContext): readonly SentEvent[] {
  const locations = eventObjectLocations[sent.type] ?? [];
  switch (change.kind) {
    case 'eventType':
      return change.type === sent.type ? [] : [sent];
    case 'event':
      return change.type === sent.type ? change.before(sent.body, context) : [sent];
    case 'fields':
      return [
        {
          ...sent,
          body: mapObjects(sent.body, locations, change.object, (value) => without(value, change.names)),
        },
      ];
    case 'object':
      return [
        {
          ...sent,
          body: mapObjects(sent.body, locations, change.object, (value) => change.before(value, context)),
        },
      ];
    default:
      return [sent];
  }
}
