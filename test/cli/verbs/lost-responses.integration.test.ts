import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {TableVerbName} from '#cli/verbs/run-verb.ts';
import {commonOptions} from '#cli/verbs/verb.ts';
import {type VerbName, verbOf, verbTable} from '#cli/verbs/verb-table.ts';
import {fastClock} from '#test/state/session-fixture.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';
import {fewOf, isSlowTier} from '#test/support/tier.ts';
import {verbScene} from './verb-scene.ts';

type Scene = Awaited<ReturnType<typeof scene>>;

/** One run of a verb, with something of its own to change. */
interface Run {
  readonly argv: readonly string[];
  /** The request that makes the change. */
  readonly request: readonly [method: string, path: string];
  /** Returns how many of what the verb makes the server has. */
  count(): Promise<number>;
}

interface Row {
  /** The exit codes, in the order of `columns`. */
  readonly exits: string;
  /** Whether it may be done twice: its sentence says so. */
  readonly doubles?: true;
  prepare(scene: Scene): Promise<Run>;
}

/** What happens to the request, and whether the server makes the change. `late` is made after the connection broke. */
const columns = [
  {column: 'answer lost', fault: {kind: 'drop_after'}},
  {column: 'not delivered', fault: {kind: 'drop_before'}},
  {column: '500', fault: {kind: 'status', status: 500}},
  {column: '500 after the change', fault: {kind: 'status_after', status: 500}},
  {column: '502', fault: {kind: 'html'}},
  {column: 'late', fault: {kind: 'drop_late', delay_ms: 100}},
  {column: 'server gone', fault: {kind: 'drop_after'}},
] as const;

/** Done again, or found to be done. */
const setter = '0 0 0 0 0 0 75';
/** Found, or known not to have been made. */
const maker = '0 4 4 0 4 0 75';
const never = '75 75 75 75 75 75 75';

/** An organization whose owner runs the verbs; `gone` is the request after which the server answers no more. */
async function scene(options: Parameters<typeof verbScene>[0] = {}) {
  let gone: readonly [string, string] | undefined;
  let isGone = false;
  const changes: string[] = [];
  const parts = await verbScene({
    rateLimited: false,
    ...options,
    onRequest: (method, path, response) => {
      const isAsking = method === 'GET' || /^\/(?:api\/v1\/(?:register|events)|test-hooks)\b/.test(path);
      if (!isAsking) changes.push(`${method} ${path}`);
      if (isGone) response.socket?.destroy();
      else if (gone?.[0] === method && path.startsWith(`/api/v1${gone[1]}`)) {
        response.once('close', () => {
          isGone = true;
        });
      }
    },
  });
  const {server, owner, otto, asOwner} = parts;
  const as = server.as(owner);
  let names = 0;
  return {
    ...parts,
    as,
    asOtto: server.as(otto),
    run: asOwner.run,
    home: asOwner.home,
    changes,
    newName: () => `n${++names}x`,
    say: async (topic: string, content = 'hi'): Promise<number> =>
      (await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic, content})).id,
    message: async (id: number) => (await as.get(`/messages/${id}`, {apply_markdown: false})).message,
    snapshot: (...types: string[]) => as.post('/register', {fetch_event_types: types, event_types: []}),
    /** Makes the server go after this request; without one, it comes back. */
    setGone: (request?: readonly [string, string]) => {
      gone = request;
      isGone = false;
    },
  };
}

const countOf = <T>(all: readonly T[], isWanted: (one: T) => boolean): number => all.filter(isWanted).length;
const one = (isSo: boolean): number => (isSo ? 1 : 0);
const flags = ['POST', '/messages/flags'] as const;
const at = '2099-05-01 9:30';

function flagRow(verb: 'star' | 'unstar' | 'mark-read'): Row {
  return {
    exits: setter,
    prepare: async ({say, message, newName, as}) => {
      const topic = newName();
      const id = await say(topic);
      if (verb === 'unstar') await as.post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
      const has = async (flag: string) => (await message(id)).flags.includes(flag);
      return {
        argv: [verb === 'mark-read' ? `#general>${topic}` : String(id)],
        request: flags,
        count: async () =>
          one(verb === 'unstar' ? !(await has('starred')) : await has(verb === 'star' ? 'starred' : 'read')),
      };
    },
  };
}

