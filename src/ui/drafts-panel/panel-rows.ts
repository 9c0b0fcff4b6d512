import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {sameConversation} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {draftCount, isVisibleDraft} from '#state/selectors/lists/conversation-properties.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {Reminder} from '#state/slices/reminders.ts';
import type {ScheduledMessage} from '#state/slices/scheduled.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import {
  type DraftsTab,
  draftsTabs,
  type Frame,
  memoByFrame,
  organizationFrames,
  shownConversation,
} from '#ui/core/frame.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {
  type ListRow,
  type ListSource,
  markSpans,
  memoRows,
  mergedByTime,
  organizationsNote,
  rowsOfOrganizations,
} from '#ui/lists/list-source.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {ageText, momentText} from '#wording/moment-text.ts';

/** The first line of an entry, which the cursor can be on, or a line of its text. */
interface PanelRow extends ListRow {
  /** Undefined on text lines. */
  readonly item?: PanelItem | undefined;
  /** The entry's age, or when it is due. */
  readonly when?: string | undefined;
  /** The same in milliseconds since the epoch: its place among the entries of several organizations. */
  readonly at?: number | undefined;
  /** The entry's status. */
  readonly note?: string | undefined;
  readonly noteRole?: UiRole | undefined;
  readonly isDestinationGone?: boolean | undefined;
}

type PanelEntry = Omit<PanelRow, 'kind' | 'group'> & {
  readonly text: string;
  /** Why it was not sent; shown below the text. */
  readonly problem?: string | undefined;
};

function shownDraftsTab({screen}: Frame): DraftsTab {
  return screen.view.kind === 'drafts' ? screen.view.tab : 'drafts';
}

/** The rows of the shown tab. */
export const panelRows = memoRows(
  (frame) => [
    frame.account,
    frame.minute,
    frame.screen.view,
    frame.screen.back,
    frame.screen.composer.draftId,
    textWidth(frame),
    frame.organizations,
  ],
  (frame): readonly PanelRow[] => {
    const [tab, width] = [shownDraftsTab(frame), textWidth(frame)];
    const lists = rowsOfOrganizations(
      frame,
      (own) => tabRows(own, tab, width, frame.organizations === undefined),
      (other) => otherRows(other, tab, width, false),
    );
    return lists.length === 1 ? lists.flat() : mergedByTime(lists, ({at}) => at, tab !== 'drafts');
  },
);

function tabRows(frame: Frame, tab: DraftsTab, width: number, isAlone: boolean): readonly PanelRow[] {
  return entriesOf[tab](frame, isAlone).flatMap((entry) => rowsOf(entry, width));
}

/** The rows of an account that is not shown: kept with its frame. */
const otherRows = memoByObject(tabRows);

/** The pane's width without the cursor bar and the indent of the text. */
function textWidth(frame: Frame): number {
  return Math.max(8, screenLayout(frame).main.columns - 5);
}

/** Returns the rows of an entry. Text lines cannot have the cursor and are hidden while filtering. */
function rowsOf({text, problem, ...head}: PanelEntry, width: number): readonly PanelRow[] {
  const reason = problem === undefined ? [] : draftPreviewLines(`! ${problem}`, width);
  const lines = [...draftPreviewLines(text, width), ...reason].map((label, at): PanelRow => {
    return {key: `${head.key} ${at}`, kind: 'title', group: 'text', label};
  });
  return [{...head, kind: 'item'}, ...lines];
}

const entriesOf: Readonly<Record<DraftsTab, (frame: Frame, isAlone: boolean) => readonly PanelEntry[]>> = {
  drafts: draftEntries,
  outbox: (frame) => unsent(frame).map((entry) => outboxEntry(frame, entry)),
  scheduled: scheduledEntries,
  reminders: reminderEntries,
};

/**
 * Drafts by when they were last edited. If they are the only ones in the list, those of the conversation before come first; among
 * those of other organizations they would move when the cursor goes there.
 */
