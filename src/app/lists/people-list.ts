import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {shownConversation, viewChannelId} from '#app/core/view.ts';
import {fittedLine, leftRightLine, type UiLine} from '#app/layout/ui-line.ts';
import {statusEmoji, statusText} from '#app/people/status-text.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {channelName, userName} from '#state/selectors/names/names.ts';
import {type Availability, statusMessage} from '#state/selectors/people/presence-status.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import {personPresence, presenceRank, shownPresences} from './direct-presence.ts';
import {type ListRow, RowCache} from './list-row.ts';
import type {ListSource, RowContext} from './list-source.ts';
import {presenceSpans} from './navigation-row.ts';

interface PersonRow extends ListRow {
  readonly presence: Availability | undefined;
  /** What they say they are up to, and the sign of it for where there is no room for words. */
  readonly status: string;
  readonly sign: string;
  readonly isBot: boolean;
  readonly isSelf: boolean;
}

const keeper = new RowCache<PersonRow>();

/** Who is there: first those in what is shown, then everybody else; those at their keyboards first. */
export const peopleList: ListSource<PersonRow> = {
  rows: memoByFrame(
    (frame) => {
      const {account, screen, minute, display: looks} = frame;
      return [
        account.users,
        account.statuses,
        account.mutedUsers,
        account.self,
        account.channels,
        account.realm,
        shownPresences(frame),
        account.subscribers.get(viewChannelId(screen.view) ?? -1),
        account.messages.byConversation.get(shownKey(screen) ?? ''),
        shownKey(screen),
        viewChannelId(screen.view),
        minute,
        looks.glyphs,
        showsEverybody(account, screen),
      ];
    },
    (frame) => keeper.reuse(peopleRows(frame)),
  ),
  line: personLine,
  emptyText: ({account, screen}) =>
    showsEverybody(account, screen)
      ? 'Nobody is known here yet.'
      : 'Who is in a conversation stands here. w finds anybody.',
};

function shownKey(screen: Frame['screen']): string | undefined {
  const conversation = shownConversation(screen);
  return conversation === undefined ? undefined : conversationKey(conversation);
}

function peopleRows(frame: Frame): readonly PersonRow[] {
  const {account, screen} = frame;
  const channelId = viewChannelId(screen.view);
  const talking = new Set(participants(account, screen));
  const subscribed = channelId === undefined ? undefined : account.subscribers.get(channelId)?.ids;
  const groups: readonly [group: string, title: string, people: User[]][] = [
    ['talking', 'In this conversation', []],
    ['channel', channelId === undefined ? '' : `In #${channelName(account, channelId)}`, []],
    ['others', talking.size > 0 || subscribed !== undefined ? 'Others' : 'People', []],
  ];
  const candidates = showsEverybody(account, screen)
    ? byName(account)
    : membersOnly(account, talking, subscribed);
  for (const user of candidates) {
    const at = talking.has(user.id) ? 0 : subscribed?.has(user.id) === true ? 1 : 2;
    groups[at]?.[2].push(user);
  }
  return groups.flatMap(([group, title, people]) =>
    people.length === 0 ? [] : [titleRow(group, title), ...peopleByPresence(frame, people, group)],
  );
}

/** Beside a conversation of a large organization only those in it are shown, until somebody goes there. */
const many = 1000;

function showsEverybody({users}: AccountState, {view, focus}: Frame['screen']): boolean {
  return users.size <= many || view.kind === 'people' || focus === 'people';
}

function membersOnly(
  account: AccountState,
  talking: ReadonlySet<number>,
  subscribed: SortedSet<number> | undefined,
): readonly User[] {
  const ids = new Set([
    ...talking,
    ...(subscribed !== undefined && subscribed.size <= many ? subscribed : []),
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

/** Everybody one could write to. In order once for all: comparing names costs more than everything else here. */
const byName = memoBySlices(['users', 'mutedUsers', 'realm'], (account: AccountState): readonly User[] => {
  const shown = [...account.users.values()].filter((user) => isShown(account, user));
  return sortedByName(shown, ({id}) => userName(account, id));
});

/** How far back to look for who takes part in a topic. */
const lookBack = 200;

function participants(account: AccountState, screen: Frame['screen']): readonly number[] {
  const conversation = shownConversation(screen);
  if (conversation === undefined) return [];
  if (conversation.kind === 'direct') return [...conversation.userIds, account.self.userId];
  const ids = account.messages.byConversation.get(conversationKey(conversation));
  const senders = new Set<number>();
  let id = ids?.last();
  for (let looked = 0; id !== undefined && looked < lookBack; looked += 1) {
    const sender = account.messages.byId.get(id)?.senderId;
    if (sender !== undefined) senders.add(sender);
    id = ids?.before(id);
  }
  return [...senders];
}

/** Those who are there first; otherwise as they come, by name. */
function peopleByPresence(frame: Frame, people: readonly User[], group: string): readonly PersonRow[] {
  const {account, display: looks} = frame;
  return people
    .map((user): PersonRow => {
      const status = statusMessage(account, user.id);
      return {
        key: `person ${user.id}`,
        kind: 'item',
        label: userName(account, user.id),
        group,
        target: {kind: 'person', userId: user.id},
        presence: personPresence(frame, user.id),
        status: status === undefined ? '' : statusText(status, looks),
        sign: status === undefined ? '' : statusEmoji(status, looks),
        isBot: user.isBot,
        isSelf: user.id === account.self.userId,
      };
    })
    .sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({presence, isBot}: PersonRow): number {
  return isBot ? presenceRank('unknown') + 1 : presenceRank(presence ?? 'unknown');
}

function titleRow(group: string, label: string): PersonRow {
  const nobody = {presence: undefined, status: '', sign: '', isBot: false, isSelf: false};
  return {key: `title ${group}`, kind: 'title', label, group, ...nobody};
}

function personLine(shown: PersonRow, {columns, glyphs, isFocused, isFolded, label}: RowContext): UiLine {
  if (shown.kind === 'title') {
    const text = `${shown.label.toUpperCase()}${isFolded ? ` ${glyphs.folded}` : ''}`;
    return fittedLine([{text, role: isFocused ? 'title' : 'section'}], columns, glyphs.ellipsis);
  }
  const isThere = shown.presence === 'active' || shown.presence === 'idle';
  const isNamedBot = /\bbot$/i.test(shown.label);
  const note = shown.isSelf ? 'you' : shown.isBot && !isNamedBot ? 'bot' : '';
  return leftRightLine(
    [
      ...presenceSpans(shown.presence ?? 'unknown', glyphs),
      ...label(isThere ? 'text' : 'dim'),
      {text: note === '' ? '' : ` ${note}`, role: 'dim'},
      ...(columns > 60 && shown.status !== '' ? [{text: `  ${shown.status}`, role: 'dim'} as const] : []),
    ],
    columns > 60 || shown.sign === '' ? [] : [{text: `${shown.sign} `, role: 'dim'}],
    columns,
    {ellipsis: glyphs.ellipsis, minLeft: 14},
  );
}
