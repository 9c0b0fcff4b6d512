import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {envelopeOnly, eventsOf, expectValid, type OperationsFixture, operationsFixture} from './operations-fixture.ts';

const plain = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}'};
const changed = {pattern: 'T(?P<nr>[0-9]+)', url_template: 'https://other.example/{nr}'};

async function createLinkifier(fixture: OperationsFixture, params: object = plain): Promise<number> {
  return (await fixture.as(fixture.admin).post('/realm/filters', {...params})).id;
}

const getLinkifiers = async (fixture: OperationsFixture) =>
  (await fixture.as(fixture.guest).get('/realm/linkifiers')).linkifiers;

describe('12. update a linkifier', () => {
  test('replaces pattern and template and returns no extra fields', async () => {
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    const reply = await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, changed);
    expect(expectValid(endpoints.updateLinkifier, reply)).toEqual(envelopeOnly);
    expect(await getLinkifiers(fixture)).toEqual([
      {id, ...changed, example_input: null, reverse_template: null, alternative_url_templates: []},
    ]);
  });

  test('sets and clears optional fields: empty text and null mean none', async () => {
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    const reverse = {
      example_input: 'T17',
      reverse_template: 'T{nr}',
      alternative_url_templates: ['https://old.example/{nr}'],
    };
    await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, {...changed, ...reverse});
    expect(await getLinkifiers(fixture)).toEqual([{id, ...changed, ...reverse}]);
    for (const none of ['', null, 'null']) {
      await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, {...changed, ...reverse});
      const reset = {example_input: none, reverse_template: none, alternative_url_templates: []};
      await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, {...changed, ...reset});
      expect(await getLinkifiers(fixture)).toMatchObject([
        {example_input: null, reverse_template: null, alternative_url_templates: []},
      ]);
    }
  });

  test('the reverse template must reproduce the example', async () => {
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    const path = `/realm/filters/${id}`;
    const refuse = async (params: object) =>
      fixture.as(fixture.admin).refused('PATCH', path, {...changed, ...params}, {code: 'BAD_REQUEST'});
    await refuse({example_input: 'T17', reverse_template: 'ticket {nr}'});
    await refuse({example_input: 'no ticket', reverse_template: 'T{nr}'});
    await refuse({reverse_template: 'T{nr}'});
    await refuse({example_input: 'T17', reverse_template: 'T{other}'});
    await refuse({example_input: 'T17', reverse_template: 'T{nr'});
    expect(await getLinkifiers(fixture)).toMatchObject([plain]);
    const braces = {pattern: '\\{(?P<nr>[0-9]+)\\}', url_template: changed.url_template};
    await fixture.as(fixture.admin).patch(path, {...braces, example_input: '{17}', reverse_template: '{{{nr}}}'});
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
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    const params = {...changed, ...change};
    await fixture.as(fixture.admin).refused('PATCH', `/realm/filters/${id}`, params, {code: 'BAD_REQUEST'});
    expect(await getLinkifiers(fixture)).toMatchObject([plain]);
  });

  test('pattern and template are required; the alternatives are a JSON list', async () => {
    const fixture = await operationsFixture();
    const path = `/realm/filters/${await createLinkifier(fixture)}`;
    for (const name of ['pattern', 'url_template']) {
      const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
      const body = await fixture.as(fixture.admin).refused('PATCH', path, {...changed, [name]: undefined}, refusal);
      expect(body.var_name).toBe(name);
    }
    const malformed = {...changed, alternative_url_templates: 'https://a.example/{nr}'};
    await fixture.as(fixture.admin).refused('PATCH', path, malformed, {code: 'BAD_REQUEST'});
  });

  test('another linkifier’s pattern is refused, its own is accepted', async () => {
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    await createLinkifier(fixture, changed);
    const same = {...changed, url_template: 'https://third.example/{nr}'};
    await fixture.as(fixture.admin).refused('PATCH', `/realm/filters/${id}`, same, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, {...plain, url_template: 'https://b.example/{id}'});
  });

  test('needs an administrator and an existing linkifier', async () => {
    const fixture = await operationsFixture();
    const path = `/realm/filters/${await createLinkifier(fixture)}`;
    for (const person of [fixture.moderator, fixture.meg, fixture.guest]) {
      const reply = await fixture.as(person).raw('PATCH', path, changed);
      expect([reply.status, reply.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    }
    await fixture.as(fixture.owner).patch(path, changed);
    await fixture.as(fixture.admin).refused('PATCH', '/realm/filters/9999', changed, {code: 'BAD_REQUEST'});
  });

  test('all clients get the whole new list', async () => {
    const fixture = await operationsFixture();
    const id = await createLinkifier(fixture);
    const listener = await fixture.as(fixture.guest).listen();
    const old = await fixture.as(fixture.guest).listen({client_capabilities: {notification_settings_null: false}});
    const reply = await fixture.as(fixture.admin).patch(`/realm/filters/${id}`, {...changed, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const [event, ...more] = await eventsOf(listener, 'realm_linkifiers');
    expect(event?.realm_linkifiers).toEqual(await getLinkifiers(fixture));
    expect(more).toEqual([]);
    expect(await eventsOf(old, 'realm_linkifiers')).toMatchObject([{realm_linkifiers: event?.realm_linkifiers}]);
  });
});
