import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {placeSpans, placeText} from '#app/format/conversation-name.ts';
import {numbered} from '#app/format/counted-noun.ts';
import {dueText} from '#app/format/moment-text.ts';
import {plainSignText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {inboxSpot} from '#app/inbox/cursor-context.ts';
import type {TriageAct, TriageVerb} from '#app/inbox/inbox-state.ts';
import {isPutOff, type LaterEntry} from '#app/inbox/snooze/snooze.ts';
import {rowBasis} from '#app/inbox/triage-row.ts';
import {waiting} from '#app/inbox/triage-rows.ts';
import {blank, row, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrap} from '#content/styled-text/wrap.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {rowTitle} from '#state/selectors/names/names.ts';
import type {UiRole} from '#theme/roles.ts';
import {keyLines} from './inbox-key-hints.ts';

const minuteMs = 60_000;
const margin: UiSpan = {text: '  ', role: 'text'};

/** In place of the list when nothing waits: what was done, what comes back when, and what one can do now. */
export const endLines = memoByFrame(
  (frame, width: number) => [
    waiting(frame),
    rowBasis(frame),
    inboxSpot(frame),
    frame.screen.inbox,
    frame.account.unreads,
    frame.account.messages,
    frame.account.connection.phase,
    frame.account.settings,
    frame.looks,
    frame.facts,
    width,
  ],
  newEndLines,
);

function newEndLines(frame: Frame, width: number): readonly UiLine[] {
  const {acts} = frame.screen.inbox;
  const later = laterEntries(frame);
  const words = acts.length === 0 ? emptyWords(frame, later) : summaryWords(frame, later);
  return [
    blank,
    ...words.flatMap(({text, role}) => wrapped(frame, text, role, width)),
    ...laterLines(frame, later, width),
    blank,
    ...keyLines(frame, mostKeys, width),
  ];
}

const mostKeys = 4;

function wrapped({looks}: Frame, text: string, role: UiRole, width: number): readonly UiLine[] {
  return wrap<UiRole>([{text: plainSignText(text, looks), role}], {width, first: [margin], rest: [margin]});
}

function emptyWords(frame: Frame, later: readonly LaterEntry[]): readonly UiSpan[] {
  const isCertain = frame.account.connection.phase === 'online';
  const first = isCertain ? 'Nothing unread.' : 'Nothing unread, as far as is known here.';
  const said = later.length === 0 ? '' : ` ${laterText(frame, later)}.`;
  return [{text: `${first}${said}`, role: 'text'}, ...mutedWords(frame)];
}

function summaryWords(frame: Frame, later: readonly LaterEntry[]): readonly UiSpan[] {
  const {acts, startedAt} = frame.screen.inbox;
  const last = acts.at(-1)?.at ?? 0;
  const minutes = Math.max(1, Math.round((last - (startedAt ?? last)) / minuteMs));
  const verbs = lastVerbs(acts);
  const isCounted = [...verbs.values()].includes('later');
  const before: readonly UiSpan[] =
    isCounted || later.length === 0 ? [] : [{text: laterText(frame, later), role: 'text'}];
  return [
    {text: `Inbox zero · ${minutes} min`, role: 'success'},
    {text: countsText(verbs, isCounted ? returnText(frame, later) : ''), role: 'text'},
    ...before,
    ...mutedWords(frame),
  ];
}

/** They count for nothing, but they are there. */
function mutedWords(frame: Frame): readonly UiSpan[] {
  const {muted} = waiting(frame).counts;
  const are = muted === 1 ? 'is' : 'are';
  return muted === 0
    ? []
    : [{text: `${numbered(muted, 'muted conversation')} ${are} unread · 6 shows`, role: 'dim'}];
}

const verbWords: readonly (readonly [TriageVerb, string])[] = [
  ['done', 'done'],
  ['replied', 'replied'],
  ['muted', 'muted'],
  ['followed', 'followed'],
  ['reacted', 'reacted'],
  ['starred', 'starred'],
  ['later', 'later'],
];

/** What lasts of a conversation's session: following it, or reacting in it, does not change what became of it. */
const lasting: ReadonlySet<TriageVerb> = new Set(['done', 'replied', 'muted', 'later']);

/** What became of each conversation. What was done last counts: one that was put off, came back and was read is done. */
function lastVerbs(acts: readonly TriageAct[]): ReadonlyMap<ConversationKey, TriageVerb> {
  const verbs = new Map<ConversationKey, TriageVerb>();
  for (const {verb, keys} of acts) {
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
function countsText(verbs: ReadonlyMap<ConversationKey, TriageVerb>, returns: string): string {
  const all = [...verbs.values()];
  const counted = verbWords.map(([verb, word]) => ({word, count: all.filter((one) => one === verb).length}));
  const total = counted.reduce((sum, {count}) => sum + count, 0);
  const parts = counted.filter(({count}) => count > 0).map(({word, count}) => `${count} ${word}`);
  const said = numbered(total, 'conversation');
  return parts.length === 0 ? said : `${said}: ${parts.join(' · ')}${returns}`;
}

/** What is put off, in the order in which it comes back. */
function laterEntries({account, screen, minute}: Frame): readonly LaterEntry[] {
  const {conversations} = account.unreads;
  return [...screen.inbox.laters.values()]
    .filter((entry) => conversations.has(entry.key) && isPutOff(account.unreads, entry, minute))
    .sort((a, b) => dueAt(a) - dueAt(b));
}

function dueAt({until}: LaterEntry): number {
  return until.kind === 'time' ? until.at : Number.MAX_SAFE_INTEGER;
}

/** `3 later (first returns 14:00)`: put off, now or before. */
function laterText(frame: Frame, later: readonly LaterEntry[]): string {
  return `${later.length} later${returnText(frame, later)}`;
}

/** ` (first returns 14:00)` */
function returnText(frame: Frame, [first, ...others]: readonly LaterEntry[]): string {
  if (first === undefined) return '';
  const verb = others.length === 0 ? 'returns' : 'first returns';
  const by = first.until.kind === 'message' ? 'with the ' : '';
  return ` (${verb} ${by}${whenText(frame, first)})`;
}

function whenText(frame: Frame, {until}: LaterEntry): string {
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
const mostLater = 8;

/** `14:00  #ops › pager`, one line for each. */
function laterLines(frame: Frame, later: readonly LaterEntry[], width: number): readonly UiLine[] {
  if (later.length === 0) return [];
  const glyphs = uiGlyphs(frame.looks);
  const shown = later.slice(0, mostLater);
  const times = shown.map((entry) => whenText(frame, entry));
  const timeColumns = Math.max(...times.map(textColumns));
  const lines = shown.map(({key}, at) => {
    const conversation = frame.account.unreads.conversations.get(key)?.conversation;
    const label = conversation === undefined ? '' : rowTitle(frame.account, conversation);
    const start = `  ${(times[at] ?? '').padEnd(timeColumns)}  `;
    const name = placeSpans(
      [{text: placeText(label, glyphs), role: 'text'}],
      Math.max(1, width - textColumns(start) - 1),
      glyphs,
    );
    return row([{text: start, role: 'dim'}, ...name], width, glyphs.ellipsis);
  });
  const left = later.length - shown.length;
  const rest = row([{text: `  and ${left} more`, role: 'dim'}], width, glyphs.ellipsis);
  return [blank, ...lines, ...(left === 0 ? [] : [rest])];
}
