import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {eventsOf, expectValid, operationsFixture, responseFields, withoutEventId} from './operations-fixture.ts';

const path = '/realm/domains';

describe('16. add an allowed domain', () => {
  test.each([true, false])('returns the id and the domain, allow_subdomains %s', async (allow_subdomains) => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.owner).post(path, {domain: 'example.org', allow_subdomains});
    expect(responseFields(expectValid(endpoints.addDomain, reply))).toEqual(['new_domain']);
    expect(reply.new_domain).toEqual([expect.any(Number), 'example.org']);
    const {domains} = await fixture.as(fixture.meg).get(path);
    expect(domains).toEqual([{domain: 'example.org', allow_subdomains}]);
  });

  test('each domain has a different id', async () => {
    const fixture = await operationsFixture();
    const add = async (domain: string) =>
      (await fixture.as(fixture.owner).post(path, {domain, allow_subdomains: false})).new_domain[0];
    expect(await add('a.example')).not.toBe(await add('b.example'));
  });

  test('is for owners only', async () => {
    const fixture = await operationsFixture();
    const params = {domain: 'example.org', allow_subdomains: false};
    for (const person of [fixture.admin, fixture.moderator, fixture.meg, fixture.guest, fixture.bot]) {
      const reply = await fixture.as(person).raw('POST', path, params);
      expect([reply.status, reply.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    }
    expect((await fixture.as(fixture.meg).get(path)).domains).toEqual([]);
  });

  test('an invalid domain is BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    const bad = [
      '',
      'localhost',
      '-a.example',
      'a..example',
      '.example',
      'a b.example',
      'a@b.example',
      'x'.repeat(300),
    ];
    for (const domain of bad) {
      const {status, body} = await fixture.as(fixture.owner).raw('POST', path, {domain, allow_subdomains: false});
      expect([status, body.code], domain).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('the same domain twice is BAD_REQUEST, in any case', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.owner).post(path, {domain: 'example.org', allow_subdomains: false});
    const again = {domain: 'Example.ORG', allow_subdomains: true};
    await fixture.as(fixture.owner).refused('POST', path, again, {code: 'BAD_REQUEST'});
  });

  test.each(['domain', 'allow_subdomains'])('%s is required', async (name) => {
    const fixture = await operationsFixture();
    const params = {domain: 'example.org', allow_subdomains: false, [name]: undefined};
    const body = await fixture.as(fixture.owner).refused('POST', path, params, {code: 'REQUEST_VARIABLE_MISSING'});
    expect(body.var_name).toBe(name);
  });

  test('allow_subdomains is a boolean', async () => {
    const fixture = await operationsFixture();
    const params = {domain: 'example.org', allow_subdomains: 'often'};
    await fixture.as(fixture.owner).refused('POST', path, params, {code: 'BAD_REQUEST'});
  });

  test('all users get the event', async () => {
    const fixture = await operationsFixture();
    const listener = await fixture.as(fixture.guest).listen();
    const params = {domain: 'example.org', allow_subdomains: true, wibble: '1'};
    const reply = await fixture.as(fixture.owner).post(path, params);
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    expect((await eventsOf(listener, 'realm_domains')).map(withoutEventId)).toEqual([
      {type: 'realm_domains', op: 'add', realm_domain: {domain: 'example.org', allow_subdomains: true}},
    ]);
  });
});
