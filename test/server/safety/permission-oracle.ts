import type {Person} from '#test/support/people.ts';
import type {RandomActionKind} from './random-actions.ts';
import type {OracleChannel, OracleMessage, VisibilityOracle} from './visibility-oracle.ts';

interface Attempt {
  readonly actor: Person;
  readonly channel: OracleChannel;
  readonly message: OracleMessage | undefined;
  readonly person: Person;
}

const onChannel: readonly RandomActionKind[] = ['archive', 'rename', 'describe', 'grant', 'makePrivate', 'makePublic'];
const byAdministrators: readonly RandomActionKind[] = ['promote', 'renameOther', 'limitUsers', 'makeFolder', 'linkify'];

/**
 * Returns whether the documentation of Zulip allows an action in an organization with the default permissions; undefined
 * where more than roles, subscriptions and the channel's own permissions decides.
 */
export function isAllowed(oracle: VisibilityOracle, kind: RandomActionKind, attempt: Attempt): boolean | undefined {
  const {now} = oracle;
  const {actor, channel, message, person} = attempt;
  const user = now.users.get(actor.id);
  if (user?.isActive !== true) return false;
  const isGuest = user.role >= 600;
  const isAdmin = user.role <= 200;
  const isSubscribed = now.subscribed.has(`${actor.id}:${channel.id}`);
  const reads = oracle.readsChannel(now, actor.id, channel.id);
  if (onChannel.includes(kind)) {
    return isAdmin || oracle.administers(now, actor.id, channel.id) ? undefined : false;
  }
  if (byAdministrators.includes(kind)) return isAdmin || actor === person ? undefined : false;
  switch (kind) {
    case 'send':
      if (channel.isArchived) return false;
      if (isSubscribed || channel.isWebPublic || (!channel.isPrivate && !isGuest)) return true;
      return reads || user.isBot ? undefined : false;
    case 'join':
      if (isGuest || !reads) return false;
      return channel.isArchived ? undefined : true;
    case 'add':
      // Channels that the actor may not use can be passed over.
      return isGuest ? false : undefined;
    case 'remove':
      if (isAdmin || actor === person || now.users.get(person.id)?.owner === actor.id) return undefined;
      return oracle.administers(now, actor.id, channel.id) ? undefined : false;
    case 'leave':
      return oracle.seesChannel(now, actor.id, channel.id);
    case 'deactivate':
      return isAdmin || actor === person || now.users.get(person.id)?.owner === actor.id ? undefined : false;
    default:
      return message === undefined ? undefined : isAllowedOnMessage(oracle, kind, actor, message);
  }
}

/** The actions on messages that need no more than to read them, in a channel that is not archived. */
const byReaders: readonly RandomActionKind[] = ['react', 'unreact', 'edit', 'delete', 'retitle', 'resolve', 'move'];

function isAllowedOnMessage(
  oracle: VisibilityOracle,
  kind: RandomActionKind,
  actor: Person,
  {id, sender, channel}: OracleMessage,
): boolean | undefined {
  if (!byReaders.includes(kind)) return undefined;
  const {now} = oracle;
  if (!oracle.reads(now, actor.id, id) || now.channels.get(channel ?? 0)?.isArchived === true) return false;
  const role = now.users.get(actor.id)?.role ?? 600;
  if (kind === 'edit' && sender !== actor.id) return false;
  if (kind !== 'delete') return undefined;
  if (role <= 200) return true;
  return sender === actor.id || now.users.get(sender)?.owner === actor.id ? undefined : false;
}
