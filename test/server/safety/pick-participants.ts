import type {Person} from '#test/support/people.ts';
import type {RandomAction, RandomActionKind} from './random-actions.ts';
import type {SafetyFixture} from './safety-fixture.ts';
import type {OracleChannel, OracleMessage} from './visibility-oracle.ts';

interface ActionParticipants {
  readonly actor: Person;
  readonly channel: OracleChannel;
  readonly message: OracleMessage | undefined;
}

type Kinds = ReadonlySet<RandomActionKind>;

const aboutMessages: Kinds = new Set<RandomActionKind>([
  'retitle',
  'respell',
  'resolve',
  'move',
  'react',
  'remind',
  'follow',
  'submessage',
]);
const amongSubscribers: Kinds = new Set<RandomActionKind>([
  'send',
  'sendPoll',
  'add',
  'leave',
  'typeInChannel',
  'muteChannel',
  'schedule',
  'flagNarrow',
]);
const byAdministrators: Kinds = new Set<RandomActionKind>([
  'archive',
  'unarchive',
  'rename',
  'describe',
  'grant',
  'renameOther',
  'promote',
  'deactivate',
  'reactivate',
  'limitUsers',
  'makeFolder',
  'changeFolder',
  'placeInFolder',
  'changeOrganization',
  'makeProfileField',
  'dropProfileField',
  'linkify',
  'defaultChannel',
  'deleteTopic',
  'remove',
]);
const byReadingAdministrators: Kinds = new Set<RandomActionKind>([
  'makePrivate',
  'makePublic',
  'makeWebPublic',
  'shareHistory',
]);
const byOwners: Kinds = new Set<RandomActionKind>(['fillGroup', 'nestGroup', 'endGroup', 'makeWebPublic']);

/**
 * Picks mostly an actor with permission and a suitable channel and message, so that most actions succeed; sometimes
 * any.
 */
export function pickParticipants(fixture: SafetyFixture, action: RandomAction): ActionParticipants {
  const {now} = fixture.oracle;
  const isWild = action.actor % 5 === 0;
  const message = pickMessage(fixture, action, isWild);
  const channel = pick([...now.channels.values()], action.b);
  const able = isWild
    ? []
    : fixture.people.filter((person) => canAct(fixture, action.kind, person, channel.id, message));
  const actor = pick(able.length === 0 ? fixture.people : able, Math.floor(action.actor / 5));
  if (action.kind !== 'move' || isWild) return {actor, channel, message};
  const reachable = [...now.channels.values()].filter(
    ({id}) => id !== message?.channel && now.subscribed.has(`${actor.id}:${id}`),
  );
  return {actor, channel: reachable.length === 0 ? channel : pick(reachable, action.b), message};
}

function pickMessage(
  {oracle, server}: SafetyFixture,
  {kind, a}: RandomAction,
  isWild: boolean,
): OracleMessage | undefined {
  const all = [...oracle.now.messages.values()];
  const reacted = new Set(kind === 'unreact' ? server.context.db.pluck('SELECT message_id FROM reaction') : []);
  const suitable = all.filter(({id, content, channel}) => {
    if (kind === 'submessage') return content.startsWith('/poll');
    if (kind === 'unreact') return reacted.has(id);
    return kind !== 'move' || channel !== null;
  });
  const list = isWild || suitable.length === 0 ? all : suitable;
  return list[a % Math.max(1, list.length)];
}

function canAct(
  {oracle, server}: SafetyFixture,
  kind: RandomActionKind,
  person: Person,
  channel: number,
  message: OracleMessage | undefined,
): boolean {
  const {now} = oracle;
  const role = now.users.get(person.id)?.role ?? 600;
  if (!now.users.get(person.id)?.isActive) return false;
  if (kind === 'edit' || kind === 'typeEdit') return person.id === message?.sender;
  if (kind === 'delete') return role <= 200 && oracle.reads(now, person.id, message?.id ?? 0);
  if (kind === 'unreact') {
    const sql = 'SELECT user_id FROM reaction WHERE message_id = ?';
    return server.context.db.pluck(sql, message?.id ?? 0).includes(person.id);
  }
  if (aboutMessages.has(kind)) return oracle.reads(now, person.id, message?.id ?? 0);
  if (amongSubscribers.has(kind)) return now.subscribed.has(`${person.id}:${channel}`);
  if (byOwners.has(kind) && role > 100) return false;
  if (byReadingAdministrators.has(kind)) return role <= 200 && oracle.readsChannel(now, person.id, channel);
  return !byAdministrators.has(kind) || role <= 200;
}

export function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
}
