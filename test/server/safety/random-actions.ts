import fc from 'fast-check';
import type {RawReply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {isAllowed} from './permission-oracle.ts';
import {pick, pickParticipants} from './pick-participants.ts';
import type {SafetyFixture} from './safety-fixture.ts';
import type {OracleMessage} from './visibility-oracle.ts';

/** An action to try: the numbers choose among the users, channels and messages that exist at that moment. */
export interface RandomAction {
  readonly kind: RandomActionKind;
  readonly actor: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

interface ActionRun {
  readonly fixture: SafetyFixture;
  readonly actor: Person;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly channel: {readonly id: number; readonly name: string};
  readonly message: OracleMessage | undefined;
  readonly person: Person;
  act(method: string, path: string, params?: Record<string, unknown>): Promise<RawReply>;
}

type ActionRunner = (run: ActionRun) => Promise<unknown>;

const modes = ['change_one', 'change_later', 'change_all'];

function topicIn({fixture}: ActionRun, channel: number | null, choice: number): string {
  const topics = [...fixture.oracle.now.messages.values()]
    .filter((message) => message.channel === channel)
    .map((message) => message.topic);
  return choice % 2 === 0 || topics.length === 0 ? fixture.newToken('top') : (topics[choice % topics.length] ?? '');
}

function messageText({fixture, c, person}: ActionRun): string {
  const words = `lorem ${fixture.newToken('con')}`;
  const file = fixture.files[c % Math.max(1, fixture.files.length)];
  switch (c % 7) {
    case 0:
      return `${words} @**all**`;
    case 1:
      return `${words} @**${fixture.oracle.now.users.get(person.id)?.name}**`;
    case 2:
      return `${words} @**topic**`;
    case 3:
    case 4:
      return file === undefined ? words : `${words} [file](${file.url})`;
    default:
      return words;
  }
}

/** Performs an action on a message and checks that it fails if the actor may not read the message. */
async function onMessage(
  run: ActionRun,
  method: string,
  rest: string,
  params: Record<string, unknown> = {},
): Promise<RawReply | undefined> {
  const {fixture, actor, message} = run;
  if (message === undefined) return undefined;
  const reads = fixture.oracle.reads(fixture.oracle.now, actor.id, message.id);
  const reply = await run.act(method, `/messages/${message.id}${rest}`, params);
  const sentence = `${method} of unreadable message ${message.id} with ${JSON.stringify(params)} works`;
  fixture.inspector.expect(actor.id, reads || reply.status >= 400, sentence);
  return reply;
}

function groupId({fixture, b, c}: Pick<ActionRun, 'fixture' | 'b' | 'c'>): number {
  const groups = fixture.server.context.db.pluck('SELECT id FROM user_group WHERE is_system = 0');
  return groups[(b + c) % Math.max(1, groups.length)] ?? 0;
}

/** Returns the id of one of the actor's rows, in a quarter of the cases of any user's row. */
function rowIdOf({fixture, actor, a, b}: ActionRun, table: string): number {
  const owner = table === 'attachment' ? 'owner_id' : 'user_id';
  const where = b % 4 === 0 ? '' : ` WHERE ${owner} = ${actor.id}`;
  const ids = fixture.server.context.db.pluck(`SELECT id FROM ${table}${where}`);
  return ids[a % Math.max(1, ids.length)] ?? 0;
}

function anyRowId({fixture, b}: ActionRun, table: string): number {
  const ids = fixture.server.context.db.pluck(`SELECT id FROM ${table}`);
  return ids[b % Math.max(1, ids.length)] ?? 0;
}

const setChannel =
  (params: (run: ActionRun) => Record<string, unknown>): ActionRunner =>
  (run) =>
    run.act('PATCH', `/streams/${run.channel.id}`, params(run));

const randomActions = {
  send: (run) =>
    run.act('POST', '/messages', {
      type: 'stream',
      to: run.channel.id,
      topic: topicIn(run, run.channel.id, run.b),
      content: messageText(run),
    }),
  sendPoll: (run) =>
    run.act('POST', '/messages', {
      type: 'stream',
      to: run.channel.id,
      topic: topicIn(run, run.channel.id, run.b),
      content: `/poll ${run.fixture.newToken('con')}`,
    }),
  tell: (run) => {
    const {fixture, a, actor} = run;
    const to = fixture.people.filter((_, index) => (a >> index) & 1).slice(0, 3);
    const ids = (to.length === 0 ? [actor] : to).map(({id}) => id);
    return run.act('POST', '/messages', {type: 'direct', to: ids, content: messageText(run)});
  },
  edit: (run) => onMessage(run, 'PATCH', '', {content: messageText(run)}),
  retitle: (run) =>
    onMessage(run, 'PATCH', '', {
      topic: topicIn(run, run.message?.channel ?? 0, run.b),
      propagate_mode: modes[run.c % 3],
      send_notification_to_old_thread: run.c % 2 === 0,
      send_notification_to_new_thread: run.c % 5 === 0,
    }),
  resolve: (run) => onMessage(run, 'PATCH', '', {topic: `✔ ${run.message?.topic}`, propagate_mode: 'change_all'}),
  move: (run) =>
    onMessage(run, 'PATCH', '', {
      stream_id: run.channel.id,
      ...(run.b % 2 === 0 ? {} : {topic: topicIn(run, run.channel.id, run.b >> 1)}),
      propagate_mode: modes[run.c % 3],
      send_notification_to_old_thread: run.c % 4 === 0,
      send_notification_to_new_thread: run.c % 5 === 0,
    }),
  delete: (run) => onMessage(run, 'DELETE', ''),
  deleteTopic: (run) =>
    run.act('POST', `/streams/${run.channel.id}/delete_topic`, {
      topic_name: topicIn(run, run.channel.id, run.b | 1),
    }),
  react: (run) => onMessage(run, 'POST', '/reactions', {emoji_name: 'tada'}),
  unreact: (run) => onMessage(run, 'DELETE', '/reactions', {emoji_name: 'tada'}),
  submessage: (run) => {
    const {message, fixture} = run;
    if (message === undefined) return Promise.resolve();
    const content = JSON.stringify({type: 'new_option', idx: run.c % 50, option: fixture.newToken('con')});
    return run.act('POST', '/submessage', {message_id: message.id, msg_type: 'widget', content});
  },
  typeInChannel: (run) => {
    const {fixture, channel} = run;
    const topic = fixture.newToken('top');
    const readers = fixture.people.filter(({id}) => fixture.oracle.readsChannel(fixture.oracle.now, id, channel.id));
    for (const reader of readers) fixture.remember(reader, topic);
    return run.act('POST', '/typing', {type: 'stream', op: 'start', stream_id: channel.id, topic});
  },
  typeDirectly: (run) => run.act('POST', '/typing', {type: 'direct', op: 'start', to: [run.person.id]}),
  typeEdit: (run) => onMessage(run, 'POST', '/typing', {op: 'start'}),
  join: (run) => run.act('POST', '/users/me/subscriptions', {subscriptions: [{name: run.channel.name}]}),
  add: (run) =>
    run.act('POST', '/users/me/subscriptions', {
      subscriptions: [{name: run.channel.name}],
      principals: [run.person.id],
      authorization_errors_fatal: run.c % 2 === 0,
    }),
  leave: (run) => run.act('DELETE', '/users/me/subscriptions', {subscriptions: [run.channel.name]}),
  remove: (run) =>
    run.act('DELETE', '/users/me/subscriptions', {
      subscriptions: [run.channel.name],
      principals: [run.person.id],
    }),
  create: (run) => {
    const {fixture, a, b, c} = run;
    const subscribers = fixture.people.filter((_, index) => (a >> index) & 1).map(({id}) => id);
    return run.act('POST', '/channels/create', {
      name: fixture.newToken('cha'),
      description: fixture.newToken('cha'),
      subscribers,
      invite_only: b % 2 === 0,
      history_public_to_subscribers: b % 2 !== 0 || c % 2 === 0,
      announce: c % 3 === 0,
    });
  },
  makePrivate: setChannel(({c}) => ({is_private: true, history_public_to_subscribers: c % 2 === 0})),
  makePublic: setChannel(() => ({is_private: false})),
  makeWebPublic: setChannel(({c}) => ({is_web_public: c % 2 === 0, is_private: false})),
  shareHistory: setChannel(({c}) => ({history_public_to_subscribers: c % 2 === 0})),
  archive: (run) => run.act('DELETE', `/streams/${run.channel.id}`),
  unarchive: setChannel(() => ({is_archived: false})),
  rename: setChannel(({fixture}) => ({new_name: fixture.newToken('cha')})),
  describe: setChannel(({fixture}) => ({description: fixture.newToken('cha')})),
  grant: setChannel((run) => {
    const names = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'];
    const made = groupId(run);
    const value =
      run.c % 2 === 0 || made === 0
        ? {direct_members: run.c % 5 === 0 ? [] : [run.person.id], direct_subgroups: []}
        : made;
    return {[names[run.c % 3] ?? '']: {new: value}};
  }),
  follow: (run) =>
    run.message?.channel == null
      ? Promise.resolve()
      : run.act('POST', '/user_topics', {
          stream_id: run.message.channel,
          topic: knownTopic(run, run.message),
          visibility_policy: run.b % 4,
        }),
  muteChannel: (run) =>
    run.act('PATCH', `/users/me/subscriptions/${run.channel.id}`, {
      property: 'is_muted',
      value: run.c % 2 === 0,
    }),
  flag: (run) =>
    run.act('POST', '/messages/flags', {
      messages: [...run.fixture.oracle.now.messages.keys()].filter((id) => (run.a >> (id % 10)) & 1),
      op: run.b % 2 === 0 ? 'add' : 'remove',
      flag: ['starred', 'read', 'collapsed'][run.c % 3],
    }),
  readAll: (run) => run.act('POST', '/mark_all_as_read'),
  flagNarrow: (run) =>
    run.act('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: [{operator: 'channel', operand: run.channel.id}],
      op: run.b % 2 === 0 ? 'add' : 'remove',
      flag: ['starred', 'read'][run.c % 2],
    }),
  hideEmail: (run) => run.act('PATCH', '/settings', {email_address_visibility: 1 + (run.a % 5)}),
  renameSelf: (run) => run.act('PATCH', '/settings', {full_name: `Person ${run.fixture.newToken('nam')}`}),
  renameOther: (run) =>
    run.act('PATCH', `/users/${run.person.id}`, {full_name: `Person ${run.fixture.newToken('nam')}`}),
  promote: (run) => run.act('PATCH', `/users/${run.person.id}`, {role: [200, 300, 400, 600][run.c % 4]}),
  deactivate: (run) => run.act('DELETE', `/users/${run.person.id}`),
  reactivate: (run) => run.act('POST', `/users/${run.person.id}/reactivate`),
  muteUser: (run) => run.act('POST', `/users/me/muted_users/${run.person.id}`),
  makeGroup: (run) =>
    run.act('POST', '/user_groups/create', {
      name: run.fixture.newToken('con').replaceAll('x', 'g'),
      description: '',
      members: [run.person.id],
    }),
  fillGroup: (run) =>
    run.act('POST', `/user_groups/${groupId(run)}/members`, {
      [run.c % 2 === 0 ? 'add' : 'delete']: [run.person.id],
    }),
  nestGroup: (run) =>
    run.act('POST', `/user_groups/${groupId(run)}/subgroups`, {
      [run.c % 3 === 0 ? 'delete' : 'add']: [anyRowId(run, 'user_group')],
    }),
  endGroup: (run) => run.act('POST', `/user_groups/${groupId(run)}/deactivate`),
  draft: (run) => {
    const content = run.fixture.newToken('pri');
    run.fixture.remember(run.actor, content);
    const draft = {type: 'private', to: [run.person.id], topic: '', content};
    return run.c % 2 === 0
      ? run.act('POST', '/drafts', {drafts: [draft]})
      : run.act('PATCH', `/drafts/${rowIdOf(run, 'draft')}`, {draft});
  },
  dropDraft: (run) => run.act('DELETE', `/drafts/${rowIdOf(run, 'draft')}`),
  schedule: (run) => {
    const {fixture, actor, clock} = {...run, clock: run.fixture.clock};
    const content = `lorem ${fixture.newToken('con')}`;
    const topic = topicIn(run, run.channel.id, 0);
    fixture.remember(actor, `${content} ${topic}`);
    const when = {content, scheduled_delivery_timestamp: clock.seconds() + 200};
    return run.c % 2 === 0
      ? run.act('POST', '/scheduled_messages', {type: 'stream', to: run.channel.id, topic, ...when})
      : run.act('POST', '/scheduled_messages', {type: 'direct', to: [run.person.id], ...when});
  },
  reschedule: (run) => {
    const content = run.fixture.newToken('con');
    run.fixture.remember(run.actor, content);
    const id = rowIdOf(run, 'scheduled_message');
    return run.act('PATCH', `/scheduled_messages/${id}`, {content});
  },
  unschedule: (run) => run.act('DELETE', `/scheduled_messages/${rowIdOf(run, 'scheduled_message')}`),
  remind: async (run) => {
    const {message, fixture, actor} = run;
    if (message === undefined) return;
    const note = fixture.newToken('pri');
    fixture.remember(actor, note);
    if (fixture.oracle.reads(fixture.oracle.now, actor.id, message.id)) fixture.remember(actor, message.content);
    const scheduled_delivery_timestamp = fixture.clock.seconds() + 200;
    const params = {message_id: message.id, scheduled_delivery_timestamp, note};
    const reads = fixture.oracle.reads(fixture.oracle.now, actor.id, message.id);
    const {status} = await run.act('POST', '/reminders', params);
    fixture.inspector.expect(actor.id, reads || status >= 400, `is reminded of unreadable ${message.id}`);
  },
  upload: async ({fixture, actor}) => {
    const {body} = await fixture.client(actor).upload('/user_uploads', 'file.txt', Buffer.from('bytes'));
    if (body.url !== undefined) fixture.files.push({owner: actor.id, url: body.url});
    await fixture.deliverEvents();
  },
  dropFile: async (run) => {
    const id = rowIdOf(run, 'attachment');
    const sql = 'SELECT path_id FROM attachment WHERE id = ?';
    const [path] = run.fixture.server.context.db.pluck<string>(sql, id);
    const {status} = await run.act('DELETE', `/attachments/${id}`);
    const index = run.fixture.files.findIndex(({url}) => url.endsWith(String(path)));
    if (status === 200 && index >= 0) run.fixture.files.splice(index, 1);
  },
  status: (run) => run.act('POST', '/users/me/status', {status_text: `busy ${run.a}`}),
  beOnline: (run) => run.act('POST', '/users/me/presence', {status: 'active', ping_only: false, last_update_id: -1}),
  respell: (run) => {
    const topic = run.message?.topic ?? '';
    const respelled = topic === topic.toUpperCase() ? topic.toLowerCase() : topic.toUpperCase();
    return onMessage(run, 'PATCH', '', {topic: respelled, propagate_mode: modes[run.c % 3]});
  },
  makeFolder: ({act, a}) => act('POST', '/channel_folders/create', {name: `Folder ${a}`, description: ''}),
  changeFolder: (run) => {
    const id = anyRowId(run, 'channel_folder');
    return run.act('PATCH', `/channel_folders/${id}`, run.c % 3 === 0 ? {is_archived: true} : {name: `Box ${run.c}`});
  },
  placeInFolder: setChannel((run) => ({folder_id: run.c % 3 === 0 ? null : anyRowId(run, 'channel_folder')})),
  navigate: ({act, b, c}) => {
    const fragment = `narrow/is/${['starred', 'unread', 'dm'][b % 3]}`;
    if (c % 3 === 0) return act('DELETE', `/navigation_views/${encodeURIComponent(fragment)}`);
    if (c % 3 === 1) return act('PATCH', `/navigation_views/${encodeURIComponent(fragment)}`, {is_pinned: b % 2 === 0});
    return act('POST', '/navigation_views', {fragment, is_pinned: true, name: `View ${c}`});
  },
  snippet: (run) => {
    const text = run.fixture.newToken('pri');
    run.fixture.remember(run.actor, text);
    return run.c % 3 === 0
      ? run.act('DELETE', `/saved_snippets/${rowIdOf(run, 'saved_snippet')}`)
      : run.act('POST', '/saved_snippets', {title: text, content: text});
  },
  alertWord: ({act, a, c}) =>
    act(c % 3 === 0 ? 'DELETE' : 'POST', '/users/me/alert_words', {alert_words: [['lorem', 'ipsum', 'dolor'][a % 3]]}),
  changeSetting: ({act, a, c}) =>
    act(
      'PATCH',
      '/settings',
      [
        {twenty_four_hour_time: a % 2 === 0},
        {enable_drafts_synchronization: a % 2 === 0},
        {send_read_receipts: a % 2 === 0},
        {timezone: a % 2 === 0 ? 'Europe/Berlin' : 'Asia/Tokyo'},
      ][c % 4],
    ),
  changeOrganization: ({act, a, c}) =>
    act(
      'PATCH',
      '/realm',
      [
        {name: `Organization ${a}`},
        {allow_message_editing: a % 4 !== 0},
        {message_content_edit_limit_seconds: 600 + a},
        {enable_guest_user_indicator: a % 2 === 0},
      ][c % 4],
    ),
  makeProfileField: ({act, a, b}) =>
    act('POST', '/realm/profile_fields', {name: `Field ${a}`, hint: `hint ${b}`, field_type: 1}),
  dropProfileField: (run) => run.act('DELETE', `/realm/profile_fields/${anyRowId(run, 'profile_field')}`),
  fillProfile: (run) => {
    const data = [{id: anyRowId(run, 'profile_field'), value: `value ${run.c}`}];
    return run.act('PATCH', '/users/me/profile_data', {data});
  },
  linkify: ({act, a}) =>
    act('POST', '/realm/filters', {pattern: `L${a}-(?P<id>[0-9]+)`, url_template: 'https://x/{id}'}),
  defaultChannel: (run) =>
    run.act(run.c % 2 === 0 ? 'POST' : 'DELETE', '/default_streams', {stream_id: run.channel.id}),
  groupDefaultChannels: (run) =>
    run.c % 3 === 0
      ? run.act('DELETE', `/default_stream_groups/${anyRowId(run, 'default_channel_group')}`)
      : run.act('POST', '/default_stream_groups/create', {
          group_name: `Group ${run.a}`,
          description: '',
          stream_names: [run.channel.name],
        }),
  addPlayground: (run) =>
    run.c % 3 === 0
      ? run.act('DELETE', `/realm/playgrounds/${anyRowId(run, 'playground')}`)
      : run.act('POST', '/realm/playgrounds', {
          name: `Playground ${run.a}`,
          pygments_language: 'Python',
          url_template: 'https://x/{code}',
        }),
  registerDevice: (run) =>
    run.c % 3 === 0
      ? run.act('POST', '/remove_client_device', {device_id: anyRowId(run, 'client_device')})
      : run.act('POST', '/register_client_device'),
  seeStep: ({act}) => act('POST', '/users/me/onboarding_steps', {onboarding_step: 'intro_resolve_topic'}),
  changeSettingDefaults: ({act, a}) => act('PATCH', '/realm/user_settings_defaults', {enter_sends: a % 2 === 0}),
  unmuteUser: (run) => run.act('DELETE', `/users/me/muted_users/${run.person.id}`),
  limitUsers: (run) => {
    const wanted = run.c % 3 === 0 ? 'role:everyone' : 'role:members';
    const [id] = run.fixture.server.context.db.pluck('SELECT id FROM user_group WHERE name = ?', wanted);
    return run.act('PATCH', '/realm', {can_access_all_users_group: {new: id}});
  },
  wait: async ({fixture}) => {
    fixture.clock.advance(250_000);
    await fixture.deliverEvents();
  },
} satisfies Record<string, ActionRunner>;

export type RandomActionKind = keyof typeof randomActions;

const frequentKinds: readonly RandomActionKind[] = [
  ...(['send', 'send', 'send', 'tell', 'move', 'move', 'retitle', 'join', 'add', 'leave', 'remove'] as const),
  ...(['makePrivate', 'makePublic', 'grant', 'promote', 'hideEmail'] as const),
];
const number = fc.nat(1023);

export const randomAction: fc.Arbitrary<RandomAction> = fc.record({
  kind: fc.constantFrom(...(Object.keys(randomActions) as RandomActionKind[]), ...frequentKinds),
  actor: number,
  a: number,
  b: number,
  c: number,
});

/** Returns a topic that the actor may know: the message's if they can read it, else a new one. */
function knownTopic({fixture, actor}: ActionRun, message: OracleMessage): string {
  if (fixture.oracle.reads(fixture.oracle.now, actor.id, message.id)) return message.topic;
  const topic = fixture.newToken('top');
  fixture.remember(actor, topic);
  return topic;
}

export async function performRandomAction(fixture: SafetyFixture, action: RandomAction): Promise<void> {
  const {a, b, c} = action;
  const {actor, channel, message} = pickParticipants(fixture, action);
  const person = pick(fixture.people, a);
  const allowed = isAllowed(fixture.oracle, action.kind, {actor, channel, message, person});
  await randomActions[action.kind]({
    fixture,
    actor,
    a,
    b,
    c,
    channel,
    message,
    person,
    act: async (method, path, params) => {
      const reply = await fixture.act(actor, method, path, params);
      const isAsExpected = allowed === undefined || allowed === reply.status < 400;
      const what = `${action.kind} is ${allowed === true ? 'refused' : 'allowed'}: ${method} ${path} ${reply.body.msg}`;
      fixture.inspector.expect(actor.id, isAsExpected, what);
      return reply;
    },
  });
}
