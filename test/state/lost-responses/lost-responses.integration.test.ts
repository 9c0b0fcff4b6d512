import {expect, test, vi} from 'vitest';
import type {Api} from '#api/api.ts';
import {lookUps} from '#state/lost-responses/look-ups.ts';
import type {Session} from '#state/session.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {clientOf} from '#test/api/client.ts';
import {fastClock, type SessionFixture, sessionFixture} from '#test/state/session-fixture.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';
import {fewOf} from '#test/support/tier.ts';
import {endpoints} from '#wire/endpoints.ts';
import {isApiFailure} from '#wire/failure.ts';

/** What the user is told: `done`, `not done`, or that it is unknown. */
type Told = 'done' | 'not done' | 'unknown';

interface Row {
  readonly args: object;
  /** When the server has not made the change. A change that is repeated is made then. */
  readonly notMade: Told;
}

/** The calls after which the account cannot ask any more, or that need an export. */
const endingCalls = ['deactivateOwnUser', 'deactivateRealm', 'deleteExport'];
/** The calls whose lost responses are looked into, those that are merely repeated left out. */
const lookedUpNames = Object.keys(endpoints)
  .sort()
  .filter((name) => {
    const lookUp: unknown = Reflect.get(lookUps, name);
    return lookUp !== undefined && typeof lookUp !== 'string' && lookUp !== lookUps.updateRealm;
  });

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = () => ({name: 'dot.png', size: onePixel.length, data: new Blob([onePixel])});

/** For waits that a test need not see. */
const hastyClock: Clock = {...systemClock, after: (ms, task) => systemClock.after(ms / 1000, task)};

const idsOf = (all: readonly {id: number}[]) => all.map(({id}) => id);

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

/** Makes a call that meets a fault, and returns what the user is told. */
async function toldAfter(
  {hook}: SessionFixture,
  session: Session,
  name: keyof Api,
  args: object,
  fault: object,
): Promise<Told> {
  const {method, path} = endpoints[name as keyof typeof endpoints];
  await hook('fault', {method, path: path.split('{')[0], ...fault});
  const call = session.context.api[name] as unknown as (given: object) => Promise<unknown>;
  const outcome = await call(args).then(
    () => 'done' as const,
    (error: unknown) => {
      if (!isApiFailure(error) || error.kind === 'permanent') throw error;
      return error.carriedOut === 'no' ? 'not done' : 'unknown';
    },
  );
  expect(await hook('clear-faults'), name).toMatchObject({left: 0});
  return outcome;
}