function policyRow(before: number, after: number): Row {
  return {
    exits: setter,
    prepare: async ({as, channelId, newName, say, snapshot}) => {
      const topic = newName();
      await say(topic);
      await as.post('/user_topics', {stream_id: channelId, topic, visibility_policy: before});
      const policy = async () => {
        const {user_topics: all} = await snapshot('user_topic');
        return all.find((row: {topic_name: string}) => row.topic_name === topic)?.visibility_policy ?? 0;
      };
      return {
        argv: [`#general>${topic}`],
        request: ['POST', '/user_topics'],
        count: async () => one((await policy()) === after),
      };
    },
  };
}

function channelRow(request: Run['request'], argv: (name: string) => readonly string[], isDone: string): Row {
  return {
    exits: setter,
    prepare: async ({server: {people}, owner, newName, as, snapshot}) => {
      const name = newName();
      const id = people.channel(name, [owner]);
      if (isDone === 'active') await as.delete(`/streams/${id}`);
      const channel = async () => {
        const {subscriptions, unsubscribed, never_subscribed} = await snapshot('subscription');
        const all = [...subscriptions, ...unsubscribed, ...never_subscribed];
        return all.find(({stream_id}: {stream_id: number}) => stream_id === id) ?? {is_archived: true, name};
      };
      const state = async () => {
        const {is_archived: isArchived, name: now} = await channel();
        return now !== name ? 'renamed' : isArchived ? 'archived' : 'active';
      };
      return {argv: argv(name), request, count: async () => one((await state()) === isDone)};
    },
  };
}

function groupRow(
  request: (id: number) => Run['request'],
  argv: (name: string) => readonly string[],
  isDone: (group: {members: number[]; deactivated: boolean; description: string}, ottoId: number) => boolean,
  before?: 'deactivated',
): Row {
  return {
    exits: setter,
    prepare: async ({as, newName, otto, meg}) => {
      const name = newName();
      const {group_id: id} = await as.post('/user_groups/create', {name, description: '', members: [meg.id]});
      if (before !== undefined) await as.post(`/user_groups/${id}/deactivate`, {});
      const group = async () => {
        const {user_groups: all} = await as.get('/user_groups', {include_deactivated_groups: true});
        return all.find((row: {id: number}) => row.id === id);
      };
      return {argv: argv(name), request: request(id), count: async () => one(isDone(await group(), otto.id))};
    },
  };
}

function linkifierRow(
  request: (id: number) => Run['request'],
  argv: (id: number) => readonly string[],
  isDone: (all: readonly {id: number; url_template: string}[], id: number) => boolean,
): Row {
  return {
    exits: setter,
    prepare: async ({as, newName}) => {
      const pattern = `${newName()}-(?P<id>[0-9]+)`;
      const {id} = await as.post('/realm/filters', {pattern, url_template: 'https://a.example/{id}'});
      const all = async () => (await as.get('/realm/linkifiers')).linkifiers;
      return {argv: argv(id), request: request(id), count: async () => one(isDone(await all(), id))};
    },
  };
}

function userRow(isActive: boolean): Row {
  return {
    exits: setter,
    prepare: async ({as, server: {people}, newName}) => {
      const {id} = people.add(newName(), {active: !isActive});
      return {
        argv: [String(id)],
        request: isActive ? ['POST', `/users/${id}/reactivate`] : ['DELETE', `/users/${id}`],
        count: async () => one((await as.get(`/users/${id}`)).user.is_active === isActive),
      };
    },
  };
}

/** Counts the messages with a text. */
const sentCount =
  ({as}: Scene, text: string) =>
  async (): Promise<number> => {
    const narrow = [{operator: 'channel', operand: 'general'}];
    const page = {anchor: 'newest', num_before: 200, num_after: 0, narrow, apply_markdown: false};
    return countOf((await as.get('/messages', page)).messages, ({content}: {content: string}) => content === text);
  };

const editRow = (option: '-m' | '--topic', doneField: 'content' | 'subject'): Row => ({
  exits: option === '-m' ? setter : maker,
  prepare: async ({as, message, newName}) => {
    const {id} = await as.post('/messages', {type: 'stream', to: 'general', topic: newName(), content: 'before'});
    const text = newName();
    return {
      argv: [String(id), option, text],
      request: ['PATCH', `/messages/${id}`],
      count: async () => one((await message(id))[doneField] === text),
    };
  },
});

