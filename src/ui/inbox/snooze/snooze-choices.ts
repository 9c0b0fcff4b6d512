import {findUser} from '#state/selectors/names/find-by-name.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {dueText} from '#ui/format/moment-text.ts';
import {parseMoment} from '#ui/format/parse-moment.ts';
import type {SnoozeUntil} from './snooze.ts';
import {untilText} from './snooze-text.ts';

/** A row of the snooze menu. */
interface SnoozeChoice {
  /** The key that chooses it while nothing is typed: no letter with which a time in words begins. */
  readonly key: string;
  readonly label: string;
  /** Typed, it finds the row. */
  readonly word: string;
  readonly until: (frame: Frame) => SnoozeUntil;
}

const choices: readonly SnoozeChoice[] = [
  {key: 'b', label: 'Until the rest is done', word: 'rest', until: () => ({kind: 'session'})},
  {key: 'h', label: 'For 1 hour', word: '1 hour', until: (frame) => timeOf(frame, 'in 1 hour')},
  {key: 'd', label: 'Until tomorrow', word: 'tomorrow', until: (frame) => timeOf(frame, 'tomorrow 9:00')},
  {key: 'n', label: 'Until the next message', word: 'message', until: () => ({kind: 'message'})},
];

/** Choosing this row types its key. */
const personRow: PickerRow = {key: 'when ', label: 'Until somebody writes…', detail: 'type “when” and a name'};

function timeOf({minute, display}: Frame, text: string): SnoozeUntil {
  return {kind: 'time', at: parseMoment(text, minute, display.zone) ?? minute};
}

/** Returns what a row of the menu or a typed text means: `mon 9`, `in 20 min`, `when Maren writes`; or why it is nothing. */
export function parseSnoozeUntil(frame: Frame, text: string): SnoozeUntil | {readonly problem: string} {
  const choice = choices.find(({key}) => key === text);
  if (choice !== undefined) return choice.until(frame);
  const {account, minute, display} = frame;
  const name = /^when\b(.*?)(?:\bwrites?)?$/i.exec(text.trim())?.[1]?.trim();
  if (name !== undefined) {
    if (name === '') return {problem: 'Type a name: “when Ann writes”'};
    const lookup = findUser(account, name);
    return 'found' in lookup ? {kind: 'person', userId: lookup.found.id, afterId: account.maxMessageId} : lookup;
  }
  const at = parseMoment(text, minute, display.zone);
  if (at === undefined) return {problem: `“${text.trim()}”: try “mon 9”, “in 20 min”, “when Ann writes”`};
  return at > minute ? {kind: 'time', at} : {problem: 'This time has passed'};
}

/** Returns the rows of the menu: the usual choices, or what was typed and the choices that it may mean. */
export function snoozeRows(frame: Frame, query: string): readonly PickerRow[] {
  const written = query.trim();
  if (written === '') return [...choices.map((choice) => choiceRow(frame, choice)), personRow];
  const found = choices.filter(({word}) => word.startsWith(written.toLowerCase()));
  const until = parseSnoozeUntil(frame, written);
  const rows = found.map((choice) => choiceRow(frame, choice));
  if (!('problem' in until)) return [typedRow(frame, written, until), ...rows];
  return rows.length > 0 ? rows : [{key: 'none', label: until.problem, disabled: until.problem}];
}

function choiceRow(frame: Frame, {key, label, until}: SnoozeChoice): PickerRow {
  const when = until(frame);
  return {key, label, right: key, detail: when.kind === 'time' ? dueText(frame, when.at) : undefined};
}

function typedRow(frame: Frame, written: string, until: SnoozeUntil): PickerRow {
  if (until.kind !== 'person') return {key: written, label: written, detail: untilText(frame, until)};
  return {key: written, label: sentence(untilText(frame, until)), detail: 'here, or to you directly'};
}

/** Whether the key chooses a row while nothing is typed. */
export function isSnoozeKey(name: string): boolean {
  return choices.some(({key}) => key === name);
}

/** Whether the row asks for a name, which is typed behind its key. */
export function isPersonRow({key}: PickerRow): boolean {
  return key === personRow.key;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
