import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {encodeRequest, toUrlFormat} from '#api/encode-request.ts';
import {anyText} from '#test/support/any-text.ts';
import {decodeParam} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {isApiFailure} from '#wire/failure.ts';
import {type Operator, operators, type WireNarrow} from '#wire/narrow.ts';

const list = (narrow: WireNarrow, level: number) =>
  JSON.parse(encodeRequest(endpoints.getMessages, {anchor: 'newest', narrow}, level).form.get('narrow') ?? 'null');

function failureOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (isApiFailure(error)) return error;
  }
  throw new Error('The call did not fail');
}

test('encode: parameters that an older server does not support are omitted', () => {
  const args = {anchor: 5, include_anchor: false, message_ids: [1], anchor_date: '2026-01-01'};
  const names = (level: number) => [...encodeRequest(endpoints.getMessages, args, level).form.keys()].sort();
  expect(names(509)).toEqual(['allow_empty_topic_name', 'anchor', 'anchor_date', 'include_anchor', 'message_ids']);
  expect(names(299)).toEqual(['anchor', 'include_anchor']);
  expect(names(122)).toEqual(['anchor']);
});

test('encode: the topics policy is JSON for a new channel and raw text for a changed one', () => {
  const {createChannel, subscribe, updateChannel} = endpoints;
  const topics_policy = 'empty_topic_only';
  const created = encodeRequest(createChannel, {name: 'tides', subscribers: [], topics_policy}, 509);
  const subscribed = encodeRequest(subscribe, {subscriptions: [{name: 'tides'}], topics_policy}, 509);
  const changed = encodeRequest(updateChannel, {stream_id: 1, topics_policy}, 509);
  const sent = [created, subscribed, changed].map(({form}) => form.get('topics_policy'));
  expect(sent).toEqual(['"empty_topic_only"', '"empty_topic_only"', 'empty_topic_only']);
});

test('encode: older parameter names are used below their level', () => {
  const linkifier = {pattern: 'x', url_template: 'https://x.example/100%/{id}'};
  expect(Object.fromEntries(encodeRequest(endpoints.addLinkifier, linkifier, 175).form)).toEqual({
    pattern: 'x',
    url_format_string: 'https://x.example/100%%/%(id)s',
  });
  expect(Object.fromEntries(encodeRequest(endpoints.addLinkifier, linkifier, 176).form)).toEqual(linkifier);
  const realm = {new_stream_announcements_stream_id: 3, signup_announcements_stream_id: 4};
  expect(encodeRequest(endpoints.updateRealm, realm, 240).form.toString()).toBe(
    'notifications_stream_id=3&signup_notifications_stream_id=4',
  );
  expect(encodeRequest(endpoints.getChannels, {include_all: true}, 355).form.toString()).toBe(
    'include_all_active=true',
  );
});

test.each([
  [122, 'private', 'stream'],
  [174, 'direct', 'stream'],
  [247, 'direct', 'stream'],
  [248, 'direct', 'channel'],
])('encode: at level %i message types are %s and %s', (level, direct, channel) => {
  const type = (messageType: 'direct' | 'channel') =>
    encodeRequest(endpoints.sendMessage, {type: messageType, to: 1, content: 'x'}, level).form.get('type');
  expect([type('direct'), type('channel')]).toEqual([direct, channel]);
});

test('encode: newer values are converted for older servers', () => {
  const settings = {web_home_view: 'recent', twenty_four_hour_time: null};
  expect(encodeRequest(endpoints.updateSettings, settings, 407).form.toString()).toBe(
    'twenty_four_hour_time=false&web_home_view=recent_topics',
  );
  expect(encodeRequest(endpoints.updateSettings, settings, 454).form.toString()).toBe(
    'twenty_four_hour_time=null&web_home_view=recent',
  );
  const partial = {include_subscribers: 'partial'} as const;
  expect(encodeRequest(endpoints.getSubscriptions, partial, 411).form.get('include_subscribers')).toBe('true');
  const topic = {type: 'channel', to: 1, topic: '', content: 'x'} as const;
  expect(encodeRequest(endpoints.sendMessage, topic, 333).form.get('topic')).toBe('(no topic)');
  expect(encodeRequest(endpoints.sendMessage, topic, 334).form.get('topic')).toBe('');
});

test('encode: an endpoint that the server does not support fails with both levels in the message', () => {
  const failure = failureOf(() => encodeRequest(endpoints.getReminders, {}, 398));
  expect(failure).toMatchObject({
    kind: 'permanent',
    code: 'SERVER_TOO_OLD',
    carriedOut: 'no',
    status: undefined,
  });
  expect(failure.message).toMatch(/Needs Zulip 11 \(feature level 399\)\. This server has level 398\./);
  expect(encodeRequest(endpoints.getReminders, {}, 399).path).toBe('/reminders');
});

test('encode: a change without any supported parameter fails', () => {
  const change = {stream_id: 1, is_archived: false};
  expect(failureOf(() => encodeRequest(endpoints.updateChannel, change, 387))).toMatchObject({
    code: 'SERVER_TOO_OLD',
  });
  expect(encodeRequest(endpoints.updateChannel, {...change, description: 'x'}, 387).form.toString()).toBe(
    'description=x',
  );
  expect(encodeRequest(endpoints.updateChannel, change, 388).form.toString()).toBe('is_archived=false');
});

