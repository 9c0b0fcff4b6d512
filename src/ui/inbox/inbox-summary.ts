import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {memoByObject} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import {type DisplayOptions, type Frame, type KeyHint, organizationFrames} from '#ui/core/frame.ts';
import {conversationNameSpans, conversationNameText} from '#ui/format/conversation-name.ts';
import type {Snooze} from '#ui/inbox/snooze/snooze.ts';
import {returnWhenText, snoozesByDueTime} from '#ui/inbox/snooze/snooze-text.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {loadingText, organizationsNote} from '#ui/lists/list-source.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {plainGlyphText, ruleGlyph, type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';
import {inboxList} from './inbox-list.ts';
import type {InboxCursorContext, TriageActionKind, TriageLogEntry} from './inbox-state.ts';
import {isTriageItem} from './triage-row.ts';
import {inboxLog, inboxOrder, inboxTotals} from './triage-rows.ts';

const minuteMs = 60_000;
const margin: UiSpan = {text: '  ', role: 'text'};

/** What is shown when nothing is unread: what was done, when snoozed conversations return, and the keys to use now. */
interface InboxSummary {
  readonly paragraphs: readonly UiSpan[];
  readonly snoozes: readonly {readonly when: string; readonly label: string}[];
  /** Undefined while the inbox is loading. */
  readonly hints: readonly KeyHint[] | undefined;
  readonly glyphs: DisplayOptions['glyphs'];
}

const maxKeys = 4;

/** Selects what is shown when nothing is unread. */
export function inboxSummary(frame: Frame): InboxSummary {
  const {account, display} = frame;
  const {glyphs} = display;
  const loading = loadingText(frame);
  if (loading !== undefined) return {paragraphs: [{text: loading, role: 'dim'}], snoozes: [], hints: undefined, glyphs};
  const snoozes = snoozesByDueTime(frame);
  return {
    paragraphs: inboxLog(frame).length === 0 ? emptyInboxSpans(frame, snoozes) : summarySpans(frame, snoozes),
    snoozes: snoozes.map((entry) => {
      const conversation = account.unreads.conversations.get(entry.key)?.conversation;
      const label = conversation === undefined ? '' : conversationRowTitle(account, conversation);
      return {when: returnWhenText(frame, entry), label};
    }),
    hints: inboxHints(frame, maxKeys),
    glyphs,
  };
}

/** Returns the lines that replace the list when nothing is unread. */
export function summaryLines(summary: InboxSummary, width: number): readonly UiLine[] {
  const {paragraphs, hints} = summary;
  const wrapping = {width, first: [margin], rest: [margin]};
  return [
    blankLine,
    ...paragraphs.flatMap(({text, role}) => wrapSpans<UiRole>([{text: plainGlyphText(text, summary), role}], wrapping)),
    ...snoozeLines(summary, width),
    ...(hints === undefined ? [] : [blankLine, ...keyHintLines(hints, uiGlyphs(summary), width)]),
  ];
}

function emptyInboxSpans(frame: Frame, snoozes: readonly Snooze[]): readonly UiSpan[] {
  const isOnline = frame.account.connection.phase === 'online';
  const first = isOnline ? 'Nothing unread.' : 'Nothing unread as of the last connection.';
  const snoozedNote = snoozes.length === 0 ? '' : ` ${snoozesText(frame, snoozes)}.`;
  return [{text: `${first}${snoozedNote}`, role: 'text'}, ...mutedSpans(frame), ...problemSpans(frame)];
}

function summarySpans(frame: Frame, snoozes: readonly Snooze[]): readonly UiSpan[] {
  const log = inboxLog(frame);
  const {startedAt} = frame.screen.inbox;
  const last = log.at(-1)?.at ?? 0;
  const minutes = Math.max(1, Math.round((last - (startedAt ?? last)) / minuteMs));
  const kinds = lastActionKinds(log);
  const hasSnoozed = [...kinds.values()].includes('snoozed');
  const before: readonly UiSpan[] =
    hasSnoozed || snoozes.length === 0 ? [] : [{text: snoozesText(frame, snoozes), role: 'text'}];
  return [
    {text: `Inbox zero · ${minutes} min`, role: 'success'},
    {text: countsText(kinds, hasSnoozed ? returnText(frame, snoozes) : ''), role: 'text'},
    ...before,
    ...mutedSpans(frame),
    ...problemSpans(frame),
  ];
}

