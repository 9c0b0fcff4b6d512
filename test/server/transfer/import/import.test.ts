import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {countBy, everything, personalFacts} from '#test/server/transfer/personal-facts.ts';
import type {Reply} from '#test/support/api-client.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import {importedServer, orchardArchive} from './import-fixture.ts';

const expected = JSON.parse(readFileSync('test/fixtures/zulip-export/orchard-expected.json', 'utf8'));

test('import: what the API shows after the import of a real export equals what it showed on the Zulip server', async () => {
  const imported = await importedServer(orchardArchive);
  const {server, person} = imported;
  const owner = server.as(person('Hedda Vos'));
  const {members} = await owner.get('/users');
  expect(members).toHaveLength(expected.users);
  expect(members.filter((user: Reply) => user.is_bot)).toHaveLength(expected.bots);
  expect(members.filter((user: Reply) => !user.is_active)).toHaveLength(expected.deactivated);
  expect(countBy(members.map(({role}: Reply) => role))).toEqual(expected.roles);
  expect(await channelFacts(imported)).toEqual(expected.channels);
  const {
    realm_emoji,
    realm_linkifiers,
    realm_domains,
    channel_folders,
    custom_profile_fields,
    realm_user_groups,
    realm_name,
  } = await owner.post('/register', {client_capabilities: fullClientCapabilities});
  expect(realm_name).toBe('Kestrel Orchard');
  expect(Object.keys(realm_emoji)).toHaveLength(expected.emoji);
  expect(realm_linkifiers).toHaveLength(expected.linkifiers);
  expect(realm_domains).toHaveLength(expected.domains);
  expect(channel_folders).toHaveLength(expected.folders);
  expect(custom_profile_fields).toHaveLength(expected.profile_fields);
  const groups = realm_user_groups.map(({name, members: people, direct_subgroup_ids}: Reply) => [
    name,
    [people.length, direct_subgroup_ids.length],
  ]);
  expect(Object.fromEntries(groups)).toMatchObject({
    harvest: [1, 2],
    pickers: [2, 0],
    pressers: [2, 0],
    'old-crew': [1, 0],
  });
  const archived = new Set(server.context.db.pluck('SELECT id FROM channel WHERE is_archived = 1'));
  for (const name of Object.keys(expected.per_user)) {
    // Drafts are not part of an export.
    const facts = {...expected.per_user[name], drafts: 0};
    expect({[name]: await personalFacts(server.as(person(name)), archived)}).toEqual({[name]: facts});
  }
});

/** Counts what the people of each channel see: nobody reads all of them. */
async function channelFacts({server, person}: Awaited<ReturnType<typeof importedServer>>) {
  const owner = server.as(person('Hedda Vos'));
  const {streams} = await owner.get('/streams', {include_all: true, exclude_archived: false});
  const facts: Record<string, unknown> = {};
  for (const {name, stream_id, invite_only, is_archived} of streams) {
    const {subscribers} = await owner.get(`/streams/${stream_id}/members`);
    const {user} = await owner.get(`/users/${Math.min(...subscribers)}`);
    const reader = server.as(person(user.full_name));
    const narrow = [{operator: 'channel', operand: stream_id}];
    facts[name] = {
      private: invite_only,
      archived: is_archived,
      subscribers: subscribers.length,
      messages: (await reader.get('/messages', {...everything, narrow})).messages.length,
      topics: (await reader.get(`/users/me/${stream_id}/topics`)).topics.length,
    };
  }
  return facts;
}
