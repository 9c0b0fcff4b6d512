import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
} from './operations-fixture.ts';

const plain = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}'};
const changed = {pattern: 'T(?P<nr>[0-9]+)', url_template: 'https://other.example/{nr}'};

async function made(at: OperationsFixture, params: object = plain): Promise<number> {
  return (await at.as(at.admin).post('/realm/filters', {...params})).id;
}

const read = async (at: OperationsFixture) => (await at.as(at.guest).get('/realm/linkifiers')).linkifiers;

describe('12. update a linkifier', () => {
  test('replaces pattern and template and returns no extra fields', async () => {
    const at = await operationsFixture();
    const id = await made(at);
    const reply = await at.as(at.admin).patch(`/realm/filters/${id}`, changed);
    expect(expectValid(endpoints.updateLinkifier, reply)).toEqual(envelopeOnly);
    expect(await read(at)).toEqual([
      {id, ...changed, example_input: null, reverse_template: null, alternative_url_templates: []},
    ]);
  });

  test('sets and clears optional fields: empty text and null mean none', async () => {
    const at = await operationsFixture();
    const id = await made(at);
    const reverse = {
      example_input: 'T17',
      reverse_template: 'T{nr}',
      alternative_url_templates: ['https://old.example/{nr}'],
    };
    await at.as(at.admin).patch(`/realm/filters/${id}`, {...changed, ...reverse});
    expect(await read(at)).toEqual([{id, ...changed, ...reverse}]);
    for (const none of ['', null, 'null']) {
      await at.as(at.admin).patch(`/realm/filters/${id}`, {...changed, ...reverse});
      const reset = {example_input: none, reverse_template: none, alternative_url_templates: []};
      await at.as(at.admin).patch(`/realm/filters/${id}`, {...changed, ...reset});
      expect(await read(at)).toMatchObject([
        {example_input: null, reverse_template: null, alternative_url_templates: []},
      ]);
    }
  });

  test('the reverse template must reproduce the example', async () => {
    const at = await operationsFixture();
    const id = await made(at);
    const path = `/realm/filters/${id}`;
    const refuse = async (params: object) =>
      at.as(at.admin).refused('PATCH', path, {...changed, ...params}, {code: 'BAD_REQUEST'});
    await refuse({example_input: 'T17', reverse_template: 'ticket {nr}'});
    await refuse({example_input: 'no ticket', reverse_template: 'T{nr}'});
    await refuse({reverse_template: 'T{nr}'});
    await refuse({example_input: 'T17', reverse_template: 'T{other}'});
    await refuse({example_input: 'T17', reverse_template: 'T{nr'});
    expect(await read(at)).toMatchObject([plain]);
    const braces = {pattern: '\\{(?P<nr>[0-9]+)\\}', url_template: changed.url_template};
    await at.as(at.admin).patch(path, {...braces, example_input: '{17}', reverse_template: '{{{nr}}}'});
  });

  test.each([
    ['a pattern that does not compile', {pattern: '(?P<nr>['}],
    ['a variable that the pattern has not', {url_template: 'https://other.example/{nr}/{more}'}],
    ['a group that the template has not', {pattern: 'T(?P<nr>[0-9]+)(?P<more>x)'}],
    ['a broken template', {url_template: 'https://other.example/{nr'}],
    ['an empty pattern', {pattern: ' '}],
    ['alternatives that are the template itself', {alternative_url_templates: [changed.url_template]}],
    ['alternatives twice', {alternative_url_templates: ['https://a.example/{nr}', 'https://a.example/{nr}']}],
  ])('%s is refused', async (_, change) => {
    const at = await operationsFixture();
    const id = await made(at);
    const params = {...changed, ...change};
    await at.as(at.admin).refused('PATCH', `/realm/filters/${id}`, params, {code: 'BAD_REQUEST'});
    expect(await read(at)).toMatchObject([plain]);
  });

  test('pattern and template are required; the alternatives are a JSON list', async () => {
    const at = await operationsFixture();
    const path = `/realm/filters/${await made(at)}`;
    for (const name of ['pattern', 'url_template']) {
      const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
      const body = await at.as(at.admin).refused('PATCH', path, {...changed, [name]: undefined}, refusal);
      expect(body.var_name).toBe(name);
    }
    const malformed = {...changed, alternative_url_templates: 'https://a.example/{nr}'};
    await at.as(at.admin).refused('PATCH', path, malformed, {code: 'INVALID_JSON'});
  });

  test('another linkifier’s pattern is refused, its own is accepted', async () => {
    const at = await operationsFixture();
    const id = await made(at);
    await made(at, changed);
    const same = {...changed, url_template: 'https://third.example/{nr}'};
    await at.as(at.admin).refused('PATCH', `/realm/filters/${id}`, same, {code: 'BAD_REQUEST'});
    await at.as(at.admin).patch(`/realm/filters/${id}`, {...plain, url_template: 'https://b.example/{id}'});
  });

  test('needs an administrator and an existing linkifier', async () => {
    const at = await operationsFixture();
    const path = `/realm/filters/${await made(at)}`;
    for (const person of [at.moderator, at.meg, at.guest]) {
      const reply = await at.as(person).raw('PATCH', path, changed);
      expect([reply.status, reply.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    }
    await at.as(at.owner).patch(path, changed);
    await at.as(at.admin).refused('PATCH', '/realm/filters/9999', changed, {code: 'BAD_REQUEST'});
  });

  test('clients that support URL templates get the whole new list', async () => {
    const at = await operationsFixture();
    const id = await made(at);
    const listener = await at.as(at.guest).listen();
    const old = await at.as(at.guest).listen({client_capabilities: {}});
    const reply = await at.as(at.admin).patch(`/realm/filters/${id}`, {...changed, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const [event, ...more] = await eventsOf(listener, 'realm_linkifiers');
    expect(event?.realm_linkifiers).toEqual(await read(at));
    expect(more).toEqual([]);
    expect(await old.events()).toEqual([]);
  });
});
