import type {Frame} from '#app/frame.ts';
import {blank, row, type UiLine, type UiSpan} from '#app/lines.ts';
import {plainSignText} from '#app/ui-glyphs.ts';
import {clockText, dayText, type TimeOptions} from '#content/pieces/time.ts';
import type {TriageAct, TriageVerb} from './inbox-state.ts';
import {isPutOff, type LaterEntry} from './later.ts';

const minuteMs = 60_000;

/** In place of the list when nothing waits: what was done, and what comes back when. */
export function endLines(frame: Frame, width: number): readonly UiLine[] {
  const words = frame.screen.inbox.acts.length === 0 ? emptyWords(frame) : summaryWords(frame);
  return [
    blank,
    ...words.map((spans) =>
      row(
        spans.map((span) => ({...span, text: plainSignText(span.text, frame.looks)})),
        width,
      ),
    ),
  ];
}

function emptyWords(frame: Frame): readonly (readonly UiSpan[])[] {
  const later = laterWords(frame);
  const isCertain = frame.account.connection.phase === 'online';
  const first = isCertain ? 'Nothing unread.' : 'Nothing unread, as far as is known here.';
  return [
    [
      {text: `  ${first}`, role: 'text'},
      {text: later === '' ? '' : ` ${later}`, role: 'dim'},
    ],
    keyWords(['t', 'recent'], ['c', 'new topic'], ['x', 'direct message']),
  ];
}

function summaryWords(frame: Frame): readonly (readonly UiSpan[])[] {
  const {acts, startedAt} = frame.screen.inbox;
  const last = acts.at(-1)?.at ?? 0;
  const minutes = Math.max(1, Math.round((last - (startedAt ?? last)) / minuteMs));
  const later = laterWords(frame);
  return [
    [{text: `  Inbox zero · ${minutes} min`, role: 'success'}],
    [{text: `  ${countsText(acts)}`, role: 'text'}],
    ...(later === '' ? [] : [[{text: `  ${later}`, role: 'dim'} as const]]),
    keyWords(['z', 'undo last'], ['l', 'review what I did'], ['t', 'recent conversations']),
  ];
}

function keyWords(...keys: readonly (readonly [key: string, what: string])[]): readonly UiSpan[] {
  return keys.flatMap(([key, what]): UiSpan[] => [
    {text: `  ${key}`, role: 'hint_key'},
    {text: ` ${what}`, role: 'hint'},
  ]);
}

const verbWords: readonly (readonly [TriageVerb, string])[] = [
  ['done', 'done'],
  ['replied', 'replied'],
  ['muted', 'muted'],
  ['later', 'later'],
];

/** `37 conversations: 29 done · 3 replied · 2 muted · 3 later` */
function countsText(acts: readonly TriageAct[]): string {
  const counted = verbWords.map(([verb, word]) => ({word, keys: keysOf(acts, verb)}));
  const all = new Set(counted.flatMap(({keys}) => [...keys]));
  const parts = counted.filter(({keys}) => keys.size > 0).map(({word, keys}) => `${keys.size} ${word}`);
  const total = all.size === 1 ? '1 conversation' : `${all.size} conversations`;
  return parts.length === 0 ? total : `${total}: ${parts.join(' · ')}`;
}

function keysOf(acts: readonly TriageAct[], verb: TriageVerb): ReadonlySet<string> {
  return new Set(acts.filter((act) => act.verb === verb).flatMap(({keys}) => keys));
}

/** `2 later (14:00, tomorrow)`; empty when nothing is put off. */
function laterWords(frame: Frame): string {
  const {account, screen, minute} = frame;
  const {conversations} = account.unreads;
  const off = [...screen.inbox.laters.values()].filter(
    (entry) => conversations.has(entry.key) && isPutOff(account.unreads, entry, minute),
  );
  if (off.length === 0) return '';
  const times = off.toSorted((a, b) => dueAt(a) - dueAt(b)).map((entry) => whenText(frame, entry));
  const said = [...new Set(times)].slice(0, 3).join(', ');
  return `${off.length} later (${said})`;
}

function dueAt({until}: LaterEntry): number {
  return until.kind === 'time' ? until.at : Number.MAX_SAFE_INTEGER;
}

function whenText(frame: Frame, {until}: LaterEntry): string {
  switch (until.kind) {
    case 'time':
      return momentText(frame, until.at);
    case 'message':
      return 'with the next message';
    default:
      return 'at the end';
  }
}

/** `14:00` today, `tomorrow` and the like otherwise. */
export function momentText({account, looks, minute}: Frame, at: number): string {
  const options: TimeOptions = {
    zone: looks.zone,
    hour12: account.settings.twentyFourHourTime === false,
    now: minute,
  };
  const day = dayText(at, options);
  return day === 'today' ? clockText(at, options) : `${day} ${clockText(at, options)}`;
}