/** An owner's session on a server with something of everything that the calls change. */
async function administrationFixture(clock = systemClock) {
  const fixture = await sessionFixture({rateLimited: false});
  const {server, otto, meg, channelId, postMessage} = fixture;
  const {people} = server;
  const owner = people.owner();
  const as = server.as(owner);
  const post = (path: string, args: Readonly<Record<string, unknown>>) => as.post(path, args);
  const bot = people.bot('Robot', owner);
  const gone = people.add('Gone Girl', {active: false});
  const messageId = await postMessage('hello');
  const doomed = await postMessage('to be deleted');
  people.channel('joined', [otto]);
  await as.upload('/realm/emoji/old_dot', 'dot.png', onePixel, 'image/png');
  const poll = (await post('/messages', {type: 'stream', to: channelId, topic: 'talk', content: '/poll Tea?'})).id;
  await server.as(otto).post('/messages', {type: 'stream', to: channelId, topic: 'old', content: 'x'});
  const at = inAnHour();
  const message = {type: 'stream', to: channelId, topic: 'talk', scheduled_delivery_timestamp: at};
  for (const content of ['one', 'two']) await post('/scheduled_messages', {...message, content});
  const {scheduled_messages: scheduled} = await as.get('/scheduled_messages');
  const {reminder_id: reminder} = await post('/reminders', {message_id: messageId, scheduled_delivery_timestamp: at});
  await as.upload('/user_uploads', 'old.txt', Buffer.from('old'), 'text/plain');
  const {attachments} = await as.get('/attachments');
  await post('/invites', {invitee_emails: 'new@example.com', stream_ids: [channelId], invite_as: 400});
  await post('/invites/multiuse', {stream_ids: [channelId], invite_as: 400});
  const {invites} = await as.get('/invites');
  const snippets: number[] = [];
  for (const title of ['a', 'b']) {
    snippets.push((await post('/saved_snippets', {title, content: title})).saved_snippet_id);
  }
  const [renamed, archived] = ['renamed', 'archived', 'left'].map((name) => people.channel(name, [owner, meg]));
  const usual = people.channel('usual', [owner]);
  await post('/default_streams', {stream_id: usual});
  const folders: number[] = [];
  for (const name of ['f', 'g']) {
    folders.push((await post('/channel_folders/create', {name, description: ''})).channel_folder_id);
  }
  const {ssh_key: sshKey} = await post('/parley/ssh_keys', {key: newKeyLine()});
  const groups: number[] = [];
  for (const name of ['crew', 'night', 'dock', 'deck']) {
    groups.push((await post('/user_groups/create', {name, description: '', members: [otto.id]})).group_id);
  }
  const linkifiers: number[] = [];
  for (const name of ['A', 'B', 'C']) {
    const url = `https://${name}.example/{id}`;
    linkifiers.push((await post('/realm/filters', {pattern: `${name}-(?P<id>[0-9]+)`, url_template: url})).id);
  }
  for (const domain of ['a.example', 'b.example']) await post('/realm/domains', {domain, allow_subdomains: false});
  const fields: number[] = [];
  for (const name of ['Pet', 'Food', 'Sport']) {
    fields.push((await post('/realm/profile_fields', {name, field_type: 1})).id);
  }
  const api = clientOf(server, owner);
  // Without reports of presence, which would meet the faults.
  const session = fixture.session({api, clock, isExploring: true});
  session.start();
  await session.ready();
  const again: Pick<Row, 'notMade'> = {notMade: 'done'};
  const looked: Pick<Row, 'notMade'> = {notMade: 'not done'};
  const scheduledId = (index: number) => ({scheduled_message_id: scheduled[index]?.scheduled_message_id});
  const rows: Readonly<Record<string, Row>> = {
    createScheduledMessage: {args: {...message, content: 'later'}, ...looked},
    editScheduledMessage: {args: {...scheduledId(0), content: 'changed'}, ...again},
    deleteScheduledMessage: {args: scheduledId(1), ...again},
    createReminder: {args: {message_id: messageId, scheduled_delivery_timestamp: at + 60}, ...looked},
    deleteReminder: {args: {reminder_id: reminder}, ...again},
    editMessage: {args: {message_id: messageId, topic: 'moved'}, ...looked},
    sendSubmessage: {
      args: {message_id: poll, msg_type: 'widget', content: '{"type":"new_option","idx":1,"option":"yes"}'},
      ...looked,
    },
    uploadFile: {args: {file: {name: 'new.txt', size: 4, data: [Buffer.from('text')]}}, ...looked},
    deleteAttachment: {args: {attachment_id: attachments[0]?.id}, ...again},
    revokeInvite: {args: {invite_id: invites.find((one: {is_multiuse: boolean}) => !one.is_multiuse)?.id}, ...again},
    revokeInviteLink: {
      args: {invite_id: invites.find((one: {is_multiuse: boolean}) => one.is_multiuse)?.id},
      ...again,
    },
    deleteMessage: {args: {message_id: doomed}, ...again},
    subscribe: {args: {subscriptions: [{name: 'joined'}]}, ...again},
    sendInvites: {args: {invitee_emails: 'a@example.com,b@example.com', stream_ids: [channelId]}, ...looked},
    createInviteLink: {args: {stream_ids: [channelId]}, ...looked},
    createBot: {args: {full_name: 'Marvin', short_name: 'marvin'}, ...looked},
    addEmoji: {args: {emoji_name: 'dot', file: picture()}, ...looked},
    removeEmoji: {args: {emoji_name: 'old_dot'}, ...again},
    createUser: {args: {email: 'zoe@example.com', full_name: 'Zoe', password: 'correct horse battery'}, ...looked},
    addSshKey: {args: {key: newKeyLine()}, ...looked},
    removeSshKey: {args: {key_id: sshKey.id}, ...again},
    createSnippet: {args: {title: 'c', content: 'c'}, ...looked},
    editSnippet: {args: {saved_snippet_id: snippets[0], title: 'aa'}, ...again},
    deleteSnippet: {args: {saved_snippet_id: snippets[1]}, ...again},
    createChannel: {args: {name: 'created', subscribers: [owner.id]}, ...looked},
    updateChannel: {args: {stream_id: renamed, new_name: 'a new name'}, ...again},
    archiveChannel: {args: {stream_id: archived}, ...again},
    addDefaultChannel: {args: {stream_id: renamed}, ...again},
    removeDefaultChannel: {args: {stream_id: usual}, ...again},
    unsubscribe: {args: {subscriptions: ['left']}, ...again},
    deleteTopic: {args: {stream_id: channelId, topic_name: 'old'}, ...again},
    createFolder: {args: {name: 'h', description: ''}, ...looked},
    updateFolder: {args: {channel_folder_id: folders[0], name: 'ff'}, ...again},
    reorderFolders: {args: {}, ...again},
    updateUser: {args: {user_id: otto.id, full_name: 'Otto the Great'}, ...again},
    updateUserByEmail: {args: {email: meg.email, full_name: 'Meg the Great'}, ...again},
    updateUserStatus: {args: {user_id: otto.id, status_text: 'away'}, ...again},
    deactivateUser: {args: {user_id: meg.id}, ...again},
    reactivateUser: {args: {user_id: gone.id}, ...again},
    updateBot: {args: {bot_id: bot.id, full_name: 'Robert'}, ...again},
    deactivateBot: {args: {bot_id: bot.id}, ...again},
    updateProfileData: {args: {data: [{id: fields[0], value: 'cat'}]}, ...again},
    removeProfileData: {args: {data: [fields[0]]}, ...again},
    deleteAvatar: {args: {}, ...again},
    createGroup: {args: {name: 'new crew', description: '', members: []}, ...looked},
    updateGroup: {args: {user_group_id: groups[0], name: 'old crew'}, ...again},
    deactivateGroup: {args: {user_group_id: groups[1]}, ...again},
    updateGroupMembers: {args: {user_group_id: groups[2], add: [owner.id], delete: [otto.id]}, ...again},
    updateSubgroups: {args: {user_group_id: groups[2], add: [groups[3]]}, ...again},
    updateRealm: {args: {description: 'A new description'}, ...again},
    addLinkifier: {args: {pattern: 'D-(?P<id>[0-9]+)', url_template: 'https://d.example/{id}'}, ...looked},
    updateLinkifier: {
      args: {filter_id: linkifiers[0], pattern: 'E-(?P<id>[0-9]+)', url_template: 'https://e.example/{id}'},
      ...again,
    },
    removeLinkifier: {args: {filter_id: linkifiers[1]}, ...again},
    reorderLinkifiers: {args: {}, ...again},
    addDomain: {args: {domain: 'c.example', allow_subdomains: false}, ...looked},
    updateDomain: {args: {domain: 'a.example', allow_subdomains: true}, ...again},
    removeDomain: {args: {domain: 'b.example'}, ...again},
    createProfileField: {args: {name: 'Hobby', field_type: 1}, ...looked},
    updateProfileField: {args: {field_id: fields[1], name: 'Meal'}, ...again},
    removeProfileField: {args: {field_id: fields[2]}, ...again},
    reorderProfileFields: {args: {}, ...again},
  };
  /** What an order has to name at the time of the call. */
  const lateArgs: Readonly<Record<string, () => Promise<object>>> = {
    reorderFolders: async () => {
      const {channel_folders: all} = await as.get('/channel_folders', {include_archived: true});
      return {order: idsOf(all).toReversed()};
    },
    reorderLinkifiers: async () => {
      const {linkifiers: all} = await as.get('/realm/linkifiers');
      return {ordered_linkifier_ids: idsOf(all).toReversed()};
    },
    reorderProfileFields: async () => {
      const {custom_fields: all} = await as.get('/realm/profile_fields');
      return {order: idsOf(all).toReversed()};
    },
  };
  const told = (name: keyof Api, args: object, fault: object) => toldAfter(fixture, session, name, args, fault);
  const allTold = async (fault: object) => {
    const results: Record<string, Told> = {};
    for (const [name, {args}] of Object.entries(rows)) {
      results[name] = await told(name as keyof Api, (await lateArgs[name]?.()) ?? args, fault);
    }
    return results;
  };
  return {...fixture, owner, session, rows, told, allTold};
}

