import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findUser, findUserByEmail} from '#server/db/users.ts';
import {readDemoData} from '#server/seed/demo-world/chat-script.ts';
import {seedDemoWorld} from '#server/seed/demo-world.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {ApiClient, type Reply} from '#test/support/api-client.ts';
import {slowTest} from '#test/support/tier.ts';
import {botTypes} from '#wire/objects/user.ts';

const data = readDemoData();
let server: RunningServer;
let you: ApiClient;
let state: Reply;

beforeAll(async () => {
  server = await startServer({prepare: seedDemoWorld, log: (line, error) => console.error(line, error)});
  you = as('robin@neapandspring.example');
  state = await you.post('/register', {
    client_capabilities: {notification_settings_null: false, archived_channels: true, empty_topic_name: true},
  });
});
afterAll(() => server.close());

function as(email: string): ApiClient {
  const user = findUserByEmail(server.context.db, email);
  if (user === undefined) throw new Error(`No user has the address ${email}`);
  const apiKey = server.context.secrets.apiKey(user);
  return new ApiClient(server.url, {id: user.id, email, fullName: user.full_name, apiKey}, {isChecked: true});
}

const count = (sql: string) => server.context.db.value(`SELECT COUNT(*) FROM ${sql}`);

async function conversation(narrow: {operator: string; operand: unknown}[], params = {}): Promise<Reply[]> {
  const reply = await you.get('/messages', {
    narrow,
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    allow_empty_topic_name: true,
    ...params,
  });
  return reply.messages;
}

const channelId = (name: string): number => server.context.db.value('SELECT id FROM channel WHERE name = ?', name) ?? 0;
const topic = (channel: string, name: string) => [
  {operator: 'channel', operand: channelId(channel)},
  {operator: 'topic', operand: name},
];

describe('seedDemoWorld', () => {
  slowTest('the HTML of messages links to files by the whole path', () => {
    expect(count(`message_html WHERE html LIKE '%href="/user_uploads/%'`)).toBeGreaterThan(0);
    expect(count(`message_html WHERE html LIKE '%href="user_uploads/%'`)).toBe(0);
  });

  test('inserts all people, bots, channels and messages', () => {
    expect(count('user WHERE is_bot = 0')).toBe(data.world.people.length);
    expect(count('user WHERE is_bot = 1 AND is_system_bot = 0')).toBe(6);
    expect(count('channel')).toBe(12);
    expect(count('message')).toBe(data.conversations.flatMap(({messages}) => messages).length);
    expect(count('message')).toBeGreaterThan(1200);
  });

  test('message ids ascend with time, and no message is in the future', () => {
    const times = server.context.db.pluck('SELECT sent_at FROM message ORDER BY id');
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(server.context.clock.now() / 1000);
  });

  test('the listed accounts are you, then the other active people, then usable bots', () => {
    const ids: number[] = JSON.parse(
      server.context.db.value<string>(`SELECT value FROM meta WHERE key = 'accounts'`) ?? '[]',
    );
    const users = ids.flatMap((id) => findUser(server.context.db, id) ?? []);
    expect(users[0]?.full_name).toBe('Robin Ashby');
    expect(users.map(({is_bot}) => is_bot).join('')).toMatch(/^0{21}1+$/);
    expect(users.every(({is_active}) => is_active === 1)).toBe(true);
    // An incoming webhook only posts.
    expect(users.map(({bot_type}) => bot_type)).not.toContain(botTypes.incomingWebhook);
  });
});

describe('unread messages of the demo', () => {
  test('yours are in exactly 40 conversations', () => {
    const {unread_msgs: unread} = state;
    const groups = [...unread.streams, ...unread.pms, ...unread.huddles];
    const expected = data.conversations.reduce((sum, {unread: size}) => sum + size, 0);
    expect(groups).toHaveLength(40);
    expect(groups.flatMap((group: Reply) => group.unread_message_ids)).toHaveLength(expected);
    // Muted messages do not count.
    expect(unread.count).toBeLessThan(expected);
    expect(unread.mentions.length).toBeGreaterThan(5);
  });

  test('yours include none from yourself and none from users you muted', () => {
    const sql = `SELECT COUNT(*) FROM user_message AS um JOIN message AS m ON m.id = um.message_id
      WHERE um.user_id = ?1 AND um.flags & 1
        AND (m.sender_id = ?1 OR m.sender_id IN (SELECT muted_id FROM muted_user WHERE user_id = ?1))`;
    expect(server.context.db.value(sql, state.user_id)).toBe(0);
  });

  test('every other person has between 1 and 24, all of them received', () => {
    const rows = server.context.db.all<{full_name: string; size: number; received: number}>(
      `SELECT u.full_name, COUNT(um.message_id) AS size, SUM(
         m.channel_id IN (SELECT channel_id FROM subscription WHERE user_id = u.id AND active = 1)
         OR m.dm_id IN (SELECT dm_id FROM dm_member WHERE user_id = u.id)) AS received
       FROM user AS u LEFT JOIN user_message AS um ON um.user_id = u.id AND um.flags & 1
       LEFT JOIN message AS m ON m.id = um.message_id
       WHERE u.is_bot = 0 AND u.is_active = 1 AND u.id <> ? GROUP BY u.id`,
      state.user_id,
    );
    expect(rows).toHaveLength(20);
    for (const {full_name, size, received} of rows) {
      expect(size, full_name).toBeGreaterThan(0);
      expect(size, full_name).toBeLessThan(25);
      expect(received, full_name).toBe(size);
    }
  });
});

