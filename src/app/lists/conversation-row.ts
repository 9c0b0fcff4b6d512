import type {Frame} from '#app/core/frame.ts';
import {ageText} from '#app/format/age-text.ts';
import {excerpt} from '#app/format/excerpt.ts';
import {messageContext} from '#app/format/message-context.ts';
import {columnsLine, fittedLine, type LineColumn, type UiLine} from '#app/layout/ui-line.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import type {RecentRow} from '#state/selectors/lists/recent-conversations.ts';
import {mutedUserName, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {directPresence} from './direct-presence.ts';
import type {RowContext} from './list-source.ts';
import {
  countSpans,
  emptyNavigationRow,
  type NavigationRow,
  navigationLine,
  presenceSpans,
  rowSymbolSpans,
} from './navigation-row.ts';

/** A conversation with a whole row of the screen to itself. */
export interface ConversationRow extends NavigationRow {
  /** Who wrote there last, the latest first. */
  readonly people: string;
  /** How long ago. */
  readonly age: string;
  /** The beginning of the last message. */
  readonly snippet: string;
}

const peopleColumns = 24;
const ageColumns = 4;
const countColumns = 6;
/** From this width on the last message is quoted. */
const snippetFrom = 110;
const peopleFrom = 76;
/** Beside a quotation, which takes any width, titles have a third of the row. */
const [leastTitle, mostTitle] = [44, 64];

export function conversationLine(shown: ConversationRow, room: RowContext): UiLine {
  if (room.columns < 48) return navigationLine(shown, room);
  const hasSnippet = room.columns >= snippetFrom;
  const tail: LineColumn[] = [
    {text: shown.age, role: 'age', width: ageColumns, align: 'right'},
    {...countColumn(shown), width: countColumns, align: 'right'},
  ];
  if (room.columns >= peopleFrom) tail.unshift({text: shown.people, role: 'dim', width: peopleColumns});
  if (hasSnippet) tail.unshift({text: shown.snippet, role: 'dim', width: 'rest'});
  // Numbers keep a column from the edge, as in narrow lists.
  const wide = room.columns - 1;
  const title = titleLine(shown, room, hasSnippet ? titleColumns(wide) : wide - tailColumns(tail));
  const rest = columnsLine(tail, wide - title.width - 2, {gap: 2, ellipsis: room.glyphs.ellipsis});
  return prefixLine(rest, [...title.spans, {text: '  ', role: 'text'}]);
}

function titleColumns(columns: number): number {
  return Math.max(leastTitle, Math.min(mostTitle, Math.floor(columns / 3)));
}

function tailColumns(tail: readonly LineColumn[]): number {
  return tail.reduce((sum, {width}) => sum + (width === 'rest' ? 0 : width) + 2, 0);
}

/** Exactly so wide, its signs included: names give way to signs. */
function titleLine(shown: ConversationRow, room: RowContext, width: number): UiLine {
  const {glyphs} = room;
  const presence = presenceSpans(shown.presence, glyphs);
  const signs = rowSymbolSpans(shown, glyphs);
  const space = width - spansColumns(presence) - spansColumns(signs);
  const role = shown.isMuted ? 'muted' : shown.count > 0 ? 'unread' : 'text';
  const label = fittedLine(room.label(role), space, glyphs.ellipsis);
  const used = [...presence, ...label.spans, ...signs];
  const missing = width - spansColumns(used);
  return fittedLine(missing > 0 ? [...used, {text: ' '.repeat(missing), role: 'text'}] : used, width);
}

function countColumn(shown: ConversationRow) {
  const [count] = countSpans({...shown, isOneConversation: true});
  return count ?? {text: '', role: 'text' as const};
}

/** A conversation as lists of recent ones have it. */
export function conversationRow(frame: Frame, recent: RecentRow): ConversationRow {
  const {account, minute} = frame;
  const {key, conversation, lastMessageId, lastAt} = recent;
  return {
    ...emptyNavigationRow,
    key,
    label: recent.title,
    target: {kind: 'conversation', conversation},
    count: recent.unreadCount,
    mentions: recent.hasMention ? 1 : 0,
    isMuted: recent.isMuted,
    isFollowed: recent.isFollowed,
    isResolved: recent.isResolved,
    hasDraft: draftConversations(account).has(key),
    presence: directPresence(frame, conversation),
    people: peopleText(account, conversation, recent.participants),
    age: lastAt === undefined ? '' : ageText(lastAt * 1000, minute),
    snippet: snippetOf(frame, lastMessageId),
  };
}

type People = Pick<AccountState, 'self' | 'users' | 'mutedUsers' | 'realm'>;

/** Whoever else is in a direct conversation is in its title already. */
export function peopleText(
  account: People,
  conversation: Conversation,
  participants: readonly number[],
): string {
  if (conversation.kind === 'direct') return '';
  return participants.map((id) => (id === account.self.userId ? 'you' : firstName(account, id))).join(', ');
}

function firstName(account: People, userId: number): string {
  if (account.mutedUsers.has(userId)) return mutedUserName;
  const name = userName(account, userId);
  const [first = name] = name.split(' ');
  return textColumns(first) < 2 ? name : first;
}

/** Narrower screens have no room for the words of a message in a row. */
const snippetScreen = 130;

export function hasSnippets({screen}: Frame): boolean {
  return screen.size.columns >= snippetScreen;
}

/** In one line; empty where it would not be seen. */
export function snippetOf(frame: Frame, messageId: number): string {
  const {account} = frame;
  const message = hasSnippets(frame) ? account.messages.byId.get(messageId) : undefined;
  return message === undefined || account.mutedUsers.has(message.senderId)
    ? ''
    : excerpt(message.content, messageContext(account));
}