/** What each verb does about a lost response. A key is a verb, and for a second way to use it more words in brackets. */
const rows: Readonly<Record<string, Row>> = {
  send: {
    exits: '0 75 75 0 75 0 75',
    doubles: true,
    prepare: async (parts) => {
      const text = parts.newName();
      const request = ['POST', '/messages'] as const;
      return {argv: ['--to', '#general>t', '-m', text], request, count: sentCount(parts, text)};
    },
  },
  outbox: {
    exits: '0 75 75 0 75 0 75',
    prepare: async (parts) => {
      const [id, content] = [parts.newName(), parts.newName()];
      const conversation = {kind: 'topic', channelId: parts.channelId, topic: 't'} as const;
      parts.asOwner.withStore(({outbox}) => {
        outbox.add({id, conversation, content, createdAt: Date.now(), draftId: undefined});
        outbox.update(id, ['queued'], {status: 'held'});
      });
      return {argv: ['send', id], request: ['POST', '/messages'], count: sentCount(parts, content)};
    },
  },
  drafts: {
    exits: setter,
    prepare: async ({as, newName, channelId}) => {
      const content = newName();
      const draft = {type: 'stream', to: [channelId], topic: 't', content, timestamp: 1};
      const [id] = (await as.post('/drafts', {drafts: [draft]})).ids;
      const isThere = async () => (await as.get('/drafts')).drafts.some((row: {id: number}) => row.id === id);
      return {
        argv: ['delete', String(id), '--yes'],
        request: ['DELETE', `/drafts/${id}`],
        count: async () => one(!(await isThere())),
      };
    },
  },
  'mark-read': flagRow('mark-read'),
  read: {
    exits: setter,
    prepare: async (parts) => {
      const run = await flagRow('mark-read').prepare(parts);
      return {...run, argv: [...run.argv, '--mark-read']};
    },
  },
  star: flagRow('star'),
  unstar: flagRow('unstar'),
  upload: {
    exits: maker,
    doubles: true,
    prepare: async ({as, home, newName}) => {
      const name = `${newName()}.txt`;
      writeFileSync(join(home, name), 'text');
      const count = async () =>
        countOf((await as.get('/attachments')).attachments, (file: {name: string}) => file.name === name);
      return {argv: [join(home, name)], request: ['POST', '/user_uploads'], count};
    },
  },
  react: {
    exits: setter,
    prepare: async ({say, message, newName}) => {
      const id = await say(newName());
      const count = async () => (await message(id)).reactions.length;
      return {argv: [String(id), 'tada'], request: ['POST', `/messages/${id}/reactions`], count};
    },
  },
  edit: editRow('-m', 'content'),
  'edit (--topic)': editRow('--topic', 'subject'),
  delete: {
    exits: setter,
    prepare: async ({as, say, newName}) => {
      const id = await say(newName());
      const isGone = async () => (await as.raw('GET', `/messages/${id}`)).status === 400;
      return {
        argv: [String(id), '--yes'],
        request: ['DELETE', `/messages/${id}`],
        count: async () => one(await isGone()),
      };
    },
  },
  schedule: {
    exits: maker,
    prepare: async ({as, newName}) => {
      const text = newName();
      const all = async () => (await as.get('/scheduled_messages')).scheduled_messages;
      return {
        argv: ['--to', '#general>t', '--at', at, '-m', text],
        request: ['POST', '/scheduled_messages'],
        count: async () => countOf(await all(), ({content}: {content: string}) => content === text),
      };
    },
  },
  'schedule delete': {
    exits: setter,
    prepare: async ({as, channelId}) => {
      const message = {type: 'stream', to: channelId, topic: 't', content: 'x', scheduled_delivery_timestamp: 4e9};
      const {scheduled_message_id: id} = await as.post('/scheduled_messages', message);
      const all = async () => (await as.get('/scheduled_messages')).scheduled_messages;
      return {
        argv: [String(id), '--yes'],
        request: ['DELETE', `/scheduled_messages/${id}`],
        count: async () =>
          one(!(await all()).some((row: {scheduled_message_id: number}) => row.scheduled_message_id === id)),
      };
    },
  },
  remind: {
    exits: maker,
    prepare: async ({as, say, newName}) => {
      const id = await say(newName());
      const all = async () => (await as.get('/reminders')).reminders;
      return {
        argv: [String(id), '--at', at],
        request: ['POST', '/reminders'],
        count: async () =>
          countOf(await all(), (row: {reminder_target_message_id: number}) => row.reminder_target_message_id === id),
      };
    },
  },
  'remind delete': {
    exits: setter,
    prepare: async ({as, say, newName}) => {
      const message_id = await say(newName());
      const {reminder_id: id} = await as.post('/reminders', {message_id, scheduled_delivery_timestamp: 4e9});
      const all = async () => (await as.get('/reminders')).reminders;
      return {
        argv: [String(id), '--yes'],
        request: ['DELETE', `/reminders/${id}`],
        count: async () => one(!(await all()).some((row: {reminder_id: number}) => row.reminder_id === id)),
      };
    },
  },
  mute: policyRow(0, 1),
  unmute: policyRow(1, 0),
  follow: policyRow(0, 3),
  unfollow: policyRow(3, 0),
  'mute (@user)': {
    exits: setter,
    prepare: async ({server: {people}, newName, snapshot}) => {
      const {id} = people.member(newName());
      const all = async () => (await snapshot('muted_users')).muted_users;
      return {
        argv: [`@${id}`],
        request: ['POST', `/users/me/muted_users/${id}`],
        count: async () => countOf(await all(), (row: {id: number}) => row.id === id),
      };
    },
  },
  subscribe: {
    exits: setter,
    prepare: async ({as, server: {people}, otto, newName}) => {
      const name = newName();
      people.channel(name, [otto]);
      return {
        argv: [name],
        request: ['POST', '/users/me/subscriptions'],
        count: async () =>
          countOf((await as.get('/users/me/subscriptions')).subscriptions, (row: {name: string}) => row.name === name),
      };
    },
  },
  unsubscribe: {
    exits: setter,
    prepare: async ({as, server: {people}, owner, newName}) => {
      const name = newName();
      people.channel(name, [owner]);
      const all = async () => (await as.get('/users/me/subscriptions')).subscriptions;
      return {
        argv: [name],
        request: ['DELETE', '/users/me/subscriptions'],
        count: async () => one(!(await all()).some((row: {name: string}) => row.name === name)),
      };
    },
  },
  'channel create': {
    exits: maker,
    prepare: async ({as, newName}) => {
      const name = newName();
      const all = async () => (await as.get('/streams')).streams;
      return {
        argv: [name],
        request: ['POST', '/channels/create'],
        count: async () => countOf(await all(), (row: {name: string}) => row.name === name),
      };
    },
  },
  'channel edit': channelRow(['PATCH', '/streams'], (name) => [name, '--name', `${name} again`], 'renamed'),
  'channel archive': channelRow(['DELETE', '/streams'], (name) => [name], 'archived'),
  'channel unarchive': channelRow(['PATCH', '/streams'], (name) => [name], 'active'),
  status: {
    exits: setter,
    prepare: async ({as, owner, newName}) => {
      const text = newName();
      const count = async () => one((await as.get(`/users/${owner.id}/status`)).status.status_text === text);
      return {argv: [text], request: ['POST', '/users/me/status'], count};
    },
  },
  'user update': {
    exits: setter,
    prepare: async ({as, server: {people}, newName}) => {
      const [{id}, name] = [people.member(newName()), newName()];
      return {
        argv: [String(id), '--name', name],
        request: ['PATCH', `/users/${id}`],
        count: async () => one((await as.get(`/users/${id}`)).user.full_name === name),
      };
    },
  },
  'user deactivate': userRow(false),
  'user reactivate': userRow(true),
  invite: {
    exits: maker,
    doubles: true,
    prepare: async ({as, newName}) => {
      const email = `${newName()}@example.com`;
      const all = async () => (await as.get('/invites')).invites;
      return {
        argv: [email],
        request: ['POST', '/invites'],
        count: async () => countOf(await all(), (row: {email?: string}) => row.email === email),
      };
    },
  },
  'invite link': {
    exits: maker,
    doubles: true,
    prepare: async ({as}) => {
      const links = async () =>
        countOf((await as.get('/invites')).invites, (row: {is_multiuse: boolean}) => row.is_multiuse);
      const before = await links();
      return {argv: [], request: ['POST', '/invites/multiuse'], count: async () => (await links()) - before};
    },
  },
  'invite revoke': {
    exits: setter,
    prepare: async ({as, channelId, newName}) => {
      const email = `${newName()}@example.com`;
      await as.post('/invites', {invitee_emails: email, stream_ids: [channelId], invite_as: 400});
      const invited = async () =>
        (await as.get('/invites')).invites.find((row: {email?: string}) => row.email === email);
      const {id} = await invited();
      return {
        argv: [String(id)],
        request: ['DELETE', `/invites/${id}`],
        count: async () => one((await invited()) === undefined),
      };
    },
  },
  'invite resend': {
    exits: never,
    doubles: true,
    prepare: async ({as, channelId, newName}) => {
      const email = `${newName()}@example.com`;
      await as.post('/invites', {invitee_emails: email, stream_ids: [channelId], invite_as: 400});
      const {id} = (await as.get('/invites')).invites.find((row: {email?: string}) => row.email === email);
      return {argv: [String(id)], request: ['POST', `/invites/${id}/resend`], count: async () => 1};
    },
  },
  'group create': {
    exits: maker,
    prepare: async ({as, newName}) => {
      const name = newName();
      return {
        argv: [name],
        request: ['POST', '/user_groups/create'],
        count: async () =>
          countOf((await as.get('/user_groups')).user_groups, (row: {name: string}) => row.name === name),
      };
    },
  },
  'group edit': groupRow(
    (id) => ['PATCH', `/user_groups/${id}`],
    (name) => [name, '-d', 'new'],
    ({description}) => description === 'new',
  ),
  'group add': groupRow(
    (id) => ['POST', `/user_groups/${id}/members`],
    (name) => [name, '@Otto Other'],
    ({members}, ottoId) => members.includes(ottoId),
  ),
  'group remove': groupRow(
    (id) => ['POST', `/user_groups/${id}/members`],
    (name) => [name, '@Meg Member'],
    ({members}) => members.length === 0,
  ),
  'group deactivate': groupRow(
    (id) => ['POST', `/user_groups/${id}/deactivate`],
    (name) => [name],
    ({deactivated}) => deactivated,
  ),
  'group reactivate': groupRow(
    (id) => ['PATCH', `/user_groups/${id}`],
    (name) => [name],
    ({deactivated}) => !deactivated,
    'deactivated',
  ),
  'linkifier add': {
    exits: maker,
    prepare: async ({as, newName}) => {
      const pattern = `${newName()}-(?P<id>[0-9]+)`;
      const all = async () => (await as.get('/realm/linkifiers')).linkifiers;
      return {
        argv: [pattern, 'https://a.example/{id}'],
        request: ['POST', '/realm/filters'],
        count: async () => countOf(await all(), (row: {pattern: string}) => row.pattern === pattern),
      };
    },
  },
  'linkifier edit': linkifierRow(
    (id) => ['PATCH', `/realm/filters/${id}`],
    (id) => [String(id), '--url', 'https://b.example/{id}'],
    (all, id) => all.some((row) => row.id === id && row.url_template.includes('b.example')),
  ),
  'linkifier remove': linkifierRow(
    (id) => ['DELETE', `/realm/filters/${id}`],
    (id) => [String(id), '--yes'],
    (all, id) => !all.some((row) => row.id === id),
  ),
  'linkifier reorder': linkifierRow(
    () => ['PATCH', '/realm/linkifiers'],
    (id) => [String(id)],
    ([first], id) => first?.id === id,
  ),
  'ssh-keys (add)': {
    exits: maker,
    prepare: async ({as, home, newName}) => {
      const name = newName();
      writeFileSync(join(home, name), newKeyLine(name));
      const count = async () =>
        countOf((await as.get('/parley/ssh_keys')).ssh_keys, (key: {comment: string}) => key.comment === name);
      return {argv: ['add', join(home, name)], request: ['POST', '/parley/ssh_keys'], count};
    },
  },
  'ssh-keys (remove)': {
    exits: setter,
    prepare: async ({as}) => {
      const {ssh_key: key} = await as.post('/parley/ssh_keys', {key: newKeyLine()});
      const all = async () => (await as.get('/parley/ssh_keys')).ssh_keys;
      const count = async () => one(!(await all()).some(({id}: {id: number}) => id === key.id));
      return {argv: ['remove', key.fingerprint], request: ['DELETE', `/parley/ssh_keys/${key.id}`], count};
    },
  },
  api: {
    exits: never,
    prepare: async ({as, owner, newName}) => {
      const text = newName();
      const count = async () => one((await as.get(`/users/${owner.id}/status`)).status.status_text === text);
      return {
        argv: ['POST', '/users/me/status', `status_text=${text}`],
        request: ['POST', '/users/me/status'],
        count,
      };
    },
  },
};