describe('every conversation of the demo', () => {
  test('you can read it, with the messages and senders of its script', async () => {
    for (const {destination, messages} of data.conversations) {
      const narrow =
        destination.kind === 'channel'
          ? topic(destination.channel, destination.topic)
          : [{operator: 'dm', operand: destination.people.map(idOf)}];
      const fetched = await conversation(narrow);
      const title = JSON.stringify(destination);
      expect(fetched.length, title).toBe(messages.length);
      expect(
        fetched.every(({content}) => /^<|^$/.test(content)),
        title,
      ).toBe(true);
      expect(
        fetched.map(({sender_id}) => sender_id),
        title,
      ).toEqual(messages.map(({sender}) => idOf(sender)));
    }
  });

  test('only people who can read a message have reacted to it', () => {
    const strangers = server.context.db.all(
      `SELECT u.full_name, m.content FROM reaction AS r JOIN message AS m ON m.id = r.message_id
         JOIN user AS u ON u.id = r.user_id LEFT JOIN channel AS c ON c.id = m.channel_id
       WHERE NOT (IFNULL(c.invite_only = 0 AND (u.role < 600 OR c.is_web_public), 0)
         OR EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = u.id AND s.channel_id = m.channel_id)
         OR EXISTS (SELECT 1 FROM dm_member AS d WHERE d.user_id = u.id AND d.dm_id = m.dm_id))`,
    );
    expect(strangers).toEqual([]);
  });

  test('every mention names an existing person or group', () => {
    const contents = server.context.db.pluck<string>(`SELECT content FROM message WHERE content LIKE '%@%*%'`);
    const unresolved = contents.filter((content) =>
      / @_?\*+[\p{Lu}a-z]/u.test(server.context.renderer.renderUncached(content).replaceAll(/<code.*?<\/code>/gs, '')),
    );
    expect(unresolved).toEqual([]);
  });
});

function idOf(key: string): number {
  const userIds = JSON.parse(server.context.db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}');
  return userIds[key];
}

describe('annotations of demo messages', () => {
  test('an edited message has its old content in the edit history', async () => {
    const messages = await conversation(topic('skerry', 'price'), {apply_markdown: false});
    const edited = messages.find(({content}) => content.includes('for the first hundred.'));
    expect(edited?.edit_history).toEqual([
      {
        user_id: idOf('tamsin'),
        timestamp: (edited?.timestamp ?? 0) + 120,
        prev_content: 'I looked. I would have said 165.',
        prev_rendered_content: '<p>I looked. I would have said 165.</p>',
      },
    ]);
    expect(edited?.last_edit_timestamp).toBe((edited?.timestamp ?? 0) + 120);
  });

  test('a moved message has its old topic in the edit history', async () => {
    const moved = (await conversation(topic('firmware', 'scratch'))).filter((message) => message.last_moved_timestamp);
    expect(moved).toHaveLength(3);
    expect(moved[0]?.edit_history).toMatchObject([
      {user_id: idOf('ivo'), prev_topic: 'e-paper ghosting', topic: 'scratch'},
    ]);
  });

  test('polls have votes, and to-do lists have finished tasks', async () => {
    const [poll] = (await conversation(topic('skerry', 'what to call it'))).filter(
      ({submessages}) => submessages.length > 0,
    );
    const events: Reply[] = poll?.submessages.map(({content}: Reply) => JSON.parse(content));
    expect(events[0]).toMatchObject({
      widget_type: 'poll',
      extra_data: {question: 'What do we call the desk clock?'},
    });
    expect(events.filter(({type}) => type === 'vote')).toHaveLength(10);
    expect(events).toContainEqual({type: 'vote', key: `${idOf('ivo')},1`, vote: 1});
    const [todo] = await conversation(topic('skerry', 'launch plan'));
    const strikes = todo?.submessages.map(({content}: Reply) => JSON.parse(content)).slice(1);
    expect(strikes).toContainEqual({type: 'strike', key: `1,${idOf('maren')}`});
  });

  test('you have starred messages, mentions and alert word hits', async () => {
    expect(state.starred_messages.length).toBeGreaterThan(8);
    const mentioned = await conversation([{operator: 'is', operand: 'mentioned'}]);
    expect(mentioned.length).toBeGreaterThan(8);
    const alerted = await conversation([{operator: 'is', operand: 'alerted'}], {apply_markdown: false});
    expect(alerted.length).toBeGreaterThan(5);
    expect(alerted.every(({content}) => /datum|robin|leeks/i.test(content))).toBe(true);
  });

  test('custom emoji and linkifiers are rendered, and emoji images are served', async () => {
    const tides = await conversation([{operator: 'dm', operand: [idOf('tide')]}]);
    const url = '/user_avatars/1/emoji/images/emoji-high-water.png';
    expect(tides.at(-1)?.content).toContain(`src="${url}"`);
    expect(Object.values<Reply>(state.realm_emoji).map(({source_url}) => source_url)).toContain(url);
    expect((await you.web(url)).status).toBe(200);
    const incident = await conversation(topic('almanac', 'TIDE-412 wrong datum at six ports'));
    expect(incident[0]?.topic_links).toMatchObject([{text: 'TIDE-412'}]);
    expect(incident.map(({content}) => content).join('')).toContain(
      'href="https://forge.neapandspring.example/almanac/pull/318"',
    );
  });

  test('you can download every attached file in full', async () => {
    const files = server.context.db.all<{path_id: string; size: number}>('SELECT path_id, size FROM attachment');
    expect(files).toHaveLength(9);
    for (const {path_id, size} of files) {
      const reply = await you.web(`/user_uploads/${path_id}`);
      expect(reply.status, path_id).toBe(200);
      expect((await reply.arrayBuffer()).byteLength).toBe(size);
    }
  });
});

