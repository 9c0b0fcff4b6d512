import type {Api} from '#api/api.ts';
import {normalizedTopicKey, truncatedTopic} from '#state/outbox/normalize-text.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import {type ApiFailure, isApiFailure, isRefusal, type PermanentFailure} from '#wire/failure.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {fullClientCapabilities} from '#wire/register.ts';

/** What is needed to find out about changes. Verbs have no events to subscribe to. */
export interface ChangeContext extends Pick<SessionContext, 'api' | 'clock' | 'random' | 'signal'> {
  readonly cache: Pick<SessionContext['cache'], 'state'> & Partial<SessionContext['cache']>;
  /** Called when a result is not known at once. `settled` resolves when it is known, or is certain to stay unknown. */
  readonly onUnknown?: ((failure: ApiFailure, settled: Promise<void>) => void) | undefined;
}

/** The change was not made: the server does not have it, or refused the repetition. */
export class NotMade extends Error {
  readonly refusal: PermanentFailure | undefined;

  constructor(refusal?: PermanentFailure) {
    super('The change was not made');
    this.refusal = refusal;
  }
}

export type Args<N extends keyof Api> = Api[N] extends (args: infer A, ...rest: never[]) => unknown
  ? NonNullable<A>
  : never;

export type Result<N extends keyof Api> = Api[N] extends (...args: never[]) => Promise<infer R> ? R : never;

export interface LookUpContext extends ChangeContext {
  /** The state before the change was requested. */
  readonly before: AccountState;
  /** The ids of what existed before the request, for what the state does not contain; undefined when they are not known. */
  readonly known: ReadonlySet<number> | undefined;
}

export type Known = (context: ChangeContext) => Promise<ReadonlySet<number>>;

/**
 * Finds out whether the server made a change: returns its result, or undefined if the server does not have it. Rejects when
 * that cannot be known. `send` makes the change again, for changes whose repetition has no further effect.
 */
export type Find<A, R> = (context: LookUpContext, args: A, send: () => Promise<R>) => Promise<R | undefined>;

export const repeat = <R>(_context: LookUpContext, _args: unknown, send: () => Promise<R>): Promise<R> =>
  repeated(send);

/** Makes a change again. If the server refuses that, the change may have been made by the first request: `find` looks. */
export async function repeated<R>(send: () => Promise<R>, find?: () => Promise<R | undefined>): Promise<R> {
  try {
    return await send();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const found = await find?.();
    if (found === undefined) throw new NotMade(error);
    return found;
  }
}

export function repeatedOr<A, R>(find: (context: LookUpContext, args: A) => Promise<R | undefined>): Find<A, R> {
  return (context, args, send) => repeated(send, () => find(context, args));
}

/** Repeats the end of the own account or of the organization, after which the server accepts its credentials no more. */
export async function repeatedOrLoggedOut<R>(
  _context: LookUpContext,
  _args: unknown,
  send: () => Promise<R>,
): Promise<R> {
  return repeated(send).catch((error: unknown) => {
    if (isApiFailure(error) && error.kind === 'login') return {} as R;
    throw error;
  });
}

/** Looks up a change that a registration shows: `resultIn` returns its result, given the state before it too. */
export function shownIn<A, R>(
  fetch: readonly FetchType[],
  resultIn: (state: AccountState, args: A, before: AccountState) => R | undefined,
) {
  return async ({api, before, clock, signal}: LookUpContext, args: A): Promise<R | undefined> => {
    const snapshot = await api.register(
      {
        event_types: [],
        fetch_event_types: [...fetch],
        client_gravatar: true,
        client_capabilities: fullClientCapabilities,
      },
      {signal},
    );
    // Nothing reads the queue. The server removes an unused one after some minutes.
    if (snapshot.queue_id !== null) api.deleteQueue({queue_id: snapshot.queue_id}, {signal}).catch(() => {});
    const context = {url: api.connection.site, now: clock.now(), self: before.self};
    return resultIn(stateFromSnapshot(snapshot, context), args, before);
  };
}

export async function findEdit(
  {api, before, signal}: LookUpContext,
  {message_id, content, topic, stream_id: channelId}: Args<'editMessage'>,
): Promise<Result<'editMessage'> | undefined> {
  const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
  const isThere =
    (content === undefined || isSameText(message.content, content)) &&
    (topic === undefined || isSameTopic(message.subject ?? '', topic, before)) &&
    (channelId === undefined || (message.type === 'stream' && message.stream_id === channelId));
  return isThere ? {detached_uploads: []} : undefined;
}

/** Compares with the stored text: servers trim it, and store `(deleted)` for empty text. */
function isSameText(stored: string, sent: string): boolean {
  return stored.trim() === sent.trim() || (sent.trim() === '' && stored === '(deleted)');
}

/** Returns whether the server accepts a question about something: it refuses if that does not exist. */
export async function isAccepted(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false;
      throw error;
    },
  );
}

/** Returns the item that was added since. */
export function newIn<V extends {readonly id: number}>(
  items: SortedMap<number, V>,
  before: SortedMap<number, V>,
  isWanted: (item: V) => boolean,
): V | undefined {
  return [...items.values()].find((one) => !before.has(one.id) && isWanted(one));
}

export function hasDomain(domains: AccountState['domains'], domain: string): boolean {
  return domains.some((one) => one.domain === domain);
}

export function doneIf(isDone: boolean): object | undefined {
  return isDone ? {} : undefined;
}

function isSameTopic(stored: string, requested: string, state: AccountState): boolean {
  const key = (topic: string) => normalizedTopicKey(topic, state);
  return stored === truncatedTopic(requested.trim(), state) || (key(stored) === '' && key(requested) === '');
}

export function isIn(list: readonly {readonly id: number}[], {id}: {readonly id: number}): boolean {
  return list.some((one) => one.id === id);
}

export function isSubscribedTo(state: AccountState, name: string): boolean {
  const channel = channelNamed(state, name);
  return channel !== undefined && isSubscribed(state, channel.id);
}

type Members = {has(id: number): boolean} | undefined;

export function hasMembers(members: Members, added: readonly number[] = [], removed: readonly number[] = []): boolean {
  return members !== undefined && added.every((id) => members.has(id)) && !removed.some((id) => members.has(id));
}

export async function isActive({api, signal}: LookUpContext, userId: number): Promise<boolean> {
  return (await api.getUser({user_id: userId}, {signal})).user.is_active !== false;
}

export async function inviteIds({api, signal}: ChangeContext): Promise<ReadonlySet<number>> {
  return new Set((await api.getInvites({}, {signal})).invites.map(inviteKey));
}

/** E-mail invitations and links are numbered separately. */
function inviteKey({id, is_multiuse}: {readonly id: number; readonly is_multiuse: boolean}): number {
  return is_multiuse ? -id : id;
}

export async function newInvites({api, known, signal}: LookUpContext) {
  const {invites} = await api.getInvites({}, {signal});
  if (known === undefined) throw new Error('The earlier invitations are not known');
  return invites.filter((one) => !known.has(inviteKey(one)));
}

export async function sshKeyIds({api, signal}: Pick<ChangeContext, 'api' | 'signal'>): Promise<ReadonlySet<number>> {
  return new Set((await api.getSshKeys({}, {signal})).ssh_keys.map(({id}) => id));
}

export async function hasInvite({api, signal}: LookUpContext, inviteId: number, isLink: boolean): Promise<boolean> {
  const {invites} = await api.getInvites({}, {signal});
  return invites.some(({id, is_multiuse}) => id === inviteId && is_multiuse === isLink);
}
