import {realmPermissionRules, SystemGroup} from '#server/organization/permission-rules.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {levels} from '#wire/levels.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import type {Snapshot} from '#wire/register.ts';

const day = 86_400_000;

/** A user of each kind with the objects for their trials, so that no trial disturbs another. */
export interface Actor {
  readonly person: Person;
  /** Messages in `town`, each in its own topic: the user's own or another's. */
  readonly own: Readonly<Record<'edit' | 'delete' | 'retitle' | 'move' | 'resolve', Posted>>;
  readonly foreign: Readonly<Record<'delete' | 'retitle' | 'topic', Posted>>;
  /** Users who are not in `town`, and who are. The latter are in the group `club` too, with all actors. */
  readonly outsider: Person;
  readonly insider: Person;
}

export interface Posted {
  readonly id: number;
  readonly senderId: number;
  readonly topic: string;
  readonly timestamp: number;
}

export interface PermissionFixture {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly level: number;
  readonly actors: readonly Actor[];
  readonly channels: Readonly<Record<'town' | 'den' | 'hall' | 'attic' | 'news', number>>;
  readonly friend: Person;
  /** An empty group, and one with members; undefined on servers whose groups have no permissions. */
  readonly groupId: number | undefined;
  readonly clubId: number | undefined;
}

/** Sets everything up while everyone is allowed everything; the settings under test come afterwards. */
export async function permissionFixture(level: number): Promise<PermissionFixture> {
  const clock = new ManualClock();
  const server = await testServer({clock, level});
  const {people} = server;
  const [owner, admin, newcomer] = [people.owner(), people.admin(), newMember(server, clock)];
  const kinds = [owner, admin, people.moderator(), people.member(), newcomer, people.guest()];
  const friend = people.member('Friend');
  const crowd = kinds.map(({fullName}) => people.member(`Inside ${fullName}`));
  const more = kinds.map(({fullName}) => people.member(`Also inside ${fullName}`));
  const outsiders = kinds.map(({fullName}) => people.member(`Outside ${fullName}`));
  const inDen = kinds.filter((person) => person !== admin && person !== newcomer);
  const channels = {
    town: people.channel('town', [...kinds, friend, ...crowd, ...more]),
    den: people.channel('den', inDen, {invite_only: 1}),
    hall: people.channel('hall', [friend]),
    attic: people.channel('attic', kinds, {is_archived: 1}),
    news: people.channel('news', [friend]),
  };
  const post = (sender: Person, topic: string, to = 'town') => posted(server, clock, sender, to, topic);
  await post(friend, 'talk');
  await post(friend, 'talk', 'news');
  await post(owner, 'talk', 'den');
  const actors: Actor[] = [];
  for (const [index, person] of kinds.entries()) {
    const [insider = friend, outsider = friend] = [crowd[index], outsiders[index]];
    actors.push({person, insider, outsider, ...(await messagesFor(person, friend, post))});
  }
  const group = async (name: string, members: readonly Person[]) => {
    if (level < levels.groupMention) return undefined;
    const fields = {name, description: '', members: members.map(({id}) => id)};
    return (await server.as(owner).post('/user_groups/create', fields)).group_id;
  };
  const [groupId, clubId] = [await group('crew', []), await group('club', [...kinds, ...crowd])];
  return {server, clock, level, actors, channels, friend, groupId, clubId};
}

async function messagesFor(
  person: Person,
  friend: Person,
  post: (sender: Person, topic: string) => Promise<Posted>,
): Promise<Pick<Actor, 'own' | 'foreign'>> {
  const own = (what: string) => post(person, `${what} of ${person.id}`);
  const foreign = (what: string) => post(friend, `${what} for ${person.id}`);
  return {
    own: {
      edit: await own('edit'),
      delete: await own('delete'),
      retitle: await own('retitle'),
      move: await own('move'),
      resolve: await own('resolve'),
    },
    foreign: {
      delete: await foreign('delete'),
      retitle: await foreign('retitle'),
      topic: await foreign('topic'),
    },
  };
}

/** Creates a member who joined a day ago. */
function newMember({people, context}: TestServer, clock: ManualClock): Person {
  const person = people.member('New Member');
  context.db.run('UPDATE user SET joined_at = ? WHERE id = ?', clock.seconds() - day / 1000, person.id);
  people.setting('waiting_period_threshold', 7);
  return person;
}

async function posted(
  server: TestServer,
  clock: ManualClock,
  sender: Person,
  to: string,
  topic: string,
): Promise<Posted> {
  const reply = await server.as(sender).raw('POST', '/messages', {type: 'stream', to, topic, content: topic});
  if (reply.body.result !== 'success') throw new Error(`${to} › ${topic}: ${reply.body.msg}`);
  return {id: reply.body.id, senderId: sender.id, topic, timestamp: clock.seconds()};
}

/** Returns the current state of that user's client. */
export async function stateOf({server, clock, level}: PermissionFixture, person: Person): Promise<AccountState> {
  const {body} = await server.as(person).raw('POST', '/register', {...registerArgs(level)});
  return stateFromSnapshot(body as Snapshot, {url: server.url, now: clock.now()});
}

const everywhere = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_mention_many_users_group',
  'can_add_subscribers_group',
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_web_public_channel_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
];

/** Sets the permissions of the organization; those that guests never have are set to members at most. */
export function setRealm(
  {server}: PermissionFixture,
  setting: GroupSetting,
  names: readonly string[] = everywhere,
): void {
  for (const name of names) {
    const isTooWide = setting === SystemGroup.everyone && realmPermissionRules[name]?.allow_everyone_group === false;
    server.people.setting(name, isTooWide ? SystemGroup.members : setting);
  }
}

export function setChannels(
  {server, channels}: PermissionFixture,
  permissions: Readonly<Record<string, GroupSetting>>,
): void {
  for (const id of [channels.town, channels.den, channels.hall]) {
    server.context.db.run('UPDATE channel SET permissions = ? WHERE id = ?', JSON.stringify(permissions), id);
  }
  server.context.derivedFacts.invalidateAll();
}
