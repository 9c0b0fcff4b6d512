import {describe, expect, test} from 'vitest';
import {applyRawEvents} from '#test/state/events/apply-raw-events.ts';
import * as eg from '#test/support/state-builders.ts';

const update = (property: string, value: unknown) => ({type: 'realm', op: 'update', property, value});
const updateDict = (data: object) => ({type: 'realm', op: 'update_dict', property: 'default', data});
const atLevel = (level: number) => eg.state({server: eg.server(level)});

describe('the organization', () => {
  test('changes one setting, or several', () => {
    const after = applyRawEvents(
      eg.state(),
      update('name', 'Renamed'),
      updateDict({
        allow_message_editing: false,
        can_create_groups: {direct_members: [], direct_subgroups: [3]},
      }),
    );
    expect(after.realm).toMatchObject({
      name: 'Renamed',
      allowMessageEditing: false,
      canCreateGroups: {direct_members: [], direct_subgroups: [3]},
    });
  });

  test('of an older server changes under its older names', () => {
    const after = applyRawEvents(
      atLevel(122),
      update('message_content_edit_limit_seconds', 0),
      update('mandatory_topics', true),
      updateDict({allow_edit_history: false, default_code_block_language: null}),
      update('create_public_stream_policy', 2),
    );
    expect(after.realm).toMatchObject({
      messageContentEditLimitSeconds: null,
      topicsPolicy: 'disable_empty_topic',
      messageEditHistoryVisibilityPolicy: 'none',
      defaultCodeBlockLanguage: '',
      createPublicStreamPolicy: 2,
    });
  });

  test('ignores unknown settings', () => {
    const state = eg.state();
    expect(applyRawEvents(state, update('sparkles', 1), updateDict({sparkles: 1, name: 7}))).toBe(state);
  });

  test('that is deactivated stays in the state', () => {
    const state = eg.state();
    expect(applyRawEvents(state, {type: 'realm', op: 'deactivated', realm_id: 1})).toBe(state);
  });
});

test('restart: the version changes; the level stays that of the registration', () => {
  const after = applyRawEvents(atLevel(500), {
    type: 'restart',
    zulip_version: '13.0',
    zulip_feature_level: 509,
    server_generation: 7,
  });
  expect(after.server).toMatchObject({version: '13.0', serverGeneration: 7, level: 500});
});

test('heartbeat: changes nothing', () => {
  const state = eg.state();
  expect(applyRawEvents(state, {type: 'heartbeat'}, {type: 'default_stream_groups', default_stream_groups: []})).toBe(
    state,
  );
});

test('custom emoji: change one by one, or as a whole table', () => {
  const emoji = {
    id: '2',
    name: 'tide',
    source_url: '/x.png',
    still_url: null,
    deactivated: false,
    author_id: 10,
  };
  const added = applyRawEvents(eg.state(), {type: 'realm_emoji', op: 'add', emoji});
  expect(added.emoji.get('2')).toMatchObject({name: 'tide', sourceUrl: '/x.png', deactivated: false});
  const removed = applyRawEvents(added, {
    type: 'realm_emoji',
    op: 'update_one',
    emoji_id: '2',
    data: {deactivated: true},
  });
  expect(removed.emoji.get('2')?.deactivated).toBe(true);
  expect(
    applyRawEvents(removed, {
      type: 'realm_emoji',
      op: 'update_one',
      emoji_id: '9',
      data: {deactivated: true},
    }),
  ).toBe(removed);
  const whole = applyRawEvents(removed, {
    type: 'realm_emoji',
    op: 'update',
    realm_emoji: {'3': {...emoji, id: '3'}},
  });
  expect([...whole.emoji.keys()]).toEqual(['3']);
});

test('linkifiers, playgrounds and profile fields: replaced', () => {
  const linkifier = {id: 1, pattern: 'x', url_template: 'https://x.example'};
  const field = {id: 1, name: 'Motto', order: 1, type: 1, hint: '', display_in_profile_summary: true};
  const playground = {id: 1, name: 'p', pygments_language: 'x', url_template: 'https://p.example/{code}'};
  const after = applyRawEvents(
    eg.state(),
    {type: 'realm_linkifiers', realm_linkifiers: [linkifier]},
    {type: 'custom_profile_fields', fields: [field]},
    {type: 'realm_playgrounds', realm_playgrounds: [playground]},
  );
  expect(after.linkifiers).toEqual([{id: 1, pattern: 'x', urlTemplate: 'https://x.example'}]);
  expect(after.profileFields).toMatchObject([{name: 'Motto', displayInProfileSummary: true}]);
  expect(after.playgrounds).toMatchObject([{pygmentsLanguage: 'x', urlTemplate: 'https://p.example/{code}'}]);
});

test('domains: added, changed and removed', () => {
  const domainEvent = (op: string, domain: string, allow_subdomains: boolean) => ({
    type: 'realm_domains',
    op,
    realm_domain: {domain, allow_subdomains},
  });
  const after = applyRawEvents(
    eg.state(),
    domainEvent('add', 'a.example', false),
    domainEvent('change', 'a.example', true),
  );
  expect(after.domains).toEqual([{domain: 'a.example', allow_subdomains: true}]);
  expect(applyRawEvents(after, domainEvent('change', 'b.example', true))).toBe(after);
  expect(applyRawEvents(after, {type: 'realm_domains', op: 'remove', domain: 'a.example'}).domains).toEqual([]);
});
