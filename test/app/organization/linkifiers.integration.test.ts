import {expect, test} from 'vitest';
import {linkifiers as linkifierKind, linkifierList} from '#app/organization/linkifier-form.ts';
import {organizationFixture} from './organization-fixture.ts';

const ticket = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}'};
const reverse = {example_input: '#7', reverse_template: '#{id}'};
const order = {pattern: 'O-(?P<nr>[0-9]+)', url_template: 'https://orders.example/{nr}'};
const part = {pattern: 'P(?P<p>[0-9]+)', url_template: 'https://parts.example/{p}'};

test('linkifiers: one is added with a live test, seen by another client, and removed by undo', async () => {
  const {fixture, app, press, type, fill, overlay, toast, until, closed} = await organizationFixture('administrator');
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_linkifiers']});
  linkifierList.open(app);
  expect(overlay()).toContain('No linkifiers: they turn texts such as #123 into links');
  press('Enter');
  type(ticket.pattern);
  fill('URL template', ticket.url_template);
  fill('Example text', '#12');
  expect(overlay()).toContain('→ https://tickets.example/12');
  fill('Auto-conversion', '#{id}');
  expect(overlay()).toContain('https://tickets.example/12 → #12');
  fill('Other URLs', 'https://old.example/?ticket={id}');
  fill('Try it', 'see #3 and #4');
  expect(overlay()).toMatch(/#3 → https:\/\/tickets.example\/3.*\n.*#4 → https:\/\/tickets.example\/4/);
  fill('Try it', 'https://old.example/?ticket=5');
  expect(overlay()).toContain('https://old.example/?ticket=5 → #5');
  fill('Try it', 'nothing');
  expect(overlay()).toContain('No link');
  press('Ctrl-D');
  await closed();
  await toast(/^Added the linkifier /);
  const {linkifiers} = await until((state) => state.linkifiers.length === 1);
  expect(linkifiers[0]).toMatchObject({
    pattern: ticket.pattern,
    exampleInput: '#12',
    reverseTemplate: '#{id}',
    alternativeUrlTemplates: ['https://old.example/?ticket={id}'],
  });
  expect(await queue.events()).toMatchObject([{realm_linkifiers: [{pattern: ticket.pattern}]}]);
  expect(overlay()).toMatch(/#\(\?P<id>\[0-9\]\+\) +https:\/\/tickets.example\/\{id\}/);
  press('Esc', 'z');
  await until((state) => state.linkifiers.length === 0);
});

test.each([
  ['a bad pattern', {Pattern: '(?P<id>['}, /Pattern .*\n.*Bad regular expression: /],
  ['a bad template', {'URL template': 'https://t.example/{id'}, /URL template .*\n.*Invalid URL template\./],
  [
    'a variable that the pattern lacks',
    {'URL template': 'https://t.example/{id}/{x}'},
    /URL template .*\n.*Group 'x' in URL template is not present in linkifier pattern\./,
  ],
  [
    'a group that the template lacks, at the changed field',
    {Pattern: '#(?P<id>[0-9]+)(?P<more>x?)'},
    /Pattern .*\n.*Group 'more' in linkifier pattern is not present in URL/,
  ],
  ['a pattern that exists', {Pattern: order.pattern}, /Pattern .*\n.*Another linkifier has this pattern/],
  ['an example that does not match', {'Example text': 'x'}, /Example text .*\n.*Example input does not match/],
  [
    'a conversion that does not give the example',
    {'Auto-conversion': 'T{id}'},
    /Auto-conversion .*\n.*Example text does not match auto-conversion field\./,
  ],
  ['a conversion without an example', {'Example text': ''}, /Example text .*\n.*Example text is required/],
  [
    'another URL without the group',
    {'Other URLs': 'https://old.example/'},
    /Other URLs .*\n.*Group 'id' in linkifier pattern is not present in alternative/,
  ],
  ['the URL again', {'Other URLs': ticket.url_template}, /Other URLs .*\n.*URL templates must differ/],
])('linkifiers: %s is refused while typing', async (_, change, problem) => {
  const {app, owner, press, fill, overlay, until} = await organizationFixture('administrator');
  const {id} = await owner.post('/realm/filters', {...ticket, ...reverse});
  await owner.post('/realm/filters', order);
  await until((state) => state.linkifiers.length === 2);
  linkifierKind.openForm(app, id);
  for (const [label, text] of Object.entries(change)) fill(label, text);
  expect(overlay()).toMatch(problem);
  press('Ctrl-D');
  expect(overlay()).toContain('Not saved');
});

test('linkifiers: what only the server knows is shown at its field', async () => {
  const {app, owner, press, fill, says, overlay, unseen, until} = await organizationFixture('administrator');
  const {id} = await owner.post('/realm/filters', ticket);
  await until((state) => state.linkifiers.length === 1);
  unseen(
    `INSERT INTO linkifier (pattern, url_template, sort_order) VALUES ('O-(?P<nr>[0-9]+)', 'https://o.example/{nr}', 9)`,
  );
  linkifierKind.openForm(app, undefined);
  fill('Pattern', order.pattern);
  fill('URL template', order.url_template);
  press('Ctrl-D');
  await says('Not saved');
  expect(overlay()).toMatch(/▌\* Pattern .*\n.*Realm filter with this Realm and Pattern already exists\./);
  press('Esc');
  linkifierKind.openForm(app, id);
  fill('URL template', 'https://other.example/{id}');
  unseen('DELETE FROM linkifier');
  press('Ctrl-D');
  await says('Linkifier not found.');
});

test('linkifiers: moves show at once, arrive in one order, and are undone', async () => {
  const {fixture, app, owner, press, rows, until, toast} = await organizationFixture('administrator');
  for (const one of [ticket, order, part]) await owner.post('/realm/filters', one);
  await until((state) => state.linkifiers.length === 3);
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_linkifiers']});
  linkifierList.open(app);
  press('Down', 'Alt-Down', 'Alt-Down');
  const shown = () => rows().map((row) => row.trim().split(' ')[0]?.replace('▌', ''));
  expect(shown().slice(1)).toEqual([order.pattern, part.pattern, ticket.pattern]);
  await toast('Changed the order of linkifiers');
  await until(({linkifiers}) => linkifiers.at(-1)?.pattern === ticket.pattern);
  expect(shown().slice(1)).toEqual([order.pattern, part.pattern, ticket.pattern]);
  const events = await queue.events();
  expect(events.at(-1)?.realm_linkifiers.map(({pattern}: {pattern: string}) => pattern)).toEqual([
    order.pattern,
    part.pattern,
    ticket.pattern,
  ]);
  press('Esc', 'z');
  await until(({linkifiers}) => linkifiers[0]?.pattern === ticket.pattern);
  await toast('Restored the order of linkifiers');
  press('Z');
  await until(({linkifiers}) => linkifiers.at(-1)?.pattern === ticket.pattern);
});

test('linkifiers: another client’s order replaces the own one', async () => {
  const {app, owner, press, rows, until, toast} = await organizationFixture('administrator');
  for (const one of [ticket, order]) await owner.post('/realm/filters', one);
  const {linkifiers} = await until((state) => state.linkifiers.length === 2);
  linkifierList.open(app);
  press('Down', 'Alt-Down');
  await toast('Changed the order of linkifiers');
  await until((state) => state.linkifiers[1]?.pattern === ticket.pattern);
  await owner.patch('/realm/linkifiers', {ordered_linkifier_ids: linkifiers.map(({id}) => id)});
  await until((state) => state.linkifiers[0]?.pattern === ticket.pattern);
  expect(rows()[1]).toContain(ticket.pattern);
});

test('linkifiers: a removed one returns to its place by undo', async () => {
  const {app, owner, press, until, says} = await organizationFixture('administrator');
  for (const one of [ticket, order, part]) await owner.post('/realm/filters', one);
  await until((state) => state.linkifiers.length === 3);
  linkifierList.open(app);
  press('Down', 'Down', 'Delete');
  await says(`Remove the linkifier ${order.pattern}?`);
  press('y');
  await until((state) => state.linkifiers.length === 2);
  await says(/Removed the linkifier /);
  press('Esc', 'z');
  await until(({linkifiers}) => linkifiers.length === 3 && linkifiers[1]?.pattern === order.pattern);
  await says(/Added the linkifier .* again · Z redo/);
  press('Z');
  await until(({linkifiers}) => linkifiers.length === 2);
  await says(/Removed the linkifier .* · z undo/);
  press('z');
  await until(({linkifiers}) => linkifiers.length === 3 && linkifiers[1]?.pattern === order.pattern);
});

test.each(['moderator', 'member', 'guest'] as const)('linkifiers: a %s can only look and try', async (role) => {
  const {app, owner, press, type, overlay, until, fill} = await organizationFixture(role);
  await owner.post('/realm/filters', ticket);
  await until((state) => state.linkifiers.length === 1);
  linkifierList.open(app);
  press('Ctrl-A');
  expect(app.screen.toast?.text).toBe('Only administrators can change this');
  press('Down', 'Delete', 'Alt-Down');
  expect(app.screen.overlays).toHaveLength(1);
  press('Enter');
  fill('Try it', '#9');
  expect(overlay()).toContain('→ https://tickets.example/9');
  press('Shift-Tab', 'Shift-Tab', 'Shift-Tab', 'Shift-Tab');
  type('x');
  expect(overlay()).toContain('Only administrators can change this');
});

test('linkifiers: on an older server, fields and moves that it lacks name the release', async () => {
  const {app, owner, press, goTo, overlay, until} = await organizationFixture('administrator', {server: {level: 185}});
  await owner.post('/realm/filters', ticket);
  await until((state) => state.linkifiers.length === 1);
  linkifierList.open(app);
  press('Down', 'Alt-Down');
  expect(app.screen.toast?.text).toMatch(/^Needs Zulip 8/);
  press('Enter');
  goTo('Auto-conversion');
  expect(overlay()).toContain('Needs Zulip 12');
});