const meanings: Readonly<Record<string, string>> = {0: 'done', 4: 'not done', 75: 'may have been done'};

/** Returns a line for each verb with its exit code and what its sentence says. */
function cellTable(column: string, exits: Readonly<Record<string, string>>): string {
  const lines = Object.entries(exits).map(([key, code]) => `${key.padEnd(20)} ${code.padStart(2)}  ${meanings[code]}`);
  return [`${column}:`, ...lines].join('\n');
}

const verbOfRow = (key: string) => key.replace(/ \(.*/, '') as TableVerbName;
const verbNames = Object.keys(verbTable) as VerbName[];

test('verbs: each that says how to check a change is in the table of lost responses, and no other', () => {
  const named = new Set<string>(Object.keys(rows).map(verbOfRow));
  expect(verbNames.filter((name) => verbOf(name).check !== undefined).sort()).toEqual([...named].sort());
});

test('verbs: those that do not say how to check a change make none', async () => {
  const parts = await scene();
  writeFileSync(join(parts.home, 'chart.txt'), 'text');
  const {out: uploaded} = await parts.run('upload', [join(parts.home, 'chart.txt')]);
  const argv: Readonly<Record<string, readonly string[]>> = {
    download: /\/user_uploads\/[^\s)]+/.exec(uploaded) ?? [],
    search: ['hi'],
    export: ['#general', join(parts.home, 'out')],
    'channel members': ['general'],
    'user show': ['@Otto Other'],
    'group show': ['role:members'],
  };
  const others = verbNames.filter((name) => {
    const {check, options, parsesOwnArguments} = verbOf(name);
    return (
      check === undefined && parsesOwnArguments !== true && options.json === commonOptions.json && 'config' in options
    );
  });
  await parts.say('t');
  parts.changes.length = 0;
  // It does not end; its requests are those of `read`.
  for (const name of others.filter((other) => other !== 'tail')) {
    const {code, err} = await parts.run(name as TableVerbName, argv[name] ?? []);
    expect([name, code, err]).toEqual([name, 0, expect.any(String)]);
  }
  expect(parts.changes).toEqual([]);
});

