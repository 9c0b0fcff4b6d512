import fc from 'fast-check';
import {afterAll, expect, test} from 'vitest';
import {type TestServer, testServer} from '#test/support/server.ts';
import {fewOrAll} from '#test/support/tier.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** Values that are known to break servers, as text of a form field. */
const hostile = [
  '',
  ' ',
  '\0',
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '99999999999999999999',
  '2147483648',
  '9007199254740993',
  '9007199254740991',
  '150119987579016',
  'NaN',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"a":',
  '"',
  '[1,2',
  '[-1]',
  '[1.5]',
  '["x"]',
  '[[1,2],[3]]',
  '{"new":8}',
  '[{"operator":"search","operand":"\\" OR *"}]',
  '[{"operator":"id","operand":"x"}]',
  '[["is","starred"],["dm",[0]]]',
  '[{"id":1,"value":{}}]',
  '[{"type":"stream","to":[1,2],"topic":"x","content":"y"}]',
  '{"__proto__":{"a":1}}',
  '\u202e\u0000\ud800',
  '😀'.repeat(300),
  "'; DROP TABLE message; --",
  '../../../../etc/passwd',
  '%00',
  '<script>',
  '`'.repeat(500),
  '['.repeat(2000),
  '{"a":'.repeat(500),
  'a'.repeat(20_000),
  '#zzz',
  '(?P<a>',
  '((((((((((a+)+)+)+',
  '✔ ',
] as const;

/** Values that many endpoints accept, so that requests get beyond the checks of their parameters. */
const plausible = [
  '1',
  '3',
  'me',
  'general',
  '"general"',
  'first',
  'stream',
  'direct',
  'add',
  'remove',
  'start',
  'read',
  'starred',
  'tada',
  'newest',
  '4000000000',
  '[1]',
  '[1,2,3]',
  '["general"]',
  '[{"name":"general"}]',
  '[{"name":"another","description":"x"}]',
  '[{"operator":"channel","operand":"general"},{"operator":"search","operand":"hello","negated":true}]',
  '[{"operator":"id","operand":9007199254740991},{"operator":"sender","operand":1}]',
  '{"new":{"direct_members":[1],"direct_subgroups":[]}}',
  '[{"id":9007199254740991,"value":"x"}]',
  'owner@example.com',
  'hello @**all** :tada: ```quote\nx\n``` https://example.com/a.png',
] as const;

const value = fc.oneof(
  fc.constantFrom(...plausible),
  fc.constantFrom(...hostile),
  fc.string({maxLength: 40}),
  fc.json({maxDepth: 2}),
);

/** The requests to each endpoint: `FUZZ_RUNS=150` sends about 20,000 together. */
const runs = Number(process.env.FUZZ_RUNS ?? fewOrAll(2, 30));

const responsesByStatus = new Map<number, number>();

afterAll(() => {
  if (process.env.FUZZ_RUNS !== undefined) console.log(Object.fromEntries(responsesByStatus));
});

/** Endpoints that respond late or change credentials, and so would affect the next case. */
const leftOut = new Set([
  'queue.poll',
  'key.regenerate',
  'user.deactivate-own',
  'bot.regenerate-key',
  'realm.deactivate',
]);

async function setup(): Promise<{
  server: TestServer;
  actors: {name: string; email: string; apiKey: string}[];
}> {
  const server = await testServer({rateLimited: false});
  const owner = server.people.owner();
  const guest = server.people.guest();
  server.people.channel('general', [owner, guest]);
  await server.as(owner).post('/messages', {type: 'stream', to: 'general', topic: 'first', content: 'hello'});
  await server.as(owner).post('/messages', {type: 'direct', to: [guest.id], content: 'psst'});
  return {server, actors: [owner, guest].map((person) => ({name: person.fullName, ...person}))};
}