function problemSpans(frame: Frame): readonly UiSpan[] {
  const note = organizationsNote(frame);
  return note === undefined ? [] : [note];
}

/** Returns a line about muted conversations, which no count includes. */
function mutedSpans(frame: Frame): readonly UiSpan[] {
  const {conversations: muted} = inboxTotals(frame).muted;
  const are = muted === 1 ? 'is' : 'are';
  return muted === 0
    ? []
    : [{text: `${countedNoun(muted, 'muted conversation')} ${are} unread · 6 shows`, role: 'dim'}];
}

const actionKindTexts: readonly (readonly [TriageActionKind, string])[] = [
  ['done', 'done'],
  ['replied', 'replied'],
  ['muted', 'muted'],
  ['followed', 'followed'],
  ['reacted', 'reacted'],
  ['starred', 'starred'],
  ['snoozed', 'snoozed'],
];

/** Actions that decide what a conversation counts as: following it or reacting in it does not change that. */
const decisiveKinds: ReadonlySet<TriageActionKind> = new Set(['done', 'replied', 'muted', 'snoozed']);

/**
 * Returns what each conversation counts as. The last action decides: a conversation that was snoozed,
 * returned and was read counts as done.
 */
function lastActionKinds(log: readonly TriageLogEntry[]): ReadonlyMap<ConversationKey, TriageActionKind> {
  const kinds = new Map<ConversationKey, TriageActionKind>();
  for (const {actionKind, keys} of log) {
    for (const key of keys) {
      const before = kinds.get(key);
      const isUnmuted = before === 'muted' && actionKind === 'other';
      if (before === undefined || !decisiveKinds.has(before) || decisiveKinds.has(actionKind) || isUnmuted)
        kinds.set(key, actionKind);
    }
  }
  return kinds;
}

/** Returns `37 conversations: 29 done · 3 replied · 2 muted · 3 snoozed (first returns 14:00)`. */
function countsText(kinds: ReadonlyMap<ConversationKey, TriageActionKind>, returnNote: string): string {
  const all = [...kinds.values()];
  const counted = actionKindTexts.map(([actionKind, word]) => ({
    word,
    count: all.filter((one) => one === actionKind).length,
  }));
  const total = counted.reduce((sum, {count}) => sum + count, 0);
  const parts = counted.filter(({count}) => count > 0).map(({word, count}) => `${count} ${word}`);
  const conversationCount = countedNoun(total, 'conversation');
  return parts.length === 0 ? conversationCount : `${conversationCount}: ${parts.join(' · ')}${returnNote}`;
}

/** Returns `3 snoozed (first returns 14:00)`. */
function snoozesText(frame: Frame, snoozes: readonly Snooze[]): string {
  return `${snoozes.length} snoozed${returnText(frame, snoozes)}`;
}

/** Returns ` (first returns 14:00)`. */
function returnText(frame: Frame, [first, ...others]: readonly Snooze[]): string {
  if (first === undefined) return '';
  const verb = others.length === 0 ? 'returns' : 'first returns';
  const by = first.until.kind === 'message' ? 'with the ' : '';
  return ` (${verb} ${by}${returnWhenText(frame, first)})`;
}

/** Longer lists are cut. */
const maxSnoozeLines = 8;

