import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {conversationNameSpans, conversationNameText} from '#app/format/conversation-name.ts';
import {countedNoun} from '#app/format/counted-noun.ts';
import {dueText} from '#app/format/moment-text.ts';
import {plainGlyphText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {inboxCursorContext} from '#app/inbox/cursor-context.ts';
import type {TriageActionKind, TriageLogEntry} from '#app/inbox/inbox-state.ts';
import {isSnoozed, type Snooze} from '#app/inbox/snooze/snooze.ts';
import {rowBasis} from '#app/inbox/triage-row.ts';
import {inboxContents} from '#app/inbox/triage-rows.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import type {UiRole} from '#theme/roles.ts';
import {inboxKeyHintLines} from './inbox-key-hints.ts';

const minuteMs = 60_000;
const margin: UiSpan = {text: '  ', role: 'text'};

/** In place of the list when nothing waits: what was done, what comes back when, and what one can do now. */
export const inboxSummaryLines = memoByFrame(
  (frame, width: number) => [
    inboxContents(frame),
    rowBasis(frame),
    inboxCursorContext(frame),
    frame.screen.inbox,
    frame.account.unreads,
    frame.account.messages,
    frame.account.connection.phase,
    frame.account.settings,
    frame.display,
    frame.info,
    width,
  ],
  newEndLines,
);

function newEndLines(frame: Frame, width: number): readonly UiLine[] {
  const {log: acts} = frame.screen.inbox;
  const later = snoozesByDueTime(frame);
  const words = acts.length === 0 ? emptyInboxSpans(frame, later) : summarySpans(frame, later);
  return [
    blankLine,
    ...words.flatMap(({text, role}) => wrapped(frame, text, role, width)),
    ...snoozeLines(frame, later, width),
    blankLine,
    ...inboxKeyHintLines(frame, mostKeys, width),
  ];
}

const mostKeys = 4;

function wrapped({display: looks}: Frame, text: string, role: UiRole, width: number): readonly UiLine[] {
  return wrapSpans<UiRole>([{text: plainGlyphText(text, looks), role}], {
    width,
    first: [margin],
    rest: [margin],
  });
}

function emptyInboxSpans(frame: Frame, later: readonly Snooze[]): readonly UiSpan[] {
  const isCertain = frame.account.connection.phase === 'online';
  const first = isCertain ? 'Nothing unread.' : 'Nothing unread, as far as is known here.';
  const said = later.length === 0 ? '' : ` ${snoozesText(frame, later)}.`;
  return [{text: `${first}${said}`, role: 'text'}, ...mutedSpans(frame)];
}

function summarySpans(frame: Frame, later: readonly Snooze[]): readonly UiSpan[] {
  const {log: acts, startedAt} = frame.screen.inbox;
  const last = acts.at(-1)?.at ?? 0;
  const minutes = Math.max(1, Math.round((last - (startedAt ?? last)) / minuteMs));
  const verbs = lastActionKinds(acts);
  const isCounted = [...verbs.values()].includes('later');
  const before: readonly UiSpan[] =
    isCounted || later.length === 0 ? [] : [{text: snoozesText(frame, later), role: 'text'}];
  return [
    {text: `Inbox zero · ${minutes} min`, role: 'success'},
    {text: countsText(verbs, isCounted ? returnText(frame, later) : ''), role: 'text'},
    ...before,
    ...mutedSpans(frame),
  ];
}

/** They count for nothing, but they are there. */
function mutedSpans(frame: Frame): readonly UiSpan[] {
  const {muted} = inboxContents(frame).counts;
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
  ['later', 'later'],
];

/** What lasts of a conversation's session: following it, or reacting in it, does not change what became of it. */
const lasting: ReadonlySet<TriageActionKind> = new Set(['done', 'replied', 'muted', 'later']);

/** What became of each conversation. What was done last counts: one that was put off, came back and was read is done. */
function lastActionKinds(acts: readonly TriageLogEntry[]): ReadonlyMap<ConversationKey, TriageActionKind> {
  const verbs = new Map<ConversationKey, TriageActionKind>();
  for (const {actionKind: verb, keys} of acts) {
    for (const key of keys) {
      const before = verbs.get(key);
      const isUnmuted = before === 'muted' && verb === 'other';
      if (before === undefined || !lasting.has(before) || lasting.has(verb) || isUnmuted)
        verbs.set(key, verb);
    }
  }
  return verbs;
}

/** `37 conversations: 29 done · 3 replied · 2 muted · 3 later (first returns 14:00)` */
function countsText(verbs: ReadonlyMap<ConversationKey, TriageActionKind>, returns: string): string {
  const all = [...verbs.values()];
  const counted = actionKindTexts.map(([verb, word]) => ({
    word,
    count: all.filter((one) => one === verb).length,
  }));
  const total = counted.reduce((sum, {count}) => sum + count, 0);
  const parts = counted.filter(({count}) => count > 0).map(({word, count}) => `${count} ${word}`);
  const said = countedNoun(total, 'conversation');
  return parts.length === 0 ? said : `${said}: ${parts.join(' · ')}${returns}`;
}

/** What is put off, in the order in which it comes back. */
function snoozesByDueTime({account, screen, minute}: Frame): readonly Snooze[] {
  const {conversations} = account.unreads;
  return [...screen.inbox.snoozes.values()]
    .filter((entry) => conversations.has(entry.key) && isSnoozed(account.unreads, entry, minute))
    .sort((a, b) => dueAt(a) - dueAt(b));
}

function dueAt({until}: Snooze): number {
  return until.kind === 'time' ? until.at : Number.MAX_SAFE_INTEGER;
}

/** `3 later (first returns 14:00)`: put off, now or before. */
function snoozesText(frame: Frame, later: readonly Snooze[]): string {
  return `${later.length} later${returnText(frame, later)}`;
}

/** ` (first returns 14:00)` */
function returnText(frame: Frame, [first, ...others]: readonly Snooze[]): string {
  if (first === undefined) return '';
  const verb = others.length === 0 ? 'returns' : 'first returns';
  const by = first.until.kind === 'message' ? 'with the ' : '';
  return ` (${verb} ${by}${whenText(frame, first)})`;
}

function whenText(frame: Frame, {until}: Snooze): string {
  switch (until.kind) {
    case 'time':
      return dueText(frame, until.at);
    case 'message':
      return 'next message';
    default:
      return 'at the end';
  }
}

/** Longer lists are cut: whoever puts off so much knows. */
const maxSnoozeLines = 8;

/** `14:00  #ops › pager`, one line for each. */
function snoozeLines(frame: Frame, later: readonly Snooze[], width: number): readonly UiLine[] {
  if (later.length === 0) return [];
  const glyphs = uiGlyphs(frame.display);
  const shown = later.slice(0, maxSnoozeLines);
  const times = shown.map((entry) => whenText(frame, entry));
  const timeColumns = Math.max(...times.map(textColumns));
  const lines = shown.map(({key}, at) => {
    const conversation = frame.account.unreads.conversations.get(key)?.conversation;
    const label = conversation === undefined ? '' : conversationRowTitle(frame.account, conversation);
    const start = `  ${(times[at] ?? '').padEnd(timeColumns)}  `;
    const name = conversationNameSpans(
      [{text: conversationNameText(label, glyphs), role: 'text'}],
      Math.max(1, width - textColumns(start) - 1),
      glyphs,
    );
    return fittedLine([{text: start, role: 'dim'}, ...name], width, glyphs.ellipsis);
  });
  const left = later.length - shown.length;
  const rest = fittedLine([{text: `  and ${left} more`, role: 'dim'}], width, glyphs.ellipsis);
  return [blankLine, ...lines, ...(left === 0 ? [] : [rest])];
}
