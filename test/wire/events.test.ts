import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {channelPatch, deletedChannelIds, subscriptionPatch} from '#wire/events/channels.ts';
import {deletedIds, isMove, isRenderingOnly} from '#wire/events/messages.ts';
import {realmPatch} from '#wire/events/organization.ts';
import {presencesOf} from '#wire/events/people.ts';
import {settingsPatch} from '#wire/events/personal.ts';
import {decodeEvent, eventSchemas, eventTypes} from '#wire/events.ts';
import {s} from '#wire/schema.ts';
import {exampleEvents} from './event-examples.ts';

const named = exampleEvents.map((event) => [`${event.type} ${event.op ?? ''}`, event] as const);

describe('decodeEvent', () => {
  test.each(named)('decodes %s', (_, event) => {
    expect(decodeEvent(event)).toEqual(event);
  });

  test('there is an example of every type and op', () => {
    const seen = new Set(exampleEvents.map((event) => `${event.type} ${event.op ?? ''}`));
    const missing = Object.entries(eventSchemas).flatMap(([type, schema]) => {
      if (!('kind' in schema)) return Object.keys(schema).map((op) => `${type} ${op}`);
      return [...seen].some((name) => name.startsWith(`${type} `)) ? [] : [type];
    });
    expect(missing.filter((name) => !seen.has(name))).toEqual([]);
  });

  test('preserves fields of a newer server', () => {
    expect(decodeEvent({id: 1, type: 'heartbeat', novelty: {a: 1}})).toMatchObject({novelty: {a: 1}});
  });

  test.each([
    ['type', {id: 4, type: 'telepathy'}],
    ['op', {id: 4, type: 'drafts', op: 'shred'}],
    ['missing op', {id: 4, type: 'drafts'}],
    ['name from the prototype', {id: 4, type: 'toString', op: 'constructor'}],
    ['op from the prototype', {id: 4, type: 'drafts', op: 'toString'}],
    ['token of the wrong type', {id: 4, type: 'has_zoom_token', value: 'yes'}],
  ])('an unknown %s gives an unknown event', (_, event) => {
    expect(decodeEvent(event)).toEqual({type: 'unknown', id: 4, original: event});
  });

  test('a malformed event of a known type gives an unknown event with a reason', () => {
    const event = {id: 4, type: 'drafts', op: 'remove', draft_id: 'one'};
    expect(decodeEvent(event)).toMatchObject({
      type: 'unknown',
      id: 4,
      reason: expect.stringMatching(/^draft_id: /),
    });
  });

  test('event types that the client does not use decode as unknown', () => {
    for (const type of ['device', 'realm_filters', 'web_reload_client'])
      expect(decodeEvent({id: 1, type}).type).toBe('unknown');
  });

  test('never throws', () => {
    const likely = fc.record(
      {id: fc.anything(), type: fc.constantFrom(...eventTypes, 'constructor'), op: fc.anything()},
      {requiredKeys: []},
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), likely), (raw) => {
        expect(typeof decodeEvent(raw).id).toBe('number');
      }),
    );
  });

  test.each(['zoom', 'webex', 'conference', 'some_day'])('has_%s_token becomes a video_token event', (provider) => {
    expect(decodeEvent({id: 2, type: `has_${provider}_token`, value: true})).toEqual({
      type: 'video_token',
      id: 2,
      provider,
      value: true,
    });
  });
});

test('the client requests every known event type except heartbeats', () => {
  expect(eventTypes).toContain('message');
  expect(eventTypes).toContain('has_conference_token');
  expect(eventTypes).not.toContain('heartbeat');
  expect(new Set(eventTypes).size).toBe(eventTypes.length);
  expect(s.safeParse(s.array(s.string()), eventTypes).success).toBe(true);
});

describe('event helpers', () => {
  const update = {id: 1, type: 'update_message', message_id: 1, message_ids: [1], flags: []} as const;
  const flags = {...update, message_ids: [1], flags: []};

  test('isRenderingOnly: on old servers an update without an editor is only a rendering', () => {
    expect(isRenderingOnly(flags)).toBe(true);
    expect(isRenderingOnly({...flags, user_id: 5})).toBe(false);
    expect(isRenderingOnly({...flags, user_id: 5, rendering_only: true})).toBe(true);
    expect(isMove({...flags, subject: 'x'})).toBe(true);
    expect(isMove(flags)).toBe(false);
  });

  test('deletedIds: ids are sorted, and a single id becomes a list', () => {
    expect(deletedIds({message_ids: [3, 20, 1]})).toEqual([1, 3, 20]);
    expect(deletedIds({message_id: 4})).toEqual([4]);
    expect(deletedChannelIds({streams: [{stream_id: 3}]})).toEqual([3]);
    expect(deletedChannelIds({stream_ids: [4]})).toEqual([4]);
  });

  test('presencesOf: legacy presence is converted to the current format', () => {
    const presence = {
      website: {status: 'idle', timestamp: 20},
      phone: {status: 'active', timestamp: 10},
    };
    expect(presencesOf({id: 1, type: 'presence', user_id: 7, presence})).toEqual({
      '7': {active_timestamp: 10, idle_timestamp: 20},
    });
  });

  test('update events become checked patches without unknown or invalid properties', () => {
    expect(subscriptionPatch({property: 'is_muted', value: true})).toEqual({is_muted: true});
    expect(subscriptionPatch({property: 'is_muted', value: 'yes'})).toBeUndefined();
    expect(subscriptionPatch({property: 'novelty', value: true})).toBeUndefined();
    expect(subscriptionPatch({property: 'toString', value: true})).toBeUndefined();
    expect(settingsPatch({property: 'color_scheme', value: 9})).toEqual({color_scheme: 9});
    const channelUpdate = {id: 1, type: 'stream', op: 'update', stream_id: 3} as const;
    expect(
      channelPatch({...channelUpdate, property: 'description', value: 'd', rendered_description: '<p>d</p>'}),
    ).toEqual({description: 'd', rendered_description: '<p>d</p>'});
    expect(channelPatch({...channelUpdate, property: 'novelty', value: 1})).toBeUndefined();
    const data = {name: 'Chat', can_manage_all_groups: 4, novelty: 1, description: 5};
    expect(realmPatch({id: 1, type: 'realm', op: 'update_dict', data})).toEqual({
      realm_name: 'Chat',
      realm_can_manage_all_groups: 4,
    });
    expect(realmPatch({id: 1, type: 'realm', op: 'update', property: 'name', value: 'C'})).toEqual({
      realm_name: 'C',
    });
  });
});