function draftEntries(frame: Frame, isAlone: boolean): readonly PanelEntry[] {
  const rank = (draft: LocalDraft) => Number(isAlone && isHere(frame, draft));
  return frame.account.localDrafts
    .filter(isVisibleDraft)
    .toReversed()
    .toSorted((a, b) => rank(b) - rank(a) || b.editedAt - a.editedAt)
    .map((draft) => draftEntry(frame, draft));
}

/** Returns whether a draft is for the conversation of the previous view. */
function isHere({info, screen}: Frame, {target}: LocalDraft): boolean {
  const before = screen.back.at(-1);
  const here = before?.account === info.accountName ? shownConversation(before) : undefined;
  return here !== undefined && target.kind !== 'none' && sameConversation(target, here);
}

function draftEntry({account, screen, minute}: Frame, draft: LocalDraft): PanelEntry {
  const exists = targetExists(account, draft.target);
  const isOpen = screen.composer.isOpen && screen.composer.draftId === draft.id;
  return {
    key: `drafts:${draft.id}`,
    label: draftDestinationTitle(account, draft.target),
    item: {kind: 'draft', draft},
    when: ageText(draft.editedAt, minute),
    at: draft.editedAt,
    isDestinationGone: !exists,
    target: draft.target.kind === 'none' ? undefined : {kind: 'conversation', conversation: draft.target},
    text: draft.content,
    ...(exists
      ? {
          note: isOpen
            ? 'open in the composer'
            : syncNote(account.settings.enableDraftsSynchronization === true, draft),
        }
      : {
          note: draft.target.kind === 'none' ? 'Enter picks one' : 'no longer exists: Enter picks another',
          noteRole: 'warning' as const,
        }),
  };
}

function syncNote(isSynced: boolean, {status, serverId}: LocalDraft): string | undefined {
  if (serverId === undefined || status === 'dirty') return isSynced ? 'not synced yet' : 'only on this machine';
  return undefined;
}

/** Outbox entries that do not appear as messages yet. */
function unsent({account}: Frame): readonly OutboxEntry[] {
  return account.outbox
    .filter(({messageId}) => messageId === undefined || !account.messages.byId.has(messageId))
    .toSorted((a, b) => a.order - b.order);
}

const statusNotes: Readonly<Record<OutboxEntry['status'], readonly [note: string, role: UiRole]>> = {
  queued: ['queued', 'pending'],
  sending: ['sending', 'pending'],
  sent: ['sent', 'pending'],
  unconfirmed: ['may have arrived', 'warning'],
  failed: ['not sent', 'failed'],
  held: ['not sent automatically', 'warning'],
};

function outboxEntry({account, minute}: Frame, entry: OutboxEntry): PanelEntry {
  const [usual, noteRole] = statusNotes[entry.status];
  const isOffline = entry.status === 'queued' && account.connection.phase !== 'online';
  return {
    key: `outbox:${entry.id}`,
    label: conversationTitle(account, entry.conversation),
    item: {kind: 'outbox', entry},
    when: ageText(entry.createdAt, minute),
    at: entry.createdAt,
    note: isOffline ? 'waiting for the connection' : usual,
    noteRole,
    target: {kind: 'conversation', conversation: entry.conversation},
    text: entry.content,
    problem: entry.problem,
  };
}

/** Scheduled messages, the next one first. */
function scheduledEntries(frame: Frame): readonly PanelEntry[] {
  const {account} = frame;
  return [...account.scheduled.values()]
    .toSorted((a, b) => a.scheduledDeliveryTimestamp - b.scheduledDeliveryTimestamp)
    .map((message): PanelEntry => {
      return {
        key: `scheduled:${message.id}`,
        label: conversationTitle(account, message.conversation),
        item: {kind: 'scheduled', message},
        when: momentText(frame, message.scheduledDeliveryTimestamp * 1000),
        at: message.scheduledDeliveryTimestamp * 1000,
        isDestinationGone: !targetExists(account, message.conversation),
        target: {kind: 'conversation', conversation: message.conversation},
        text: message.content,
        ...failedNote(message.failed),
      };
    });
}

