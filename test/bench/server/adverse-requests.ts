import type {Method} from '#test/bench/bench-server.ts';

type Params = Record<string, unknown>;

export interface AdverseRequest {
  readonly name: string;
  readonly as: 'you' | 'owner';
  readonly method: Method;
  readonly path: string;
  readonly params: Params;
}

/** What the requests are about: ids of a world. */
export interface Subjects {
  readonly everybodyChannel: number;
  readonly newestId: number;
  readonly someId: number;
  readonly userIds: readonly number[];
  readonly messageIds: readonly number[];
  /** A message of a topic with 100,000 messages, and a channel to which it can be moved. */
  readonly bigTopicMessage: number;
  readonly otherChannel: number;
}

const term = (operator: string, operand: unknown, negated = false) => ({operator, operand, negated});
const words = 'queue gateway deploy flaky review latency cache metrics branch window'.split(' ');
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({length: count}, (_, index) => make(index));
const page = {anchor: 'newest', num_before: 5000, num_after: 0, client_gravatar: true};

function narrowRequests({everybodyChannel, userIds}: Subjects): [string, Params][] {
  return [
    ['5,000 newest, HTML', {...page, apply_markdown: true}],
    ['5,000 newest, Markdown', {...page, apply_markdown: false}],
    [
      'oldest, negated channel',
      {...page, anchor: 'oldest', num_before: 0, num_after: 5000, narrow: [term('channel', everybodyChannel, true)]},
    ],
    [
      '100 negated searches',
      {...page, narrow: many(100, (index) => term('search', `${words[index % 10]} x${index}`, true))},
    ],
    ['search of 10 words', {...page, narrow: [term('search', words.join(' '))]}],
    ['search of 1,000 words', {...page, narrow: [term('search', many(1000, (index) => `w${index}`).join(' '))]}],
    ['search of a phrase', {...page, narrow: [term('search', '"the queue"')]}],
    ['search by a prefix', {...page, narrow: [term('search', 'a')]}],
    ['100 negated senders', {...page, narrow: userIds.slice(0, 100).map((id) => term('sender', id, true))}],
    ['a sender without messages', {...page, narrow: [term('sender', userIds.at(-1))]}],
    ['negated sender, has link', {...page, narrow: [term('sender', userIds[3], true), term('has', 'link')]}],
    ['has image', {...page, narrow: [term('has', 'image')]}],
    ['has reaction', {...page, narrow: [term('has', 'reaction')]}],
    ['is starred, is unread', {...page, narrow: [term('is', 'starred'), term('is', 'unread')]}],
    ['is unread', {...page, narrow: [term('is', 'unread')]}],
    ['is not unread', {...page, narrow: [term('is', 'unread', true)]}],
    ['is followed', {...page, narrow: [term('is', 'followed')]}],
    ['is resolved', {...page, narrow: [term('is', 'resolved')]}],
    ['is alerted', {...page, narrow: [term('is', 'alerted')]}],
    ['is mentioned', {...page, narrow: [term('is', 'mentioned')]}],
    ['dm including many', {...page, narrow: userIds.slice(0, 100).map((id) => term('dm-including', id))}],
    ['all public channels', {...page, narrow: [term('channels', 'public')]}],
    ['all public channels, search', {...page, narrow: [term('channels', 'public'), term('search', 'queue')]}],
    ['topic that does not exist', {...page, narrow: [term('topic', 'no such topic')]}],
    ['first unread', {...page, anchor: 'first_unread', num_after: 0, narrow: [term('has', 'attachment')]}],
  ];
}