test.each(fewOf(columns, 2))(
  'verbs: $column: the sentence and the exit code of every change are true',
  async (cell) => {
    const {column, fault} = cell;
    // The last late changes come when the server is closed.
    const parts = await scene(column === 'late' ? {log: () => {}} : {});
    const isGone = column === 'server gone';
    const exits: Record<string, string> = {};
    for (const [key, {prepare, doubles}] of Object.entries(rows)) {
      const run = await prepare(parts);
      const [method, path] = run.request;
      await parts.fault({method, path, ...fault});
      if (isGone) parts.setGone(run.request);
      const {code, out, err} = await parts.run(verbOfRow(key), run.argv, {clock: fastClock});
      parts.setGone();
      const count = await run.count();
      const told = `${key}: ${code} ${out}${err}`;
      exits[key] = String(code);
      // A message that is not confirmed would hold up the next one.
      parts.asOwner.withStore(({outbox}) => {
        for (const {id} of outbox.all()) outbox.remove(id);
      });
      expect(count, told).toBeLessThanOrEqual(1);
      if (code === 0) expect(count, told).toBe(1);
      else if (code === 75) expect(err, told).toMatch(/may (?:have been (?:done|sent)|still have)/);
      else expect([count, err], told).toEqual([0, expect.stringContaining('This was not done.')]);
      if (column.startsWith('50')) expect(err, told).not.toMatch(/lost|closed/);
      if (column.startsWith('50') && code !== 0 && key !== 'drafts')
        expect(err, told).toContain(`status ${column.slice(0, 3)}`);
      if (!isGone || doubles) continue;
      // Run again, it finds the change made.
      await parts.run(verbOfRow(key), run.argv, {clock: fastClock});
      expect(await run.count(), `${key} again`).toBe(1);
    }
    if (isSlowTier) console.info(cellTable(column, exits));
    const at = columns.indexOf(cell);
    const expected = Object.entries(rows).map(([key, row]) => [key, row.exits.split(' ')[at]]);
    expect(exits).toEqual(Object.fromEntries(expected));
  },
);
