import type {RawReply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {pick, pickParticipants} from './pick-participants.ts';
import type {SafetyFixture} from './safety-fixture.ts';
import type {OracleMessage} from './visibility-oracle.ts';

/** What somebody tries: the numbers pick from whatever there is at that moment. */
export interface RandomAction {
  readonly kind: RandomActionKind;
  readonly actor: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

interface ActionRun {
  readonly stage: SafetyFixture;
  readonly actor: Person;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly channel: {readonly id: number; readonly name: string};
  readonly message: OracleMessage | undefined;
  readonly person: Person;
  act(method: string, path: string, params?: Record<string, unknown>): Promise<RawReply>;
}

type ActionRunner = (scene: ActionRun) => Promise<unknown>;

const modes = ['change_one', 'change_later', 'change_all'];

function topicIn({stage}: ActionRun, channel: number | null, choice: number): string {
  const topics = [...stage.oracle.now.messages.values()]
    .filter((message) => message.channel === channel)
    .map((message) => message.topic);
  return choice % 2 === 0 || topics.length === 0
    ? stage.fresh('top')
    : (topics[choice % topics.length] ?? '');
}

function text({stage, c, person}: ActionRun): string {
  const words = `lorem ${stage.fresh('con')}`;
  const file = stage.files[c % Math.max(1, stage.files.length)];
  switch (c % 7) {
    case 0:
      return `${words} @**all**`;
    case 1:
      return `${words} @**${stage.oracle.now.users.get(person.id)?.name}**`;
    case 2:
      return `${words} @**topic**`;
    case 3:
    case 4:
      return file === undefined ? words : `${words} [file](${file.url})`;
    default:
      return words;
  }
}

/** Acting on a message that one may not read must fail. */
async function onMessage(
  scene: ActionRun,
  method: string,
  rest: string,
  params: Record<string, unknown> = {},
): Promise<RawReply | undefined> {
  const {stage, actor, message} = scene;
  if (message === undefined) return undefined;
  const reads = stage.oracle.reads(stage.oracle.now, actor.id, message.id);
  const reply = await scene.act(method, `/messages/${message.id}${rest}`, params);
  const sentence = `${method} of unreadable message ${message.id} with ${JSON.stringify(params)} works`;
  stage.inspector.expect(actor.id, reads || reply.status >= 400, sentence);
  return reply;
}

function group({stage, b, c}: Pick<ActionRun, 'stage' | 'b' | 'c'>): number {
  const groups = stage.server.world.db.pluck('SELECT id FROM user_group WHERE is_system = 0');
  return groups[(b + c) % Math.max(1, groups.length)] ?? 0;
}

/** Mostly a row of the actor's, now and then anybody's. */
function own({stage, actor, a, b}: ActionRun, table: string): number {
  const owner = table === 'attachment' ? 'owner_id' : 'user_id';
  const where = b % 4 === 0 ? '' : ` WHERE ${owner} = ${actor.id}`;
  const ids = stage.server.world.db.pluck(`SELECT id FROM ${table}${where}`);
  return ids[a % Math.max(1, ids.length)] ?? 0;
}

const setChannel =
  (params: (scene: ActionRun) => Record<string, unknown>): ActionRunner =>
  (scene) =>
    scene.act('PATCH', `/streams/${scene.channel.id}`, params(scene));

export const randomActions = {
  send: (scene) =>
    scene.act('POST', '/messages', {
      type: 'stream',
      to: scene.channel.id,
      topic: topicIn(scene, scene.channel.id, scene.b),
      content: text(scene),
    }),
  sendPoll: (scene) =>
    scene.act('POST', '/messages', {
      type: 'stream',
      to: scene.channel.id,
      topic: topicIn(scene, scene.channel.id, scene.b),
      content: `/poll ${scene.stage.fresh('con')}`,
    }),
  tell: (scene) => {
    const {stage, a, actor} = scene;
    const to = stage.people.filter((_, index) => (a >> index) & 1).slice(0, 3);
    const ids = (to.length === 0 ? [actor] : to).map(({id}) => id);
    return scene.act('POST', '/messages', {type: 'direct', to: ids, content: text(scene)});
  },
  edit: (scene) => onMessage(scene, 'PATCH', '', {content: text(scene)}),
  retitle: (scene) =>
    onMessage(scene, 'PATCH', '', {
      topic: topicIn(scene, scene.message?.channel ?? 0, scene.b),
      propagate_mode: modes[scene.c % 3],
      send_notification_to_old_thread: scene.c % 2 === 0,
      send_notification_to_new_thread: scene.c % 5 === 0,
    }),
  resolve: (scene) =>
    onMessage(scene, 'PATCH', '', {topic: `✔ ${scene.message?.topic}`, propagate_mode: 'change_all'}),
  move: (scene) =>
    onMessage(scene, 'PATCH', '', {
      stream_id: scene.channel.id,
      ...(scene.b % 2 === 0 ? {} : {topic: topicIn(scene, scene.channel.id, scene.b >> 1)}),
      propagate_mode: modes[scene.c % 3],
      send_notification_to_old_thread: scene.c % 4 === 0,
      send_notification_to_new_thread: scene.c % 5 === 0,
    }),
  delete: (scene) => onMessage(scene, 'DELETE', ''),
  deleteTopic: (scene) =>
    scene.act('POST', `/streams/${scene.channel.id}/delete_topic`, {
      topic_name: topicIn(scene, scene.channel.id, scene.b | 1),
    }),
  react: (scene) => onMessage(scene, 'POST', '/reactions', {emoji_name: 'tada'}),
  unreact: (scene) => onMessage(scene, 'DELETE', '/reactions', {emoji_name: 'tada'}),
  submessage: (scene) => {
    const {message, stage} = scene;
    if (message === undefined) return Promise.resolve();
    const content = JSON.stringify({type: 'new_option', idx: scene.c % 50, option: stage.fresh('con')});
    return scene.act('POST', '/submessage', {message_id: message.id, msg_type: 'widget', content});
  },
  typeInChannel: (scene) => {
    const {stage, channel} = scene;
    const topic = stage.fresh('top');
    const readers = stage.people.filter(({id}) =>
      stage.oracle.readsChannel(stage.oracle.now, id, channel.id),
    );
    for (const reader of readers) stage.remember(reader, topic);
    return scene.act('POST', '/typing', {type: 'stream', op: 'start', stream_id: channel.id, topic});
  },
  typeDirectly: (scene) => scene.act('POST', '/typing', {type: 'direct', op: 'start', to: [scene.person.id]}),
  typeEdit: (scene) => onMessage(scene, 'POST', '/typing', {op: 'start'}),
  join: (scene) =>
    scene.act('POST', '/users/me/subscriptions', {subscriptions: [{name: scene.channel.name}]}),
  add: (scene) =>
    scene.act('POST', '/users/me/subscriptions', {
      subscriptions: [{name: scene.channel.name}],
      principals: [scene.person.id],
      authorization_errors_fatal: scene.c % 2 === 0,
    }),
  leave: (scene) => scene.act('DELETE', '/users/me/subscriptions', {subscriptions: [scene.channel.name]}),
  remove: (scene) =>
    scene.act('DELETE', '/users/me/subscriptions', {
      subscriptions: [scene.channel.name],
      principals: [scene.person.id],
    }),
  create: (scene) => {
    const {stage, a, b, c} = scene;
    const subscribers = stage.people.filter((_, index) => (a >> index) & 1).map(({id}) => id);
    return scene.act('POST', '/channels/create', {
      name: stage.fresh('cha'),
      description: stage.fresh('cha'),
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
  archive: (scene) => scene.act('DELETE', `/streams/${scene.channel.id}`),
  unarchive: setChannel(() => ({is_archived: false})),
  rename: setChannel(({stage}) => ({new_name: stage.fresh('cha')})),
  describe: setChannel(({stage}) => ({description: stage.fresh('cha')})),
  grant: setChannel((scene) => {
    const names = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'];
    const made = group(scene);
    const value =
      scene.c % 2 === 0 || made === 0
        ? {direct_members: scene.c % 5 === 0 ? [] : [scene.person.id], direct_subgroups: []}
        : made;
    return {[names[scene.c % 3] ?? '']: {new: value}};
  }),
  follow: (scene) =>
    scene.message?.channel == null
      ? Promise.resolve()
      : scene.act('POST', '/user_topics', {
          stream_id: scene.message.channel,
          topic: known(scene, scene.message),
          visibility_policy: scene.b % 4,
        }),
  muteChannel: (scene) =>
    scene.act('PATCH', `/users/me/subscriptions/${scene.channel.id}`, {
      property: 'is_muted',
      value: scene.c % 2 === 0,
    }),
  flag: (scene) =>
    scene.act('POST', '/messages/flags', {
      messages: [...scene.stage.oracle.now.messages.keys()].filter((id) => (scene.a >> (id % 10)) & 1),
      op: scene.b % 2 === 0 ? 'add' : 'remove',
      flag: ['starred', 'read', 'collapsed'][scene.c % 3],
    }),
  readAll: (scene) => scene.act('POST', '/mark_all_as_read'),
  flagNarrow: (scene) =>
    scene.act('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: [{operator: 'channel', operand: scene.channel.id}],
      op: scene.b % 2 === 0 ? 'add' : 'remove',
      flag: ['starred', 'read'][scene.c % 2],
    }),
  hideEmail: (scene) => scene.act('PATCH', '/settings', {email_address_visibility: 1 + (scene.a % 5)}),
  renameSelf: (scene) => scene.act('PATCH', '/settings', {full_name: `Person ${scene.stage.fresh('nam')}`}),
  renameOther: (scene) =>
    scene.act('PATCH', `/users/${scene.person.id}`, {full_name: `Person ${scene.stage.fresh('nam')}`}),
  promote: (scene) =>
    scene.act('PATCH', `/users/${scene.person.id}`, {role: [200, 300, 400, 600][scene.c % 4]}),
  deactivate: (scene) => scene.act('DELETE', `/users/${scene.person.id}`),
  reactivate: (scene) => scene.act('POST', `/users/${scene.person.id}/reactivate`),
  muteUser: (scene) => scene.act('POST', `/users/me/muted_users/${scene.person.id}`),
  makeGroup: (scene) =>
    scene.act('POST', '/user_groups/create', {
      name: scene.stage.fresh('con').replaceAll('x', 'g'),
      description: '',
      members: [scene.person.id],
    }),
  fillGroup: (scene) =>
    scene.act('POST', `/user_groups/${group(scene)}/members`, {
      [scene.c % 2 === 0 ? 'add' : 'delete']: [scene.person.id],
    }),
  endGroup: (scene) => scene.act('POST', `/user_groups/${group(scene)}/deactivate`),
  draft: (scene) => {
    const content = scene.stage.fresh('pri');
    scene.stage.remember(scene.actor, content);
    const draft = {type: 'private', to: [scene.person.id], topic: '', content};
    return scene.c % 2 === 0
      ? scene.act('POST', '/drafts', {drafts: [draft]})
      : scene.act('PATCH', `/drafts/${own(scene, 'draft')}`, {draft});
  },
  dropDraft: (scene) => scene.act('DELETE', `/drafts/${own(scene, 'draft')}`),
  schedule: (scene) => {
    const {stage, actor, clock} = {...scene, clock: scene.stage.clock};
    const content = `lorem ${stage.fresh('con')}`;
    const topic = topicIn(scene, scene.channel.id, 0);
    stage.remember(actor, `${content} ${topic}`);
    const when = {content, scheduled_delivery_timestamp: clock.seconds() + 200};
    return scene.c % 2 === 0
      ? scene.act('POST', '/scheduled_messages', {type: 'stream', to: scene.channel.id, topic, ...when})
      : scene.act('POST', '/scheduled_messages', {type: 'direct', to: [scene.person.id], ...when});
  },
  reschedule: (scene) => {
    const content = scene.stage.fresh('con');
    scene.stage.remember(scene.actor, content);
    const id = own(scene, 'scheduled_message');
    return scene.act('PATCH', `/scheduled_messages/${id}`, {content});
  },
  unschedule: (scene) => scene.act('DELETE', `/scheduled_messages/${own(scene, 'scheduled_message')}`),
  remind: async (scene) => {
    const {message, stage, actor} = scene;
    if (message === undefined) return;
    const note = stage.fresh('pri');
    stage.remember(actor, note);
    if (stage.oracle.reads(stage.oracle.now, actor.id, message.id)) stage.remember(actor, message.content);
    const scheduled_delivery_timestamp = stage.clock.seconds() + 200;
    const params = {message_id: message.id, scheduled_delivery_timestamp, note};
    const reads = stage.oracle.reads(stage.oracle.now, actor.id, message.id);
    const {status} = await scene.act('POST', '/reminders', params);
    stage.inspector.expect(actor.id, reads || status >= 400, `is reminded of unreadable ${message.id}`);
  },
  upload: async ({stage, actor}) => {
    const {body} = await stage.client(actor).upload('/user_uploads', 'file.txt', Buffer.from('bytes'));
    if (body.url !== undefined) stage.files.push({owner: actor.id, url: body.url});
    await stage.heard();
  },
  dropFile: async (scene) => {
    const id = own(scene, 'attachment');
    const sql = 'SELECT path_id FROM attachment WHERE id = ?';
    const [path] = scene.stage.server.world.db.pluck<string>(sql, id);
    const {status} = await scene.act('DELETE', `/attachments/${id}`);
    const index = scene.stage.files.findIndex(({url}) => url.endsWith(String(path)));
    if (status === 200 && index >= 0) scene.stage.files.splice(index, 1);
  },
  status: (scene) => scene.act('POST', '/users/me/status', {status_text: `busy ${scene.a}`}),
  beOnline: (scene) =>
    scene.act('POST', '/users/me/presence', {status: 'active', ping_only: false, last_update_id: -1}),
  limitUsers: (scene) => {
    const wanted = scene.c % 3 === 0 ? 'role:everyone' : 'role:members';
    const [id] = scene.stage.server.world.db.pluck('SELECT id FROM user_group WHERE name = ?', wanted);
    return scene.act('PATCH', '/realm', {can_access_all_users_group: {new: id}});
  },
  wait: async ({stage}) => {
    stage.clock.advance(250_000);
    await stage.heard();
  },
} satisfies Record<string, ActionRunner>;

export type RandomActionKind = keyof typeof randomActions;

/** A topic that the actor can name: one they can read, or one of their own making. */
function known({stage, actor}: ActionRun, message: OracleMessage): string {
  if (stage.oracle.reads(stage.oracle.now, actor.id, message.id)) return message.topic;
  const topic = stage.fresh('top');
  stage.remember(actor, topic);
  return topic;
}

export async function performRandomAction(stage: SafetyFixture, deed: RandomAction): Promise<void> {
  const {a, b, c} = deed;
  const {actor, channel, message} = pickParticipants(stage, deed);
  await randomActions[deed.kind]({
    stage,
    actor,
    a,
    b,
    c,
    channel,
    message,
    person: pick(stage.people, a),
    act: (method, path, params) => stage.act(actor, method, path, params),
  });
}
