import {expect, test} from 'vitest';
import {domainList} from '#app/organization/domains.ts';
import {organizationFixture} from './organization-fixture.ts';

test('domains: an owner adds one, changes it and removes it; another client sees it, undo restores it', async () => {
  const {fixture, app, press, type, goTo, rows, until, closed, toast} = await organizationFixture('owner');
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_domains']});
  domainList.open(app);
  press('Ctrl-A');
  type('Sea.Example');
  goTo('Subdomains');
  press('Space', 'Ctrl-D');
  await until(({domains}) => domains.length === 1);
  await closed();
  expect(rows()[2]).toBe(' sea.example  and its subdomains');
  expect(await queue.events()).toMatchObject([{op: 'add', realm_domain: {domain: 'sea.example'}}]);
  press('Down', 'Enter', 'Space', 'Ctrl-D');
  await until(({domains}) => domains[0]?.allow_subdomains === false);
  await toast('Excluded subdomains of sea.example');
  await closed();
  press('Delete', 'y');
  await until(({domains}) => domains.length === 0);
  await toast('Removed the domain sea.example');
  press('Esc', 'z');
  await until(({domains}) => domains[0]?.allow_subdomains === false);
  press('z');
  await until(({domains}) => domains[0]?.allow_subdomains === true);
});

test('domains: with the last one the restriction ends, and undo restores both', async () => {
  const {app, owner, press, says, until, toast} = await organizationFixture('owner');
  await owner.post('/realm/domains', {domain: 'sea.example', allow_subdomains: false});
  await owner.patch('/realm', {emails_restricted_to_domains: true});
  await until(({realm}) => realm.emailsRestrictedToDomains === true);
  domainList.open(app);
  press('Down', 'Delete');
  await says('the last one: addresses of all domains can join');
  press('y');
  await toast('Removed the domain');
  await until(({realm}) => realm.emailsRestrictedToDomains === false);
  press('Esc', 'z');
  await until(({realm, domains}) => realm.emailsRestrictedToDomains === true && domains.length === 1);
});

test('domains: the list says whether the switch that enforces them is on', async () => {
  const {app, owner, rows, until} = await organizationFixture('owner');
  await owner.post('/realm/domains', {domain: 'sea.example', allow_subdomains: false});
  await until(({domains}) => domains.length === 1);
  domainList.open(app);
  expect(rows()[1]).toMatch(/Not enforced: all domains can join +“Only allowed domains” is off/);
  await owner.patch('/realm', {emails_restricted_to_domains: true});
  await until(({realm}) => realm.emailsRestrictedToDomains === true);
  app.frames.paintNow();
  expect(rows()[1]).toMatch(/Only these can join/);
});

test('domains: a filter that matches none says so, and not that there are none', async () => {
  const {app, owner, rows, type, until} = await organizationFixture('owner');
  await owner.post('/realm/domains', {domain: 'sea.example', allow_subdomains: false});
  await until(({domains}) => domains.length === 1);
  domainList.open(app);
  type('land');
  expect(rows().join()).toContain('No matches');
  expect(rows().join()).not.toContain('No domains');
});

test.each([
  ['sea', 'Domain must have at least one dot (.)'],
  ['sea..example', "Consecutive '.' are not allowed."],
  ['-sea.example', "Subdomains cannot start or end with a '-'."],
  ['s_a.example', "Domain can only have letters, numbers, '.' and '-'s."],
  ['.sea.example', 'Domain cannot start or end with a dot (.)'],
  ['TAKEN.example', 'taken.example is already allowed'],
])('domains: “%s” is refused while typing: %s', async (domain, problem) => {
  const {app, owner, press, type, overlay, until} = await organizationFixture('owner');
  await owner.post('/realm/domains', {domain: 'taken.example', allow_subdomains: false});
  await until(({domains}) => domains.length === 1);
  domainList.open(app);
  press('Ctrl-A');
  type(domain);
  expect(overlay()).toContain(problem);
  press('Ctrl-D');
  expect(overlay()).toContain('Not saved');
});

test('domains: a domain that only the server knows is refused at its field', async () => {
  const {app, press, type, says, unseen} = await organizationFixture('owner');
  unseen(`INSERT INTO realm_domain (domain, allow_subdomains) VALUES ('sea.example', 0)`);
  domainList.open(app);
  press('Ctrl-A');
  type('sea.example');
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/Domain .*\n.*The domain sea.example is already a part of your/);
});

test.each([
  ['administrator', undefined, 'Only owners can change this'],
  ['moderator', undefined, 'Only owners can change this'],
  ['member', undefined, 'Only owners can change this'],
  ['guest', undefined, 'Only owners can change this'],
  ['administrator', 122, undefined],
  ['moderator', 122, 'Only administrators can change this'],
] as const)('domains: the reason for a %s on a server of level %s is “%s”', async (role, level, reason) => {
  const {app, press} = await organizationFixture(role, {...(level !== undefined && {server: {level}})});
  domainList.open(app);
  press('Ctrl-A');
  expect(app.screen.toast?.text).toBe(reason);
  expect(app.screen.overlays).toHaveLength(reason === undefined ? 2 : 1);
});
