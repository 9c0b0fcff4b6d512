import {describe, expect, test} from 'vitest';
import {decodeParam, type Endpoint, encodeParam} from '#wire/endpoint.ts';
import {type EndpointName, endpoints} from '#wire/endpoints.ts';
import {currentLevel} from '#wire/levels.ts';

const all = Object.entries(endpoints) as [EndpointName, Endpoint][];
const braces = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);

describe('the endpoint table', () => {
  test('has unique ids and routes', () => {
    const ids = all.map(([, spec]) => spec.id);
    const routes = all.map(([, spec]) => `${spec.method} ${spec.path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  });

  test('has no two routes of the same shape, apart from numeric and text segments', () => {
    const shapes = new Map<string, string[]>();
    for (const [, spec] of all) {
      const shape = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => (spec.params[name]?.digits ? '#' : '*'));
      const key = `${spec.method} ${shape}`;
      shapes.set(key, [...(shapes.get(key) ?? []), spec.id]);
    }
    expect([...shapes.values()].filter((ids) => ids.length > 1)).toEqual([]);
  });

  test.each(all)('%s is well-formed', (_, spec) => {
    const inPath = Object.keys(spec.params).filter((name) => spec.params[name]?.encoding === 'path');
    expect(inPath.toSorted()).toEqual(braces(spec.path).toSorted());
    expect(spec.path).toMatch(/^(\/(\w+|\{\w+\}))+$/);
    expect(spec.since).toBeGreaterThanOrEqual(0);
    expect(spec.since).toBeLessThanOrEqual(currentLevel);
    if (spec.upload) expect(['POST', 'PATCH']).toContain(spec.method);
    const names = Object.entries(spec.params).flatMap(([name, param]) => [name, ...param.aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const [name, param] of Object.entries(spec.params)) {
      expect(param.since).toBeLessThanOrEqual(currentLevel);
      if (param.encoding === 'path') expect(param.presence).toBe('required');
      if (param.rest) expect(spec.path.endsWith(`{${name}}`)).toBe(true);
      if (param.presence !== 'default') continue;
      const read = decodeParam(param, encodeParam(param, param.fallback));
      expect(read).toEqual({ok: true, value: param.fallback});
    }
  });

  test('has these operations of the API description', () => {
    const routes = new Set(all.map(([, spec]) => `${spec.method} ${spec.path}`));
    expect(
      [
        'POST /messages',
        'POST /users/me/subscriptions',
        'PATCH /users/{email}',
        'POST /users/me/presence',
        'PATCH /users/me/subscriptions/muted_topics',
        'GET /users/{email}',
        'PATCH /users/{user_id}',
        'POST /messages/flags/narrow',
        'PATCH /drafts/{draft_id}',
        'GET /messages/{message_id}/history',
        'PATCH /users/me/subscriptions/{stream_id}',
        'PATCH /realm/filters/{filter_id}',
        'DELETE /messages/{message_id}/reactions',
        'GET /users/me/{stream_id}/topics',
        'POST /navigation_views',
        'POST /realm/domains',
        'DELETE /messages/{message_id}',
        'DELETE /events',
        'POST /mark_all_as_read',
        'GET /realm/profile_fields',
        'POST /calls/{segment}/create',
        'GET /server_settings',
      ].filter((route) => !routes.has(route)),
    ).toEqual([]);
  });
});