/** Returns one line per conversation: `14:00  #ops › pager`. */
function snoozeLines(summary: InboxSummary, width: number): readonly UiLine[] {
  const {snoozes} = summary;
  if (snoozes.length === 0) return [];
  const glyphs = uiGlyphs(summary);
  const shown = snoozes.slice(0, maxSnoozeLines);
  const timeColumns = Math.max(...shown.map(({when}) => textColumns(when)));
  const lines = shown.map(({when, label}) => {
    const start = `  ${when.padEnd(timeColumns)}  `;
    const name = conversationNameSpans(
      [{text: conversationNameText(label, glyphs), role: 'text'}],
      Math.max(1, width - textColumns(start) - 1),
      glyphs,
    );
    return fittedLine([{text: start, role: 'dim'}, ...name], width, glyphs.ellipsis);
  });
  const hiddenCount = snoozes.length - shown.length;
  const rest = fittedLine([{text: `  and ${hiddenCount} more`, role: 'dim'}], width, glyphs.ellipsis);
  return [blankLine, ...lines, ...(hiddenCount === 0 ? [] : [rest])];
}

const hintMargin: UiSpan = {text: '  ', role: 'text'};

/** Selects the most useful keys of the inbox. */
export function inboxHints(frame: Frame, maxHints: number): readonly KeyHint[] {
  return (frame.info.keys?.inboxHints(frame) ?? []).slice(0, maxHints);
}

/** Returns key hints on as many lines as needed; a hint is cut only where it does not fit a whole line. */
export function keyHintLines(hints: readonly KeyHint[], {ellipsis}: UiGlyphs, width: number): readonly UiLine[] {
  const lines: UiSpan[][] = [];
  for (const {key, label} of hints) {
    const spans: readonly UiSpan[] = [hintMargin, {text: key, role: 'hint_key'}, {text: ` ${label}`, role: 'hint'}];
    const last = lines.at(-1);
    if (last !== undefined && spansColumns(last) + spansColumns(spans) <= width) last.push(...spans);
    else lines.push([...spans]);
  }
  return lines.length === 0 ? [blankLine] : lines.map((spans) => fittedLine(spans, width, ellipsis));
}

/** Returns `triage 5/14`: the number of handled conversations of all that were in this session. */
export function triageProgressText(frame: Frame): string {
  const size = organizationFrames(frame).reduce((sum, {frame: each}) => sum + sessionSize(each), 0);
  const done = size - inboxTotals(frame).all.conversations;
  return done > 0 && inboxLog(frame).length > 0 ? `triage ${done}/${size}` : '';
}

const sessionSize = memoByObject((frame: Frame) => inboxOrder(frame).size);

/** Returns a rule; `dividerAt` is the column of the screen where a line between list and preview starts. */
export function ruleLine(
  glyphs: DisplayOptions['glyphs'],
  {x, columns}: Pick<Rect, 'x' | 'columns'>,
  dividerAt: number | undefined,
): UiLine {
  const glyph = ruleGlyph({glyphs});
  if (dividerAt === undefined) return rule(columns, {glyph});
  const tee = {unicode: '┬', ascii: '+', words: ' '}[glyphs];
  const text = glyph.repeat(dividerAt - x) + tee + glyph.repeat(columns - (dividerAt - x) - 1);
  return {spans: [{text, role: 'separator'}], width: columns};
}

/** Whether nothing is unread in any tab, not only in the shown one. Muted conversations count only in the muted tab. */
export function isInboxEmpty(frame: Frame): boolean {
  const totals = inboxTotals(frame);
  const isMutedTabFilled = frame.screen.lists.inbox.split === 'muted' && totals.muted.conversations > 0;
  return (
    totals.all.conversations === 0 &&
    !isMutedTabFilled &&
    visibleRowsOf(frame, inboxList).rows.every(({kind}) => kind !== 'item')
  );
}

/** Returns what the cursor of the inbox is on, which decides the key hints. */
export function inboxCursorContext(frame: Frame): InboxCursorContext {
  if (isInboxEmpty(frame)) return inboxLog(frame).length > 0 ? 'done' : 'nothing';
  const row = cursorRow(frame, inboxList);
  if (row === undefined) return 'nothing';
  return isTriageItem(row) ? row.conversation.kind : 'group';
}