describe('narrows', () => {
  const terms: WireNarrow = [
    {operator: 'channel', operand: 7, negated: true},
    {operator: 'dm', operand: [1, 2]},
    {operator: 'is', operand: 'dm'},
    {operator: 'id', operand: '3'},
    {operator: 'topic', operand: ''},
    ['is', 'starred'],
  ];

  test('use the operator names of the server', () => {
    expect(list(terms, 122)).toEqual([
      {operator: 'stream', operand: 7, negated: true},
      {operator: 'pm-with', operand: [1, 2]},
      {operator: 'is', operand: 'private'},
      {operator: 'id', operand: '3'},
      {operator: 'topic', operand: '(no topic)'},
      {operator: 'is', operand: 'starred'},
    ]);
    expect(list(terms, 509)).toEqual([...terms.slice(0, -1), {operator: 'is', operand: 'starred'}]);
  });

  test.each([
    ['is', 'followed', 265],
    ['is', 'muted', 366],
    ['has', 'reaction', 249],
    ['mentions', 5, 446],
    ['channels', 'archived', 489],
    ['with', 5, 271],
  ] as const)('%s:%s fails below its level', (operator, operand, since) => {
    expect(list([{operator, operand}], since)).toHaveLength(1);
    const failure = failureOf(() => list([{operator, operand}], since - 1));
    expect(failure).toMatchObject({code: 'SERVER_TOO_OLD'});
    expect(failure.message).toContain(`${operator}:${operand}`);
  });

  test('every operator is encoded or fails, at every level', () => {
    const operator = fc.constantFrom(...(Object.keys(operators) as Operator[]));
    fc.assert(
      fc.property(operator, fc.integer({min: 122, max: 520}), (name, level) => {
        try {
          const [encoded] = list([{operator: name, operand: 1}], level);
          const current = operators[name].since <= level;
          expect(current ? [name] : operators[name].aliases.concat('group-pm-with' as never)).toContain(
            encoded.operator,
          );
        } catch (error) {
          expect(error).toMatchObject({code: 'SERVER_TOO_OLD'});
          expect(operators[name].since).toBeGreaterThan(level);
        }
      }),
    );
  });
});

describe('paths', () => {
  test('are encoded', () => {
    const path = (email: string) => encodeRequest(endpoints.getUserByEmail, {email}, 509).path;
    expect(path('a+b@example.com')).toBe('/users/a%2Bb%40example.com');
    expect(path('a/../b?c#d')).toBe('/users/a%2F..%2Fb%3Fc%23d');
    expect(path('\ud800')).toBe('/users/%EF%BF%BD');
    const view = {fragment: 'narrow/is/starred', is_pinned: true};
    expect(encodeRequest(endpoints.editNavigationView, view, 509).path).toBe('/navigation_views/narrow/is/starred');
    const file = {realm_id: 2, filename: 'ab/cd/ü x.png'};
    expect(encodeRequest(endpoints.getTemporaryUrl, file, 509).path).toBe('/user_uploads/2/ab/cd/%C3%BC%20x.png');
  });

  test.each(['', '.', '..'])('%j would lead to another endpoint and fails', (emoji_name) => {
    expect(failureOf(() => encodeRequest(endpoints.removeEmoji, {emoji_name}, 509))).toMatchObject({
      carriedOut: 'no',
    });
    const file = {realm_id: 2, filename: `a/${emoji_name}/b`};
    expect(failureOf(() => encodeRequest(endpoints.getTemporaryUrl, file, 509))).toMatchObject({
      carriedOut: 'no',
    });
  });

  test.each([-1, 1.5, Number.NaN, 1e21])('%d is not an id', (message_id) => {
    expect(failureOf(() => encodeRequest(endpoints.deleteMessage, {message_id}, 509))).toMatchObject({
      kind: 'permanent',
    });
  });
});

test('encode: any text can be decoded unchanged', () => {
  fc.assert(
    fc.property(anyText(), (content) => {
      const {form} = encodeRequest(endpoints.sendMessage, {type: 'channel', to: 'x', content}, 509);
      const received = new URLSearchParams(form.toString());
      expect(received.get('content')).toBe(content.toWellFormed());
    }),
  );
});

test('encode: a channel name that looks like JSON is still a name', () => {
  const spec = endpoints.sendMessage.params.to;
  for (const to of ['2024', 'true', '[1]', '"quoted"', 'null', 'general', '{"a":1}']) {
    const {form} = encodeRequest(endpoints.sendMessage, {type: 'channel', to, content: 'x'}, 509);
    expect(decodeParam(spec, form.get('to') ?? '')).toEqual({ok: true, value: to});
  }
});

test('toUrlFormat: a template becomes the format of older servers', () => {
  expect(toUrlFormat('https://x.example/{id}')).toBe('https://x.example/%(id)s');
  expect(toUrlFormat('https://x.example/a%20b/{a}/{+b}?q=1')).toBe('https://x.example/a%%20b/%(a)s/%(b)s?q=1');
});