test('lost responses: every call that is not a mere question says what is done about one', () => {
  const changing = Object.entries(endpoints).filter(([, {method}]) => method !== 'GET');
  expect(changing.map(([name]) => name).filter((name) => !Object.hasOwn(lookUps, name))).toEqual([]);
});

test.each(fewOf(['drop_after', 'status_after']))(
  'lost responses: every change that the server made is reported as done (%s)',
  async (kind) => {
    const {rows, allTold} = await administrationFixture(hastyClock);
    expect(lookedUpNames.filter((name) => !Object.hasOwn(rows, name))).toEqual(endingCalls);
    const expected = Object.fromEntries(Object.keys(rows).map((name) => [name, 'done']));
    expect(await allTold({kind, status: 500})).toEqual(expected);
  },
);

test.each(fewOf(['drop_before', 'status', 'html']))(
  'lost responses: no change that the server did not make is reported as done, unless it was repeated (%s)',
  async (kind) => {
    const {rows, allTold} = await administrationFixture(hastyClock);
    const expected = Object.fromEntries(Object.entries(rows).map(([name, {notMade}]) => [name, notMade]));
    expect(await allTold({kind, status: kind === 'html' ? 502 : 500})).toEqual(expected);
  },
);

test('lost responses: an edit is found as the server stores it, and no look-up leaves an event queue', async () => {
  const fixture = await sessionFixture();
  const {server, meg, channelId} = fixture;
  const session = fixture.session({clock: fastClock, isExploring: true});
  session.start();
  await session.ready();
  const message = {type: 'channel', to: channelId, topic: 't', content: 'x'};
  const {id: message_id} = await server.as(meg).post('/messages', message);
  const told = (name: keyof Api, args: object, fault: object = {kind: 'drop_after'}) =>
    toldAfter(fixture, session, name, args, fault);
  // A new text is sent again, which may be too late then.
  await fixture.hook('fault', {method: 'PATCH', path: '/messages/', kind: 'drop_after'});
  const refused = {kind: 'status', status: 400, code: 'BAD_REQUEST'};
  expect(await told('editMessage', {message_id, content: ' '}, refused)).toBe('done');
  expect(await told('editMessage', {message_id, topic: 'x'.repeat(80)})).toBe('done');
  const queueCount = () => [...server.context.queues.all()].length;
  const before = queueCount();
  expect(await told('createSnippet', {title: 'new', content: 'c'})).toBe('done');
  await vi.waitUntil(() => queueCount() === before, {timeout: 30_000});
});

