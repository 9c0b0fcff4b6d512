import type {App} from '#app/core/app.ts';
import {openCard, openFetchedCard} from '#app/overlays/cards.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {type ManualTopic, manualTopics, readManualTopic} from '#content/manual/manual-topics.ts';
import {compareMatches, matchName, type Named} from '#std/name-match.ts';
import {keyName} from '#terminal/input/key.ts';
import type {Card, Picker, PickerRow} from '#ui/core/overlay.ts';
import {blankLine, type UiLine} from '#ui/layout/ui-line.ts';
import {hangingLines, paragraph} from '#ui/overlays/card-lines.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {latinText} from '#ui/text/send-keys.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import {openLegend} from './help-texts.ts';

/** A command with its keys. */
export interface KeyHelpEntry extends Named {
  readonly keys: readonly string[];
  /** The title of its section. */
  readonly section: string;
  /** Why it cannot be run from here. */
  readonly disabled?: string | undefined;
}

/** The command that a key runs in a section. */
interface KeyMeaning {
  readonly section: string;
  readonly title: string;
}

export interface KeyHelp {
  /** Names the section whose keys come first. */
  readonly title: string;
  readonly entries: readonly KeyHelpEntry[];
  readonly run: (app: App, entry: KeyHelpEntry) => void;
  /** The text to find first. */
  readonly words: string;
  /** Returns all meanings of a sequence; `isPrefix` when longer sequences start with it. */
  readonly lookUp: (keys: readonly string[]) => {
    readonly meanings: readonly KeyMeaning[];
    readonly isPrefix: boolean;
  };
}

/** Opens a list of the keys that work here, then all others; Enter runs one. */
export function openKeyHelp(app: App, help: KeyHelp): void {
  const picker: Picker<KeyHelpRow> = {
    id: 'keys',
    title: help.title,
    isGeneral: true,
    placeholder: 'Type an action or a key',
    columns: 96,
    isTwoColumns: true,
    rowsShown: 18,
    helpLines: 2,
    rows: (_frame, query) => (query.trim() === '' ? sectioned(help.entries) : matching(help.entries, query.trim())),
    accept: (opened, {entry}) => {
      if (entry === undefined) return;
      opened.closeOverlay();
      help.run(opened, entry);
    },
    onKey: (opened, key) => {
      const name = keyName(key);
      const isLegend = name === '?' && openedPicker(opened)?.field.text === '';
      if (isLegend) openLegend(opened);
      else if (name === 'Tab') openKeyLookUp(opened, help);
      return isLegend || name === 'Tab';
    },
    hint: {Enter: 'runs', '?': 'marks and colours', Tab: 'looks up a key', Esc: 'closes'},
  };
  openPicker(app, picker, setText(emptyLine, help.words));
}

interface KeyHelpRow extends PickerRow {
  readonly entry?: KeyHelpEntry;
}

function sectioned(entries: readonly KeyHelpEntry[]): readonly KeyHelpRow[] {
  const shown: KeyHelpRow[] = [];
  let section = '';
  for (const [at, entry] of entries.entries()) {
    if (entry.section !== section) {
      section = entry.section;
      shown.push({key: `title ${section}`, label: section, isTitle: true});
    }
    shown.push(shownEntry(entry, at));
  }
  return shown;
}

function shownEntry(entry: KeyHelpEntry, at: number, matched: PickerRow['matched'] = []): KeyHelpRow {
  const {title, keys, disabled} = entry;
  // A row is one line, which may be cut.
  const help = disabled === undefined ? title : `${title}: ${disabled}`;
  return {entry, key: `${at} ${entry.id}`, label: title, right: keys.join('  '), matched, disabled, help};
}

/** Matches keys by name first, then commands by name. */
function matching(entries: readonly KeyHelpEntry[], query: string): readonly KeyHelpRow[] {
  const lower = query.toLowerCase();
  const scored = entries.flatMap((entry, at) => {
    const isKey = entry.keys.includes(query);
    const beginsKey = entry.keys.some((key) => key.toLowerCase().startsWith(lower)) && query.length > 1;
    const match = matchName(query, entry) ?? matchName(latinText(query), entry);
    if (match === undefined && !isKey && !beginsKey) return [];
    const rank = (isKey ? 200 : beginsKey ? 100 : 0) + (match?.rank ?? 0);
    return [{rank, item: entry, shown: shownEntry(entry, at, match?.ranges)}];
  });
  return scored.sort(compareMatches).map(({shown}) => shown);
}

/** Opens a card that tells what a key does, without running it. */
function openKeyLookUp(app: App, help: KeyHelp): void {
  openCard(
    app,
    lookUpCard(help, [], (width) => paragraph('Press a key to see what it does.', 'text', width)),
  );
}

/** `keys`: the keys pressed so far of an incomplete sequence. */
function lookUpCard(help: KeyHelp, keys: readonly string[], lines: (width: number) => readonly UiLine[]): Card {
  return {
    id: 'key-look-up',
    title: 'Look up a key',
    isGeneral: true,
    columns: 64,
    lines: (_frame, width) => lines(width),
    onKey: (opened, key) => {
      const name = keyName(key);
      if (name === 'Esc' && keys.length === 0) return false;
      const pressed = [...keys, name];
      const {meanings, isPrefix} = help.lookUp(pressed);
      const meaningsAt = (width: number) => meaningLines(pressed.join(' '), meanings, isPrefix, width);
      const top = opened.screen.overlays.at(-1);
      if (top?.kind === 'card')
        opened.changeOverlay({...top, card: lookUpCard(help, isPrefix ? pressed : [], meaningsAt)});
      return true;
    },
    hint: {Esc: 'closes'},
  };
}

function meaningLines(
  key: string,
  meanings: readonly KeyMeaning[],
  isPrefix: boolean,
  width: number,
): readonly UiLine[] {
  const lines = meanings.flatMap(({section, title}) =>
    hangingLines({text: `${section}  `.padEnd(20), role: 'dim'}, [{text: title, role: 'text'}], width),
  );
  if (isPrefix) lines.push(...paragraph('More keys can follow: press one.', 'dim', width));
  if (lines.length === 0) lines.push(...paragraph('Not bound.', 'dim', width));
  return [...paragraph(key, 'key', width), blankLine, ...lines];
}

/** Opens the list of the manual's chapters. */
export function openManual(app: App): void {
  openPicker(app, {
    id: 'manual',
    title: 'Manual',
    isGeneral: true,
    columns: 72,
    rows: (_frame, query) =>
      manualTopics
        .filter(({title, summary}) => `${title} ${summary}`.toLowerCase().includes(query.trim().toLowerCase()))
        .map(({id, title, summary}) => ({key: id, label: title, detail: summary})),
    empty: 'No matches',
    accept: (opened, {key}) => {
      const topic = manualTopics.find(({id}) => id === key);
      if (topic !== undefined) openChapter(opened, topic);
    },
    hint: {Enter: 'reads', Esc: 'closes'},
  });
}

/** Opens a chapter over the list of chapters. marked-terminal is loaded here, with the first chapter that is read. */
function openChapter(app: App, topic: ManualTopic): void {
  openFetchedCard(app, {
    id: 'manual-chapter',
    title: topic.title,
    isGeneral: true,
    columns: 100,
    request: {
      key: ['manual chapter', topic.id],
      isConstant: true,
      fetch: async () => ({
        manualLines: (await import('#content/manual/manual-lines.ts')).manualLines,
        markdown: readManualTopic(topic),
      }),
    },
    lines: (_frame, width, {manualLines, markdown}) => manualLines(markdown, width),
    hint: {Space: 'pages', Esc: 'closes'},
  });
}