describe('your registration in the demo', () => {
  test('contains drafts, snippets, scheduled messages, reminders, views, alert words and topic policies', () => {
    expect(state.drafts).toHaveLength(data.world.drafts.length);
    expect(state.saved_snippets).toHaveLength(data.world.snippets.length);
    expect(state.scheduled_messages).toHaveLength(2);
    expect(state.reminders).toHaveLength(2);
    expect(state.navigation_views).toHaveLength(4);
    expect(state.alert_words).toEqual(expect.arrayContaining(['datum', 'robin', 'leeks']));
    expect(state.muted_users).toMatchObject([{id: idOf('barnaby')}]);
    expect(state.user_topics).toHaveLength(data.world.topics.length);
  });

  test('contains settings, organization data and statuses', () => {
    expect(state.user_settings).toMatchObject({twenty_four_hour_time: true, enter_sends: true});
    expect(state).toMatchObject({realm_name: 'Neap & Spring', realm_date_created: expect.any(Number)});
    expect(state.realm_new_stream_announcements_stream_id).toBe(channelId('announcements'));
    expect(state.custom_profile_fields).toHaveLength(8);
    expect(state.user_status[idOf('wes')]).toMatchObject({status_text: 'Soup in five', emoji_code: '1f35c'});
    expect(state.realm_non_active_users.map((user: Reply) => user.full_name)).toEqual(['Per Strand']);
    expect(state.channel_folders).toHaveLength(3);
  });

  test('contains channels with your personal settings', () => {
    const builds = state.subscriptions.find(({name}: Reply) => name === 'builds');
    expect(builds).toMatchObject({is_muted: true, color: '#8c8c8c', subscriber_count: 7});
    const announcements = state.subscriptions.find(({name}: Reply) => name === 'announcements');
    expect(announcements).toMatchObject({is_announcement_only: true, subscriber_count: 18});
    const fair = state.subscriptions.find(({name}: Reply) => name === 'harbour fair');
    expect(fair).toMatchObject({is_archived: true});
    expect(state.unsubscribed.map(({name}: Reply) => name)).toEqual([]);
    expect(state.never_subscribed.map(({name}: Reply) => name)).toEqual(['field notes']);
  });
});

describe('permissions in the demo', () => {
  test('a non-subscriber sees neither a private channel nor its messages nor its files', async () => {
    const jules = as('jules@neapandspring.example');
    const {streams} = await jules.get('/streams', {include_all: true});
    expect(streams.map(({name}: Reply) => name)).not.toContain('skerry');
    const newest = {anchor: 'newest', num_before: 1, num_after: 0};
    const {messages} = await jules.get('/messages', {...newest, narrow: topic('skerry', 'price')});
    expect(messages).toEqual([]);
    const file = server.context.db.value<string>(`SELECT path_id FROM attachment WHERE name = 'skerry-dial-v3.png'`);
    expect((await as('ravi@sethna-nautical.example').web(`/user_uploads/${file}`)).status).toBe(403);
  });

  test('a guest sees only subscribed and web-public channels', async () => {
    const {subscriptions, never_subscribed: others} = await as('ravi@sethna-nautical.example').post('/register', {
      client_capabilities: {notification_settings_null: false, archived_channels: true},
    });
    expect(subscriptions.map(({name}: Reply) => name)).toEqual(['shipping']);
    expect(others.map(({name}: Reply) => name)).toEqual(['field notes']);
  });

  test('only administrators can send to #announcements', async () => {
    const message = {type: 'channel', to: channelId('announcements'), topic: 'welcome', content: 'hi'};
    await you.refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
    await as('priya@neapandspring.example').post('/messages', message);
  });
});
