import type {Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {type CatchUpCard, catchUpCards} from '#state/selectors/catch-up.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {isSnoozed} from '#ui/inbox/snooze/snooze.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {
  type ListNote,
  type ListRow,
  type ListSource,
  loadingText,
  memoRows,
  type RowContext,
  withSpaceBelow,
} from '#ui/lists/list-source.ts';
import {countedNoun, fittedUnreadCount} from '#wording/counted-noun.ts';
import {ageText, catchUpReasonText, momentText} from '#wording/moment-text.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

type CatchUpView = Extract<View, {kind: 'catchUp'}>;

/** Returns the unread messages from a time on, in UNIX seconds. */
export function catchUpNarrow(since: number): Narrow {
  return [
    {operator: 'is', operand: 'unread'},
    {operator: 'after', operand: since},
  ];
}

/** A card: the row of a conversation, and below it rows for why it is there and what was said. */
interface CatchUpRow extends ListRow {
  /** The number of unread messages, and how many of them mention the user; undefined in the rows below. */
  readonly unreads?: Pick<CatchUpCard, 'count' | 'mentions'>;
  /** Why the conversation is there, where the row has room for it. */
  readonly why: string;
  readonly age: string;
  /** Who wrote what the row quotes. */
  readonly sender?: string;
}

/** From this screen width on the row of the conversation says why it is there. */
const whyMinColumns = 100;
const countColumns = 5;

export const catchUpList: ListSource<CatchUpRow> = {
  id: 'catchUp',
  views: ['catchUp'],
  rows: memoRows(
    ({account, screen, minute}) => [
      account.unreads,
      account.messages,
      account.userTopics,
      account.subscriptions,
      account.channels,
      account.formerChannels,
      account.users,
      account.mutedUsers,
      account.realm,
      account.self,
      messageContext(account),
      screen.view,
      screen.inbox.snoozes,
      screen.size.columns >= whyMinColumns,
      minute,
    ],
    (frame) => shownCards(frame).flatMap((card, at) => cardRows(frame, card, at)),
  ),
  line: rowLine,
  headLines: (frame, columns) => withSpaceBelow(frame, [headLine(frame, columns)]),
  note: rangeNote,
  emptyText: (frame) => (isLoading(frame) ? '' : 'Nothing to catch up on. The inbox (g i) has older unread messages.'),
};

function shownView({screen}: Frame): CatchUpView | undefined {
  return screen.view.kind === 'catchUp' ? screen.view : undefined;
}

function shownCards(frame: Frame): readonly CatchUpCard[] {
  const view = shownView(frame);
  const {account, screen, minute} = frame;
  if (view === undefined) return [];
  return catchUpCards(account, view).filter(({key}) => {
    const snooze = screen.inbox.snoozes.get(key);
    return snooze === undefined || !isSnoozed(account, snooze, minute);
  });
}

function cardRows({account, minute, screen}: Frame, card: CatchUpCard, at: number): readonly CatchUpRow[] {
  const {key, conversation, count, mentions, messages, newestAt} = card;
  const label = conversationRowTitle(account, conversation);
  const why = catchUpReasonText(card);
  const isWide = screen.size.columns >= whyMinColumns;
  const below = (rowKey: string, text: string, sender?: string): CatchUpRow => ({
    key: `${rowKey} ${key}`,
    kind: 'heading',
    label: text,
    why: '',
    age: '',
    ...(sender !== undefined && {sender}),
  });
  const names = messageContext(account);
  return [
    ...(at === 0 ? [] : [{...below('space', ''), kind: 'space'} as const]),
    {
      key,
      kind: 'item',
      label,
      target: {kind: 'conversation', conversation},
      unreads: {count, mentions},
      why: isWide ? why : '',
      age: ageText(newestAt * 1000, minute),
    },
    ...(isWide ? [] : [below('why', why)]),
    ...messages.map(({id, senderId, senderName, content, facts}) =>
      below(`said ${id}`, excerpt(content, names, facts), userName(account, senderId, senderName)),
    ),
  ];
}

function rowLine({unreads, why, age, sender, label, kind}: CatchUpRow, context: RowContext): UiLine {
  const {columns, glyphs} = context;
  const {ellipsis} = glyphs;
  const indent: UiSpan = {text: ' '.repeat(countColumns + 1), role: 'text'};
  if (kind !== 'item' || unreads === undefined) {
    const spans: readonly UiSpan[] =
      sender === undefined
        ? [{text: label, role: 'section'}]
        : [
            {text: composed`${sender}: `, role: 'dim'},
            {text: label, role: 'text'},
          ];
    return fittedLine([indent, ...spans], columns - 1, ellipsis);
  }
  const count = fittedUnreadCount(unreads, countColumns).padStart(countColumns);
  const right: readonly UiSpan[] = [
    ...(why === '' ? [] : [{text: `  ${why}`, role: 'section'} as const]),
    {text: `  ${age} `, role: 'age'},
  ];
  const left: readonly UiSpan[] = [
    {text: `${count} `, role: unreads.mentions > 0 ? 'mention_count' : 'unread_count'},
    ...context.label('unread'),
  ];
  return leftRightLine(left, right, columns, {ellipsis});
}

function headLine(frame: Frame, columns: number): UiLine {
  const view = shownView(frame);
  const cards = catchUpList.rows(frame).filter(({kind}) => kind === 'item').length;
  const since = view === undefined ? '' : momentText(frame, view.since * 1000);
  const spans: readonly UiSpan[] = [
    {text: ` Unread since ${since}`, role: 'title'},
    {text: `  ${countedNoun(cards, 'conversation')}`, role: 'dim'},
  ];
  return fittedLine(spans, columns, uiGlyphs(frame.display).ellipsis);
}

function shownTimeline(frame: Frame): Timeline | undefined {
  const view = shownView(frame);
  return view && timelineOf(frame.account, catchUpNarrow(view.since));
}

function isLoading(frame: Frame): boolean {
  const timeline = shownTimeline(frame);
  return timeline === undefined || timeline.loading !== undefined;
}

/** Returns whether messages are still loading, why they could not be loaded, or that there are more. */
function rangeNote(frame: Frame): ListNote | undefined {
  const timeline = shownTimeline(frame);
  if (timeline?.problem !== undefined) return {text: timeline.problem, role: 'error'};
  if (isLoading(frame)) return {text: loadingText(frame) ?? 'Loading…', role: 'dim'};
  if (timeline === undefined || timeline.hasOldest) return undefined;
  return {text: 'These are the newest unread messages. The inbox (g i) has the others.', role: 'dim'};
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    catchUp: true;
  }
}
