import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {QueueOptions} from '#server/event-queues/event-queues.ts';
import type {EncodedJson} from '#server/json-text.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {encodedUserLists, userLists} from '#server/snapshot/users.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** Changes of the rows that a user list is made from, of the user with this id. */
const changes: readonly ((act: ActionContext, id: number, variant: number) => void)[] = [
  ({db}, id, variant) => db.run('UPDATE user SET full_name = ? WHERE id = ?', `Zoë 漢 "${variant}"`, id),
  ({db}, id, variant) => db.run('UPDATE user SET is_active = ? WHERE id = ?', variant % 2, id),
  ({db}, id, variant) =>
    db.run('UPDATE user SET role = ? WHERE id = ?', [100, 200, 300, 400, 600][variant % 5] ?? 400, id),
  ({db}, id, variant) =>
    db.run(`UPDATE user SET avatar_source = 'U', avatar_file = ? WHERE id = ?`, `${variant}.png`, id),
  ({db}, id, variant) =>
    db.run(
      'UPDATE user SET settings = ? WHERE id = ?',
      JSON.stringify({email_address_visibility: 1 + (variant % 5)}),
      id,
    ),
  ({db}, _id, variant) =>
    db.run(
      `INSERT INTO user (delivery_email, email_key, full_name, name_key, joined_at)
       SELECT ?1 || MAX(id), ?1 || MAX(id), 'New', 'new', 5 FROM user`,
      `new${variant}`,
    ),
  // The second value is Markdown, whose HTML depends on other tables.
  ({db}, id, variant) =>
    db.run('REPLACE INTO profile_value VALUES (?, 1, ?)', id, variant % 2 ? `Town ${variant}` : 'See #**general**'),
  ({db}, id) => db.run('DELETE FROM profile_value WHERE user_id = ?', id),
  ({db}, _id, variant) => db.run('UPDATE profile_field SET type = ? WHERE id = 1', 1 + (variant % 3)),
  ({db, server}, _id, variant) => {
    if (variant % 2) db.run('DELETE FROM linkifier');
    else db.run(`INSERT OR IGNORE INTO linkifier (pattern, url_template, sort_order) VALUES ('Town', 'https://t/', 1)`);
    server.derivedFacts.invalidate(compiledLinkifiers);
  },
];

function textOf({pieces}: EncodedJson): string {
  return Buffer.concat(pieces).toString();
}

function userRow({server}: ReadContext, id: number): UserRow {
  const row = findUser(server.db, id);
  if (row === undefined) throw new Error(`no user ${id}`);
  return row;
}

/** Compares the kept lists with new ones. */
function compare({context}: TestServer, viewerIds: readonly number[]): void {
  const capabilities = {notification_settings_null: true};
  context.runAction((act) => {
    for (const viewer of viewerIds.map((id) => userRow(act, id))) {
      for (const clientGravatar of [true, false]) {
        const kept = encodedUserLists(act, viewer, clientGravatar);
        if (kept === undefined) throw new Error('no encoded lists');
        const fresh = userLists(act, viewer, {clientGravatar, capabilities} as QueueOptions);
        expect(textOf(kept.active)).toBe(JSON.stringify(fresh.active));
        expect(textOf(kept.inactive)).toBe(JSON.stringify(fresh.inactive));
      }
    }
  });
}

test('user list: after random changes, also undone ones, each viewer gets what a new list contains', async () => {
  const server = await testServer();
  const {people, context} = server;
  const viewers = [people.owner(), people.moderator(), people.member(), people.guest()].map(({id}) => id);
  context.db.run(`INSERT INTO profile_field (id, name, type, sort_order) VALUES (1, 'Town', 1, 1)`);
  people.channel('general', []);
  context.db.transaction(() => {
    for (let at = 0; at < 300; at++) people.add(`Person ${at}`, {role: at % 9 === 0 ? Role.guest : Role.member});
  });
  compare(server, viewers);
  const step = fc.noBias(fc.tuple(fc.nat(changes.length - 1), fc.nat(320), fc.nat(40), fc.nat(5)));
  const steps = fc.sample(step, {seed: 20_261_116, numRuns: 80});
  for (const [change, id, variant, outcome] of steps) {
    const run = () =>
      context.runAction((act) => {
        // Viewers keep their roles, so that each role is compared.
        changes[change]?.(act, viewers.includes(id) && change === 2 ? 1 : id, variant);
        if (outcome > 0) return;
        for (const viewer of viewers) encodedUserLists(act, userRow(act, viewer), true);
        throw new Error('undone');
      });
    if (outcome > 0) run();
    else expect(run).toThrow('undone');
    compare(server, viewers.slice(variant % 4, (variant % 4) + 1));
  }
  compare(server, viewers);
});

test('user list: an address that only its owner sees is not shown to others of their role', async () => {
  const server = await testServer();
  const guest = server.people.add('Gus', {role: Role.guest, settings: {email_address_visibility: 3}});
  compare(server, [guest.id, server.people.guest('Gwen').id, guest.id]);
});

test('user list: more than a thousand changes at once are all shown', async () => {
  const server = await testServer();
  const {people, context} = server;
  const viewer = people.owner().id;
  context.db.transaction(() => {
    for (let at = 0; at < 1100; at++) people.add(`Person ${at}`);
  });
  compare(server, [viewer]);
  context.runAction(({db}) => db.run(`UPDATE user SET full_name = full_name || '!'`));
  compare(server, [viewer]);
});

test('user list: users with an unchanged neighbourhood keep their bytes', async () => {
  const server = await testServer();
  const {people, context} = server;
  const owner = people.owner();
  context.db.transaction(() => {
    for (let at = 0; at < 600; at++) people.add(`Person ${at}`);
  });
  const pieces = () =>
    context.runAction((act) => encodedUserLists(act, userRow(act, owner.id), true)?.active.pieces ?? []);
  const kept = (change: string) => {
    const before = new Set(pieces());
    context.db.run(change);
    return pieces().filter((piece) => before.has(piece)).length;
  };
  // The first block and the brackets are always new pieces.
  expect(kept('UPDATE user SET timezone = timezone WHERE id = 1')).toBe(2);
  expect(kept('UPDATE user SET timezone = timezone WHERE id = 300')).toBe(1);
  context.db.run(`INSERT INTO profile_field (id, name, type, sort_order) VALUES (1, 'Town', 1, 1)`);
  // The HTML of Markdown depends on rows that nobody watches.
  context.db.run(`INSERT INTO profile_value VALUES (300, 1, 'See #**general**')`);
  expect(kept('UPDATE user SET timezone = timezone WHERE id = 1')).toBe(1);
});