/** The requests that change nothing, or only for one user. */
export function readingRequests(subjects: Subjects): AdverseRequest[] {
  const {everybodyChannel, someId, userIds, messageIds} = subjects;
  const get = (name: string, path: string, params: Params = {}): AdverseRequest => ({
    name,
    as: 'you',
    method: 'GET',
    path,
    params,
  });
  const post = (name: string, path: string, params: Params = {}): AdverseRequest => ({
    name,
    as: 'you',
    method: 'POST',
    path,
    params,
  });
  const everything = {client_capabilities: {user_list_incomplete: false, notification_settings_null: true}};
  return [
    ...narrowRequests(subjects).map(([name, params]) => get(`messages: ${name}`, '/messages', params)),
    get('messages: 1,500 ids', '/messages', {message_ids: messageIds.slice(0, 1500)}),
    get('matches_narrow: 1,500 ids', '/messages/matches_narrow', {
      msg_ids: messageIds.slice(0, 1500),
      narrow: [term('search', 'queue')],
    }),
    get('read receipts', `/messages/${someId}/read_receipts`),
    get('users', '/users', {include_custom_profile_fields: true, client_gravatar: false}),
    get('users: 3,000 ids', '/users', {user_ids: userIds.slice(0, 3000)}),
    get('presence of all', '/realm/presence'),
    get('channels', '/streams', {include_all: true}),
    get('subscriptions with subscribers', '/users/me/subscriptions', {include_subscribers: true}),
    get('subscribers of everybody', `/streams/${everybodyChannel}/members`),
    get('topics of everybody', `/users/me/${everybodyChannel}/topics`),
    get('groups', '/user_groups'),
    get('attachments', '/attachments'),
    post('register, everything', '/register', {...everything, include_subscribers: 'true'}),
    post('register, slim', '/register', {...everything, include_subscribers: 'false', slim_presence: true}),
    post('star 5,000', '/messages/flags', {op: 'add', flag: 'starred', messages: messageIds.slice(0, 5000)}),
    post('mark 5,000 unread', '/messages/flags', {op: 'remove', flag: 'read', messages: messageIds.slice(0, 5000)}),
    post('mark 200,000 unread', '/messages/flags', {op: 'remove', flag: 'read', messages: messageIds}),
    post('mark 200,000 read', '/messages/flags', {op: 'add', flag: 'read', messages: messageIds}),
    post('flags of a narrow', '/messages/flags/narrow', {
      op: 'remove',
      flag: 'read',
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      narrow: [],
    }),
    post('mark a channel read', '/mark_stream_as_read', {stream_id: everybodyChannel}),
    post('mark all read', '/mark_all_as_read'),
    ...Object.entries(texts).map(([name, content]) => post(`render: ${name}`, '/messages/render', {content})),
  ];
}

const texts = {
  asterisks: '*'.repeat(10_000),
  'nested quotes': `${'>'.repeat(5000)} x`,
  'nested lists': many(100, (index) => `${' '.repeat(2 * index)}* x`)
    .join('\n')
    .slice(0, 10_000),
  brackets: '['.repeat(10_000),
  'unclosed links': '[a]('.repeat(2500),
  backticks: many(140, (index) => '`'.repeat(index))
    .join(' ')
    .slice(0, 10_000),
  mentions: '@**x** '.repeat(1400),
  emoji: ':tada: '.repeat(1400),
  addresses: 'http://a.b/ '.repeat(830),
  math: '$$x^2$$ '.repeat(1250),
  'a table': `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${`|${'b|'.repeat(100)}\n`.repeat(40)}`,
  underscores: '_a'.repeat(5000),
  'unclosed code': '```\n'.repeat(2500),
  spoilers: '```spoiler x\n'.repeat(700),
};

/** The requests that change much; each needs what the ones before left. */
export function changingRequests({
  everybodyChannel,
  userIds,
  bigTopicMessage,
  otherChannel,
}: Subjects): AdverseRequest[] {
  const owner = (name: string, method: Method, path: string, params: Params): AdverseRequest => ({
    name,
    as: 'owner',
    method,
    path,
    params,
  });
  const principals = userIds.slice(0, 20_000);
  return [
    owner('subscribe 20,000 people', 'POST', '/users/me/subscriptions', {
      subscriptions: [{name: 'a new one'}],
      principals,
    }),
    owner('subscribe 50,000 people', 'POST', '/users/me/subscriptions', {
      subscriptions: [{name: 'another'}],
      principals: userIds,
    }),
    owner('20 channels, 1,000 people', 'POST', '/users/me/subscriptions', {
      subscriptions: many(20, (index) => ({name: `new ${index}`})),
      principals: userIds.slice(0, 1000),
    }),
    owner('1,000 channels', 'POST', '/users/me/subscriptions', {
      subscriptions: many(1000, (index) => ({name: `mine ${index}`})),
    }),
    owner('unsubscribe 20,000 people', 'DELETE', '/users/me/subscriptions', {subscriptions: ['a new one'], principals}),
    owner('a group of 20,000', 'POST', '/user_groups/create', {name: 'many', description: '', members: principals}),
    owner('mention everybody', 'POST', '/messages', {
      type: 'stream',
      to: everybodyChannel,
      topic: 'hello',
      content: '@**all** hello',
    }),
    owner('mention a group of 20,000', 'POST', '/messages', {
      type: 'stream',
      to: everybodyChannel,
      topic: 'hello',
      content: '@*many* hello',
    }),
    owner('rename a topic of 100,000', 'PATCH', `/messages/${bigTopicMessage}`, {
      topic: 'renamed',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    }),
    owner('move a topic of 100,000', 'PATCH', `/messages/${bigTopicMessage}`, {
      stream_id: otherChannel,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    }),
    owner('delete a topic of 100,000', 'POST', `/streams/${otherChannel}/delete_topic`, {topic_name: 'renamed'}),
    owner('archive a channel', 'DELETE', `/streams/${everybodyChannel}`, {}),
  ];
}
