import {conversationKey} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {channelName, distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {type Availability, statusMessage} from '#state/selectors/people/people.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {memoBySlices} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import {type Frame, shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {fittedLine, leftRightLine, type UiLine} from '#ui/layout/ui-line.ts';
import {
  fetchNote,
  type ListNote,
  type ListRow,
  type ListSource,
  memoRows,
  type RowContext,
} from '#ui/lists/list-source.ts';
import {personPresence, presenceRank, presenceSpans, shownPresences} from '#ui/lists/navigation-row.ts';
import {roles} from '#wire/objects/user.ts';
import {roleName, statusEmoji, statusText} from './user-details.ts';

/** A user in the list of people. */
interface PersonRow extends ListRow {
  readonly presence: Availability | undefined;
  /** The user's status text, and its emoji for narrow panes. */
  readonly status: string;
  readonly emoji: string;
  readonly isBot: boolean;
  readonly isSelf: boolean;
  /** The role of those who have a special one; guests have theirs in the name. */
  readonly role: string;
}

/** The list of people: first those of the shown conversation or channel, then all others; available users first. */
export const peopleList: ListSource<PersonRow> = {
  id: 'people',
  views: ['people'],
  pane: 'people',
  initial: {folded: new Set(['deactivated'])},
  rows: memoRows((frame) => {
    const {account, screen, minute, display} = frame;
    return [
      account.users,
      account.statuses,
      account.mutedUsers,
      account.self,
      account.server,
      account.channels,
      account.realm,
      shownPresences(frame),
      account.subscribers.get(viewChannelId(screen.view) ?? -1),
      account.messages.byConversation.get(shownKey(screen) ?? ''),
      shownKey(screen),
      viewChannelId(screen.view),
      minute,
      display.glyphs,
      showsAllUsers(account, screen),
    ];
  }, peopleRows),
  line: personLine,
  note: membersNote,
  emptyText: ({account, screen}) =>
    showsAllUsers(account, screen) ? 'No people yet.' : 'Open a conversation to see its members. w finds people.',
};

/** Returns why the list does not say who is in the shown channel. */
function membersNote(frame: Frame): ListNote | undefined {
  const {account, screen} = frame;
  const channelId = viewChannelId(screen.view);
  if (channelId === undefined || account.connection.phase !== 'online') return undefined;
  if (account.subscribers.get(channelId)?.complete === true) return undefined;
  return fetchNote(frame, {noun: 'members', fetch: ['subscribers', channelId], isEmpty: false});
}

function shownKey(screen: Frame['screen']): string | undefined {
  const conversation = shownConversation(screen);
  return conversation === undefined ? undefined : conversationKey(conversation);
}

function peopleRows(frame: Frame): readonly PersonRow[] {
  const {account, screen} = frame;
  const channelId = viewChannelId(screen.view);
  const participantIds = new Set(participants(account, screen));
  const subscribed = channelId === undefined ? undefined : account.subscribers.get(channelId)?.ids;
  const groups: readonly [group: string, title: string, people: User[]][] = [
    ['talking', 'In this conversation', []],
    ['channel', channelId === undefined ? '' : composed`In #${channelName(account, channelId)}`, []],
    ['others', participantIds.size > 0 || subscribed !== undefined ? 'Others' : 'People', []],
  ];
  const candidates = showsAllUsers(account, screen)
    ? byName(account).shown
    : membersOnly(account, participantIds, subscribed);
  for (const user of candidates) {
    const at = participantIds.has(user.id) ? 0 : subscribed?.has(user.id) === true ? 1 : 2;
    groups[at]?.[2].push(user);
  }
  const gone = screen.view.kind === 'people' ? byName(account).deactivated : [];
  const all = [...groups, ['deactivated', `Deactivated (${gone.length})`, gone] as const];
  return all.flatMap(([group, title, people]) =>
    people.length === 0 ? [] : [titleRow(group, title), ...peopleByPresence(frame, people, group)],
  );
}

/** Organizations with more users than this show only the members of a conversation, until the list has the focus. */
const largeOrganization = 1000;

function showsAllUsers({users}: AccountState, {view, focus}: Frame['screen']): boolean {
  return users.size <= largeOrganization || view.kind === 'people' || focus === 'people';
}

function membersOnly(
  account: AccountState,
  participantIds: ReadonlySet<number>,
  subscribed: SortedSet<number> | undefined,
): readonly User[] {
  const ids = new Set([
    ...participantIds,
    ...(subscribed !== undefined && subscribed.size <= largeOrganization ? subscribed : []),
  ]);
  const people = [...ids].flatMap((id) => account.users.get(id) ?? []);
  return sortedByName(
    people.filter((user) => isShown(account, user)),
    ({id}) => userName(account, id),
  );
}

function isShown({mutedUsers}: AccountState, {id, isActive, isSystemBot}: User): boolean {
  return isActive && !isSystemBot && !mutedUsers.has(id);
}

/**
 * Returns all users to write to, and the deactivated people and bots, whose group is folded at first; both by name. Memoized,
 * because comparing names is the slowest step here.
 */
const byName = memoBySlices(['users', 'mutedUsers', 'realm'], (account: AccountState) => {
  const users = [...account.users.values()].filter(({isSystemBot}) => !isSystemBot);
  const sorted = sortedByName(users, ({id}) => userName(account, id));
  return {
    shown: sorted.filter((user) => isShown(account, user)),
    deactivated: sorted.filter(({isActive}) => !isActive),
  };
});

/** Number of messages to search for the participants of a topic. */
const maxSearched = 200;

function participants(account: AccountState, screen: Frame['screen']): readonly number[] {
  const conversation = shownConversation(screen);
  if (conversation === undefined) return [];
  if (conversation.kind === 'direct') return [...conversation.userIds, account.self.userId];
  const ids = account.messages.byConversation.get(conversationKey(conversation));
  const senders = new Set<number>();
  let id = ids?.last();
  for (let searched = 0; id !== undefined && searched < maxSearched; searched += 1) {
    const sender = account.messages.byId.get(id)?.senderId;
    if (sender !== undefined) senders.add(sender);
    id = ids?.before(id);
  }
  return [...senders];
}

/** Returns the rows with available users first, otherwise in the given order. */
function peopleByPresence(frame: Frame, people: readonly User[], group: string): readonly PersonRow[] {
  const {account, display} = frame;
  return people
    .map((user): PersonRow => {
      const status = statusMessage(account, user.id);
      return {
        key: `person ${user.id}`,
        kind: 'item',
        label: distinctUserName(account, user.id),
        group,
        target: {kind: 'person', userId: user.id},
        searchText: user.deliveryEmail,
        presence: personPresence(frame, user.id),
        status: status === undefined ? '' : statusText(status, display),
        emoji: status === undefined ? '' : statusEmoji(status, display),
        isBot: user.isBot,
        isSelf: user.id === account.self.userId,
        role: user.isBot || user.role >= roles.member ? '' : roleName(user.role).toLowerCase(),
      };
    })
    .sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({presence, isBot}: PersonRow): number {
  return isBot ? presenceRank('unknown') + 1 : presenceRank(presence ?? 'unknown');
}

function titleRow(group: string, label: string): PersonRow {
  const emptyFields = {presence: undefined, status: '', emoji: '', isBot: false, isSelf: false, role: ''};
  return {key: `title ${group}`, kind: 'title', label, group, ...emptyFields};
}

function personLine(row: PersonRow, {columns, glyphs, isFocused, isFolded, label}: RowContext): UiLine {
  if (row.kind === 'title') {
    const text = composed`${row.label.toUpperCase()}${isFolded ? composed` ${glyphs.folded}` : ''}`;
    return fittedLine([{text, role: isFocused ? 'title' : 'section'}], columns, glyphs.ellipsis);
  }
  const isAvailable = row.presence === 'active' || row.presence === 'idle';
  const isNamedBot = /\bbot$/i.test(row.label);
  const notes = [row.isSelf ? 'you' : '', row.isBot && !isNamedBot ? 'bot' : '', row.role];
  const note = notes.filter((text) => text !== '').join(', ');
  return leftRightLine(
    [
      ...presenceSpans(row.presence ?? 'unknown', glyphs),
      ...label(isAvailable ? 'text' : 'dim'),
      {text: note === '' ? '' : ` ${note}`, role: 'dim'},
      ...(columns > 60 && row.status !== '' ? [{text: `  ${row.status}`, role: 'dim'} as const] : []),
    ],
    columns > 60 || row.emoji === '' ? [] : [{text: `${row.emoji} `, role: 'dim'}],
    columns,
    {ellipsis: glyphs.ellipsis, minLeft: 14},
  );
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    people: true;
  }
}
