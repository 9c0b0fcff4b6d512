import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import type {Stage} from './stage.ts';

/** Tries every way of reading that there is, as one person, and holds the answers against the oracle. */
export async function lookAround(stage: Stage, viewer: Person): Promise<void> {
  const {oracle, inspector} = stage;
  const ask = async (path: string, params: Record<string, unknown> = {}): Promise<Reply | undefined> => {
    const {status, body} = await stage.client(viewer).raw('GET', path, params);
    inspector.expect(viewer.id, status < 500, `${path} answers ${status}`);
    const spoken = path + JSON.stringify(params);
    inspector.answer(viewer.id, `GET ${path} ${JSON.stringify(params)}`, body, spoken);
    return status === 200 ? body : undefined;
  };
  const {now} = oracle;
  const all = [...now.messages.keys()];
  const readable = all.filter((id) => oracle.reads(now, viewer.id, id));
  const page = {anchor: 'newest', num_before: 500, num_after: 0, apply_markdown: false};
  const idsOf = (reply: Reply | undefined): number[] => reply?.messages.map((one: Reply) => one.id) ?? [];
  const same = (what: string, got: readonly number[], expected: readonly number[]) => {
    const [a, b] = [got, expected].map((ids) => [...ids].sort((x, y) => x - y).join());
    inspector.expect(viewer.id, a === b, `${what}: got ${a}, should be ${b}`);
  };

  const narrows: Reply[][] = [
    [],
    [{operator: 'search', operand: 'lorem'}],
    [
      {operator: 'channels', operand: 'public'},
      {operator: 'search', operand: 'lorem'},
    ],
    [{operator: 'channels', operand: 'public'}],
    [{operator: 'channels', operand: 'archived'}],
    [{operator: 'is', operand: 'starred'}],
    [{operator: 'is', operand: 'unread'}],
    [{operator: 'is', operand: 'dm'}],
    [{operator: 'is', operand: 'followed'}],
    [{operator: 'is', operand: 'resolved', negated: true}],
    [{operator: 'has', operand: 'attachment'}],
    [{operator: 'in', operand: 'home'}],
    ...stage.people.map(({id}) => [{operator: 'dm-including', operand: id}]),
    ...stage.people.map(({id}) => [{operator: 'sender', operand: id}]),
    ...stage.people.map(({id}) => [{operator: 'mentions', operand: id}]),
    ...all.slice(-4).map((id) => [{operator: 'with', operand: id}]),
    ...all.slice(-4).map((id) => [{operator: 'id', operand: id}]),
  ];
  const extra = stage.thorough ? narrows : narrows.slice(0, 4);
  for (const narrow of extra) await ask('/messages', {...page, narrow});
  same('message_ids', idsOf(await ask('/messages', {message_ids: all})), readable);

  for (const channel of now.channels.values()) {
    const inChannel = readable.filter((id) => now.messages.get(id)?.channel === channel.id);
    const reads = oracle.readsChannel(now, viewer.id, channel.id);
    const narrow = [{operator: 'channel', operand: channel.id}];
    same(`channel ${channel.id}`, idsOf(await ask('/messages', {...page, narrow})), inChannel);
    const topics = await ask(`/users/me/${channel.id}/topics`, {allow_empty_topic_name: true});
    inspector.expect(viewer.id, (topics !== undefined) === reads, `topics of ${channel.id}: ${reads}`);
    const names = inChannel.map((id) => now.messages.get(id)?.topic.toLowerCase());
    const listed = (topics?.topics ?? []).map((topic: Reply) => topic.name.toLowerCase());
    inspector.expect(
      viewer.id,
      [...new Set(names)].sort().join() === listed.sort().join(),
      `topics of ${channel.id}: ${listed} for ${names}`,
    );
    same(
      `newest of topics of ${channel.id}`,
      (topics?.topics ?? [])
        .filter((topic: Reply) => !readable.includes(topic.max_id))
        .map((topic: Reply) => topic.max_id),
      [],
    );
    const sees = oracle.seesChannel(now, viewer.id, channel.id);
    for (const path of [`/streams/${channel.id}`, `/streams/${channel.id}/members`]) {
      inspector.expect(viewer.id, ((await ask(path)) !== undefined) === sees, `${path}: ${sees}`);
    }
    const found = await ask('/get_stream_id', {stream: channel.name});
    inspector.expect(viewer.id, (found !== undefined) === sees, `id of ${channel.name}: ${sees}`);
    if (!stage.thorough) continue;
    const byTopic = new Set(
      [...now.messages.values()].filter((one) => one.channel === channel.id).map((one) => one.topic),
    );
    for (const topic of byTopic) {
      const inTopic = inChannel.filter(
        (id) => now.messages.get(id)?.topic.toLowerCase() === topic.toLowerCase(),
      );
      const terms = [...narrow, {operator: 'topic', operand: topic}];
      same(`topic ${topic}`, idsOf(await ask('/messages', {...page, narrow: terms})), inTopic);
    }
    await ask('/messages', {...page, narrow: [...narrow, {operator: 'search', operand: 'lorem'}]});
    await ask(`/streams/${channel.id}/email_address`);
  }

  for (const id of all) {
    const reads = readable.includes(id);
    if (reads && !stage.thorough) continue;
    const paths = [`/messages/${id}`, `/messages/${id}/history`, `/messages/${id}/read_receipts`];
    for (const path of paths) {
      inspector.expect(viewer.id, ((await ask(path)) !== undefined) === reads, `${path}: ${reads}`);
    }
  }
  const matches = await ask('/messages/matches_narrow', {
    msg_ids: all,
    narrow: [{operator: 'search', operand: 'lorem'}],
  });
  for (const id of Object.keys(matches?.messages ?? {})) {
    inspector.expect(viewer.id, readable.includes(Number(id)), `matches_narrow gives ${id}`);
  }

  const lists = [
    '/streams',
    '/users',
    '/users/me',
    '/users/me/subscriptions',
    '/attachments',
    '/drafts',
    '/scheduled_messages',
    '/reminders',
    '/saved_snippets',
    '/user_groups',
    '/users/me/presence',
  ];
  for (const path of stage.thorough ? lists : ['/streams', '/users', '/attachments'])
    await ask(path, path === '/users/me/subscriptions' ? {include_subscribers: 'true'} : {});
  await ask('/streams', {
    include_all: true,
    exclude_archived: false,
    include_web_public: true,
    include_default: true,
  });
  for (const other of now.users.values()) {
    const byEmail = await ask(`/users/${encodeURIComponent(other.email)}`);
    const may = oracle.seesEmail(now, viewer.id, other.id) && oracle.knowsUser(now, viewer.id, other.id);
    inspector.expect(viewer.id, (byEmail !== undefined) === may, `finds ${other.email}: ${may}`);
    if (!stage.thorough) continue;
    await ask(`/users/${other.id}`);
    await ask(`/users/${other.id}/channels`);
    for (const channel of now.channels.keys()) {
      const status = await ask(`/users/${other.id}/subscriptions/${channel}`);
      const sees = oracle.seesChannel(now, viewer.id, channel);
      inspector.expect(viewer.id, sees || status === undefined, `who is in ${channel}`);
    }
  }
  for (const file of stage.files) {
    const response = await stage.client(viewer).web(file.url);
    await response.arrayBuffer();
    const may = stage.mayOpen(viewer.id, file);
    inspector.expect(
      viewer.id,
      (response.status === 200) === may,
      `${file.url} answers ${response.status}, may: ${may}`,
    );
    const link = await ask(`/user_uploads/${file.url.slice('/user_uploads/'.length)}`);
    inspector.expect(viewer.id, (link !== undefined) === may, `temporary link to ${file.url}: ${may}`);
  }
}