function reminderEntries(frame: Frame): readonly PanelEntry[] {
  return [...frame.account.reminders.values()]
    .toSorted((a, b) => a.scheduledDeliveryTimestamp - b.scheduledDeliveryTimestamp)
    .map((reminder): PanelEntry => {
      return {
        key: `reminders:${reminder.id}`,
        label: reminderTitle(frame, reminder.reminderTargetMessageId),
        item: {kind: 'reminder', reminder},
        when: momentText(frame, reminder.scheduledDeliveryTimestamp * 1000),
        at: reminder.scheduledDeliveryTimestamp * 1000,
        text: reminderText(frame, reminder),
        ...failedNote(reminder.failed),
      };
    });
}

function failedNote(failed: boolean | undefined): Pick<PanelEntry, 'note' | 'noteRole'> {
  return failed === true ? {note: 'delivery failed', noteRole: 'failed'} : {};
}

function reminderTitle({account}: Frame, messageId: number): string {
  const message = account.messages.byId.get(messageId);
  return message === undefined ? 'A message' : conversationTitle(account, conversationOf(message));
}

/** Returns the note; else the message's text, if loaded; else the reminder's text. */
function reminderText({account}: Frame, reminder: Reminder): string {
  const note = reminderNote(reminder);
  if (note !== '') return note;
  return account.messages.byId.get(reminder.reminderTargetMessageId)?.content ?? reminder.content;
}

/** Returns the number of entries of a tab, of all organizations that the list shows. */
export function panelCount(frame: Frame, tab: DraftsTab): number {
  return organizationFrames(frame).reduce((sum, {frame: its}) => sum + panelCounts(its)[tab], 0);
}

/** The number of entries of each tab in one account. */
const panelCounts = memoByFrame(
  ({account}) => [
    account.drafts,
    account.localDrafts,
    account.outbox,
    account.messages,
    account.scheduled,
    account.reminders,
  ],
  (frame): Readonly<Record<DraftsTab, number>> => ({
    drafts: draftCount(frame.account),
    outbox: unsent(frame).length,
    scheduled: frame.account.scheduled.size,
    reminders: frame.account.reminders.size,
  }),
);

const maxLines = 2;
/** Text beyond this is never visible, so it is not laid out. */
const maxCharacters = 600;

/** Returns the first non-blank lines of a draft's source. */
export function draftPreviewLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const written of text.slice(0, maxCharacters).split('\n')) {
    const safe = sanitizeText(written).trim();
    if (safe === '') continue;
    const room = maxLines - lines.length;
    const wrapped = wrapSpans([{text: safe, role: 'text'}], {width}).map(({spans}) =>
      spans.map((span) => span.text).join(''),
    );
    if (wrapped.length > room || lines.length === maxLines) return withMore([...lines, ...wrapped.slice(0, room)]);
    lines.push(...wrapped);
  }
  return lines;
}

/** Marks the last line with an ellipsis; the line is truncated where there is no room for it. */
function withMore(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (at === lines.length - 1 ? `${line.trimEnd()} …` : line));
}

/** An entry of the drafts panel: something the user wrote that is not a message yet. */
export type PanelItem =
  | {readonly kind: 'draft'; readonly draft: LocalDraft}
  | {readonly kind: 'outbox'; readonly entry: OutboxEntry}
  | {readonly kind: 'scheduled'; readonly message: ScheduledMessage}
  | {readonly kind: 'reminder'; readonly reminder: Reminder};

/**
 * Returns whether the target can still be written to: the channel exists and is not archived, the people are active.
 */
export function targetExists({channels, users}: AccountState, target: DraftTarget): boolean {
  switch (target.kind) {
    case 'none':
      return false;
    case 'topic': {
      const channel = channels.get(target.channelId);
      return channel !== undefined && channel.isArchived !== true;
    }
    case 'direct':
      return target.userIds.every((id) => users.get(id)?.isActive === true);
  }
}