/** Returns the row counts of all tables, which a refused request must not change. */
function rowCounts({context}: TestServer): Record<string, number> {
  // Writes the deferred unread rows, which a timer would do in between.
  context.runAction(() => {});
  const tables = context.db.pluck<string>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' 
     AND name NOT LIKE 'message_fts%' AND name <> 'search_outdated'`,
  );
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`);
  return context.db.get<Record<string, number>>(`SELECT ${counts.join(', ')}`) ?? {};
}

function pathWith(endpoint: Endpoint, segments: readonly string[]): string {
  let index = 0;
  return endpoint.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(segments[index++ % segments.length] || 'x'));
}

const all = Object.values({...endpoints, ...otherEndpoints}).filter(
  ({id}) => !leftOut.has(id),
) as unknown as Endpoint[];

test.each(all.map((endpoint) => [endpoint.id, endpoint] as const))(
  'fuzz: %s survives malformed parameters: no 500, no hang, no row changed by a refusal',
  async (_id, endpoint) => {
    const {server, actors} = await setup();
    const names = Object.keys(endpoint.params);
    const segment = fc.constantFrom(
      '1',
      '2',
      '999999',
      '-1',
      '0',
      '1e5',
      'x',
      '%00',
      '..',
      'me',
      'a@b.c',
      '2147483648',
    );
    const request = fc.record({
      actor: fc.nat(actors.length - 1),
      segments: fc.array(segment, {minLength: 2, maxLength: 3}),
      values: fc.array(fc.option(value, {freq: 3}), {minLength: names.length, maxLength: names.length}),
    });
    let before = rowCounts(server);
    await fc.assert(
      fc.asyncProperty(request, async ({actor, segments, values}) => {
        const person = actors[actor];
        const form = new URLSearchParams();
        for (const [index, name] of names.entries()) {
          const text = values[index];
          if (text !== null && text !== undefined) form.set(name, text);
        }
        const query = endpoint.method === 'GET' ? `?${form}` : '';
        const response = await fetch(`${server.url}/api/v1${pathWith(endpoint, segments)}${query}`, {
          method: endpoint.method,
          headers: {authorization: `Basic ${btoa(`${person?.email}:${person?.apiKey}`)}`},
          ...(endpoint.method === 'GET' ? {} : {body: form}),
        });
        const text = await response.text();
        responsesByStatus.set(response.status, (responsesByStatus.get(response.status) ?? 0) + 1);
        expect(response.status, text).toBeLessThan(500);
        const after = rowCounts(server);
        if (response.status >= 400 && response.status !== 401) expect(after).toEqual(before);
        before = after;
      }),
      {numRuns: runs, seed: Number(process.env.SAFETY_SEED ?? 20_260_101)},
    );
  },
  5000 + runs * 500,
);

test('fuzz: malformed HTTP requests are refused', async () => {
  const {server, actors} = await setup();
  const authorization = `Basic ${btoa(`${actors[0]?.email}:${actors[0]?.apiKey}`)}`;
  const send = (body: string, type: string) =>
    fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: {authorization, 'content-type': type},
      body,
    });
  expect((await send('%%%=%ff&&&=', 'application/x-www-form-urlencoded')).status).toBe(400);
  expect((await send('{}', 'application/json')).status).toBe(400);
  expect((await send('garbage', 'multipart/form-data')).status).toBe(400);
  expect((await send('--x\r\ngarbage', 'multipart/form-data; boundary=x')).status).toBe(400);
  expect((await send(`content=${'a'.repeat(5_000_000)}`, 'application/x-www-form-urlencoded')).status).toBe(413);
  for (const header of ['Basic', 'Basic ???', 'Bearer x', `Basic ${btoa('nocolon')}`, `Basic ${btoa(':')}`]) {
    const response = await fetch(`${server.url}/api/v1/users/me`, {headers: {authorization: header}});
    expect([header, response.status]).toEqual([header, header === 'Bearer x' ? 400 : 401]);
  }
});