/** What a registration says, against what it should. */
export function inspectRegistration(stage: Stage, viewer: Person, state: Reply): void {
  const {oracle, inspector} = stage;
  const {now} = oracle;
  inspector.answer(viewer.id, 'register', state);
  const listed = ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((key) =>
    state[key].map((channel: Reply) => channel.stream_id),
  );
  const seen = [...now.channels.keys()].filter((id) => oracle.seesChannel(now, viewer.id, id));
  const [a, b] = [listed, seen].map((ids) => [...ids].sort((x, y) => x - y).join());
  inspector.expect(viewer.id, a === b, `register lists channels ${a}, should be ${b}`);
  const unread = state.unread_msgs;
  const ids: number[] = [
    ...state.starred_messages,
    ...unread.mentions,
    ...[...unread.pms, ...unread.huddles, ...unread.streams].flatMap((one: Reply) => one.unread_message_ids),
  ];
  for (const id of ids) {
    inspector.expect(viewer.id, oracle.reads(now, viewer.id, id), `register counts message ${id}`);
  }
  for (const user of [...state.realm_users, ...state.realm_non_active_users]) {
    inspector.expect(
      viewer.id,
      oracle.knowsUser(now, viewer.id, user.user_id),
      `register lists user ${user.user_id}`,
    );
  }
}