export function draftDestinationTitle(account: AccountState, target: DraftTarget): string {
  if (target.kind !== 'none') return conversationTitle(account, target);
  return target.topic === '' ? 'No destination yet' : composed`No destination yet › ${target.topic}`;
}

/** Matches the start of a reminder without a note, as servers write it. */
const serverText = /\b(?:reminded of|reminder for)\b/i;

/** Matches a note that follows the server's own text as a quote. */
const quotedNote = /^[^\n]*\n > ([\s\S]*?)\n\n@_\*\*/;

/** Returns the user's note. Servers that do not send it separately put it before or behind the first line of their own text. */
export function reminderNote({note, content}: Reminder): string {
  if (note !== undefined && note !== '') return note;
  const [, quoted] = quotedNote.exec(content) ?? [];
  if (quoted !== undefined) return quoted;
  const [first = '', ...more] = content.split('\n\n');
  return more.length === 0 || serverText.test(first) ? '' : first;
}

const names: Readonly<Record<DraftsTab, string>> = {
  drafts: 'Drafts',
  outbox: 'Outbox',
  scheduled: 'Scheduled',
  reminders: 'Reminders',
};
const shortNames: Readonly<Record<DraftsTab, string>> = {
  ...names,
  outbox: 'Out',
  scheduled: 'Later',
  reminders: 'Remind',
};
/** From this width on, the full names of all tabs fit. */
const wideColumns = 56;

const emptyTexts: Readonly<Record<DraftsTab, string>> = {
  drafts: 'No drafts. Unsent text is saved here.',
  outbox: 'The outbox is empty.',
  scheduled: 'No scheduled messages. Ctrl-X s in the composer schedules one.',
  reminders: 'No reminders. B on a message sets one.',
};

/** The drafts panel: drafts, the outbox, scheduled messages and reminders. */
export const draftsList: ListSource<PanelRow> = {
  id: 'drafts',
  views: ['drafts'],
  isMerged: true,
  hasTabs: true,
  rows: panelRows,
  note: organizationsNote,
  line: (row, {columns, glyphs, label}) => {
    if (row.item === undefined) {
      return fittedLine([{text: composed`  ${row.label}`, role: 'dim'}], columns, glyphs.ellipsis);
    }
    const {note, noteRole = 'dim', when = '', isDestinationGone: isGone} = row;
    const right: UiSpan[] = [
      ...(note === undefined ? [] : [{text: `${note}  `, role: noteRole}]),
      {text: when, role: 'age'},
    ];
    const title = label(isGone === true ? 'destination_changed' : 'destination');
    return leftRightLine([...markSpans(row), ...title], right, columns, {
      ellipsis: glyphs.ellipsis,
      minLeft: Math.floor(columns / 2),
    });
  },
  headLines: (frame, columns) => [tabsLine(frame, columns), blankLine],
  shownRowKey: (frame) =>
    panelRows(frame).find(
      ({item, organization}) => organization === undefined && item?.kind === 'draft' && isHere(frame, item.draft),
    )?.key,
  keyPrefix: (frame) => `${shownDraftsTab(frame)}:`,
  emptyText: (frame) => emptyTexts[shownDraftsTab(frame)],
};

function tabsLine(frame: Frame, columns: number): UiLine {
  const row = shownDraftsTab(frame);
  const isWide = columns >= wideColumns;
  const spans = draftsTabs.flatMap((tab, at): UiSpan[] => {
    const name = (isWide ? names : shortNames)[tab];
    const count = panelCount(frame, tab);
    const label = count > 0 ? `${name} ${count}` : name;
    return [
      {text: isWide ? '  ' : ' ', role: 'text'},
      {text: `${at + 1} `, role: 'dim'},
      {text: label, role: tab === row ? 'tab_active' : 'tab'},
    ];
  });
  return fittedLine(spans, columns);
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    drafts: true;
  }
}