test('lost responses: what existed before is not taken for the result of a lost request to create it', async () => {
  const {owner, meg, told} = await administrationFixture(fastClock);
  const existing = {
    createUser: {email: meg.email, full_name: 'Meg', password: 'correct horse battery'},
    createChannel: {name: 'general', subscribers: [owner.id]},
    createGroup: {name: 'crew', description: '', members: []},
    createFolder: {name: 'f', description: ''},
    addLinkifier: {pattern: 'A-(?P<id>[0-9]+)', url_template: 'https://A.example/{id}'},
    addDomain: {domain: 'a.example', allow_subdomains: false},
    createProfileField: {name: 'Pet', field_type: 1},
  } as const;
  const results = [];
  for (const [name, args] of Object.entries(existing)) {
    results.push(`${name}: ${await told(name as keyof Api, args, {kind: 'status', status: 500})}`);
  }
  expect(results).toEqual(Object.keys(existing).map((name) => `${name}: not done`));
});

test('lost responses: a change that the server makes after the connection broke is reported as done', async () => {
  const {session, told} = await administrationFixture(fastClock);
  const args = {title: 'late', content: 'late'};
  expect(await told('createSnippet', args, {kind: 'drop_late', delay_ms: 100})).toBe('done');
  expect([...session.cache.state.snippets.values()].filter(({title}) => title === 'late')).toHaveLength(1);
});

test('lost responses: a change that stays unknown while the server cannot be asked is known when it can be', async () => {
  const {session, hook} = await administrationFixture(hastyClock);
  await hook('fault', {method: 'POST', path: '/saved_snippets', kind: 'drop_after'});
  await hook('fault', {path: '/register', kind: 'html', times: 12});
  const {saved_snippet_id: id} = await session.context.api.createSnippet({title: 'x', content: 'x'});
  expect(session.cache.state.snippets.get(id)?.title).toBe('x');
});

test('lost responses: the own account that the server deactivated counts as deactivated', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session({isExploring: true});
  session.start();
  await session.ready();
  expect(await toldAfter(fixture, session, 'deactivateOwnUser', {}, {kind: 'drop_after'})).toBe('done');
});

test('lost responses: of two uploads of the same file, the address of the later one is returned', async () => {
  const {session, hook} = await administrationFixture();
  const args = {file: {name: 'tea.txt', size: 3, data: new Blob(['tea'])}};
  const first = await session.context.api.uploadFile(args);
  await hook('fault', {method: 'POST', path: '/user_uploads', kind: 'drop_after'});
  const second = await session.context.api.uploadFile(args);
  const {attachments} = await session.context.api.getAttachments({});
  const newest = attachments.toSorted((a, b) => b.id - a.id)[0];
  expect(second).toMatchObject({url: `/user_uploads/${newest?.path_id}`, filename: 'tea.txt'});
  expect(second.url).not.toBe(first.url);
});

test('lost responses: on a server that does not say which channels are archived, an archived channel counts as archived', async () => {
  const fixture = await sessionFixture({level: 250});
  const {server, channelId} = fixture;
  const session = fixture.session({api: clientOf(server, server.people.owner()), isExploring: true});
  session.start();
  await session.ready();
  const args = {stream_id: channelId};
  expect(await toldAfter(fixture, session, 'archiveChannel', args, {kind: 'status_after', status: 500})).toBe('done');
});

test('lost responses: leaving a private channel is reported as done, although it cannot be repeated', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  server.people.channel('secret', [meg, otto], {invite_only: 1});
  const session = fixture.session({clock: systemClock, isExploring: true});
  session.start();
  await session.ready();
  const args = {subscriptions: ['secret']};
  expect(await toldAfter(fixture, session, 'unsubscribe', args, {kind: 'drop_after'})).toBe('done');
});
