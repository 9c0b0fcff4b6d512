import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {helpEntries, openHelpText} from '#app/help/help-texts.ts';
import {changeTimeline, openConversation, openNarrow, visitedConversations} from '#app/navigation/navigation.ts';
import {acceptPickerRow, changePickerField, openPicker} from '#app/overlays/picker.ts';
import {lookUpPerson} from '#app/people/user-card.ts';
import {type FoundRow, foundRows, type MessageSearch, QuickSearch} from '#app/search-view/quick-search.ts';
import {runSearch} from '#app/search-view/run-search.ts';
import {openRefusedSearch} from '#app/search-view/search-picker.ts';
import type {AccountState} from '#state/state.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {type Frame, messagesView, viewChannelId} from '#ui/core/frame.ts';
import type {Acceptance, KeyEffects, Picker, PickerRow} from '#ui/core/overlay.ts';
import {channelColor, conversationColor} from '#ui/format/conversation-name.ts';
import {unreadCountAtRight} from '#ui/format/unread-count-spans.ts';
import {buildSearchIndexes, narrowLinkIn} from '#ui/search/find-conversations.ts';
import {
  type NamedEntry,
  type Omnibox,
  type OmniboxRow,
  type OmniboxTarget,
  omnibox,
  parseTopicQuery,
} from '#ui/search/omnibox.ts';
import {latinText} from '#ui/text/send-keys.ts';
import {emptyLine, replaceAll, setText} from '#ui/text/text-field.ts';

/** A command as the palette offers it. `detail` is its key. */
export type CommandEntry = NamedEntry;

/** The commands and accounts that the palette offers, provided by its caller. */
export interface PaletteSources {
  /** The commands as they are for this account. */
  readonly commands: (account: AccountState) => readonly CommandEntry[];
  readonly accounts: readonly NamedEntry[];
  readonly runCommand: (app: App, id: string) => void;
  readonly switchAccount: (app: App, id: string) => void;
  /** Where what is chosen is shown, instead of in the focused pane. */
  readonly pane?: {readonly title: string; readonly open: (app: App, open: () => void) => void};
}

const id = 'palette';
const titles: Readonly<Record<Omnibox['source'], string>> = {
  conversations: 'Go to',
  commands: 'Commands',
  channels: 'Channels and topics',
  people: 'People',
  search: 'Search',
  help: 'Help',
  accounts: 'Accounts',
};
const sourceOf: Readonly<Record<string, Omnibox['source']>> = {
  '>': 'commands',
  '#': 'channels',
  '@': 'people',
  '/': 'search',
  '?': 'help',
  '!': 'accounts',
};

const linkHint: KeyEffects = {Enter: 'opens', 'Alt-Enter': 'keeps it unread', Esc: 'closes'};
const insideHint: KeyEffects = {
  Enter: 'opens',
  Tab: 'looks inside',
  'Alt-Enter': 'keeps it unread',
  Esc: 'closes',
};
const hints: Readonly<Partial<Record<Omnibox['source'], KeyEffects>>> = {
  conversations: insideHint,
  commands: {Enter: 'runs', Esc: 'closes'},
  channels: insideHint,
  search: {Enter: 'searches', Esc: 'closes'},
  accounts: {Enter: 'switches', Esc: 'closes'},
};

function isLink(query: string): boolean {
  return narrowLinkIn(query.trimStart().replace(/^\//, '')) !== undefined;
}

function sourceIn(query: string): Omnibox['source'] {
  if (isLink(query)) return 'conversations';
  return sourceOf[query.trimStart()[0] ?? ''] ?? 'conversations';
}

/** Opens the palette, which finds everything that has a name. The first character of its text selects the source. */
export function openPalette(app: App, sources: PaletteSources, text = ''): void {
  openPicker(app, new Palette(sources).picker, text === '' ? emptyLine : setText(emptyLine, text));
  // Build the indexes right away, so that the first key does not have to wait.
  app.clock.after(0, () => buildSearchIndexes(app.state));
}

/** What is shown in a pane. */
const shownTargets: ReadonlySet<OmniboxTarget['kind'] | undefined> = new Set(['conversation', 'narrow', 'search']);

interface PaletteRow extends FoundRow {
  readonly found?: OmniboxRow;
}

class Palette {
  readonly #sources: PaletteSources;
  readonly #search = new QuickSearch(id, (search) => this.#rowsWith(search));
  #cachedBox: {readonly frame: Frame; readonly query: string; readonly box: Omnibox} | undefined;
  readonly picker: Picker<PaletteRow>;

  constructor(sources: PaletteSources) {
    this.#sources = sources;
    this.picker = {
      id,
      title: titles.conversations,
      titleFor: (query) => {
        const source = sourceIn(query);
        return source === 'conversations' && sources.pane !== undefined ? sources.pane.title : titles[source];
      },
      placeholder:
        sources.pane === undefined
          ? 'Go to…  # channels  @ people  > commands  / search  ? help'
          : 'Conversation…  # channels  @ people  / search',
      columns: 96,
      rowsShown: 14,
      rows: this.#rowsWith(undefined),
      // Who types a whole name means that row, also if it cannot run and so stands behind others: Enter says why.
      startAt: (_frame, query, rows) => {
        const name = query.replace(/^>/, '').trim().toLowerCase();
        return Math.max(
          0,
          rows.findIndex(({label}) => label.toLowerCase() === name),
        );
      },
      accept: (app, row, how) => this.#accept(app, row, how),
      onKey: (app, key) => this.#press(app, key),
      onQuery: (app, query) => this.#ask(app, query),
      topicsOf: ({account}, query) => {
        const [sign, ...text] = query.trimStart();
        return sign === '#' ? parseTopicQuery(account, text.join(''), latinText)?.channel.id : undefined;
      },
      onClose: (app) => this.#search.stop(app),
      hintFor: (query) => (isLink(query) ? linkHint : (hints[sourceIn(query)] ?? {Enter: 'opens', Esc: 'closes'})),
    };
  }

  #box(frame: Frame, query: string): Omnibox {
    if (this.#cachedBox?.frame !== frame || this.#cachedBox.query !== query) {
      const {commands, accounts} = this.#sources;
      const visits = visitedConversations(frame);
      const sources = {commands: commands(frame.account), accounts, help: helpEntries, visits, remap: latinText};
      this.#cachedBox = {frame, query, box: omnibox(frame.account, query, sources)};
    }
    return this.#cachedBox.box;
  }

  #rowsWith(search: MessageSearch | undefined): Picker<PaletteRow>['rows'] {
    return (frame, query) => {
      const {rows, source} = this.#box(frame, query);
      const own = rows.map((row, at) => this.#row(frame.account, row, at));
      return source === 'search' ? [...own, ...foundRows(frame, search)] : own;
    };
  }

  #row(account: AccountState, found: OmniboxRow, at: number): PaletteRow {
    const {title, detail, target, ranges, unreads, problem} = found;
    const isCommand = target.kind === 'command';
    return {
      key: `${at} ${title}`,
      label: title,
      matched: ranges,
      tint: targetColor(account, target),
      ...(isCommand
        ? {right: detail, disabled: this.#command(account, target.id)?.disabled}
        : {detail, disabled: problem}),
      ...(unreads !== undefined && unreadCountAtRight(unreads)),
      found,
    };
  }

  #ask(app: App, query: string): void {
    const text = query.trimStart();
    const isSearch = this.#box(app.frame, query).source === 'search';
    if (isSearch) this.#search.ask(app, text.slice(1));
    else this.#search.stop(app);
  }

  /** Alt-Enter, Ctrl-Enter and Ctrl-O open without marking anything read. */
  #press(app: App, key: Key): boolean {
    const name = keyName(key);
    if (name !== 'Alt-Enter' && name !== 'Ctrl-Enter' && name !== 'Ctrl-O') return false;
    acceptPickerRow(app, 'other');
    return true;
  }

  #accept(app: App, {found, message}: PaletteRow, how: Acceptance): void {
    if (how === 'tab' && found?.drill !== undefined) {
      const inside = found.drill;
      changePickerField(app, (field) => replaceAll(field, inside));
      return;
    }
    if (found === undefined && message === undefined) return;
    app.closeOverlay();
    const open = () => {
      if (message !== undefined) openConversation(app, message.conversation, {anchor: message.id});
      else if (found !== undefined) this.#open(app, found.target);
    };
    const isShown = message !== undefined || shownTargets.has(found?.target.kind);
    if (isShown && this.#sources.pane !== undefined) this.#sources.pane.open(app, open);
    else open();
    if (how === 'other') markAsPeek(app);
  }

  #open(app: App, target: OmniboxTarget): void {
    if (target.kind === 'conversation') openConversation(app, target.conversation);
    else if (target.kind === 'narrow') openNarrow(app, target.narrow);
    else if (target.kind === 'help') openHelpText(app, target.id);
    else if (target.kind === 'email') lookUpPerson(app, target.email);
    else if (target.kind === 'account') this.#sources.switchAccount(app, target.id);
    else if (target.kind === 'command') this.#run(app, target.id);
    else if (!runSearch(app, target.text)) openRefusedSearch(app, target.text);
  }

  #command(account: AccountState, name: string): CommandEntry | undefined {
    return this.#sources.commands(account).find((entry) => entry.id === name);
  }

  /** Runs a command. Its own toast takes precedence over the tip. */
  #run(app: App, name: string): void {
    const {toast} = app.screen;
    this.#sources.runCommand(app, name);
    const key = this.#command(app.state, name)?.detail;
    const tip = recordCommandUse(app, name, key);
    if (tip !== undefined && app.screen.toast === toast) app.toast(tip);
  }
}

function targetColor(account: AccountState, target: OmniboxTarget): string | undefined {
  if (target.kind === 'conversation') return conversationColor(account, target.conversation);
  return target.kind === 'narrow' ? channelColor(account, viewChannelId(messagesView(target.narrow))) : undefined;
}

/** Marks the shown view as only peeked at, so that nothing becomes read. */
export function markAsPeek(app: App): void {
  const {view} = app.screen;
  if (view.kind === 'messages') changeTimeline(app, view, (timeline) => ({...timeline, isPeek: true}));
}

const storageKey = 'palette.uses';
/** After this many uses by name, a tip shows the command's key. */
const usesBeforeTip = 3;
/** Stored instead of a count once the tip was shown. */
const tipShown = -1;

/** Counts a use of a command by name; returns the tip when it is due. */
function recordCommandUse(app: App, id: string, key: string | undefined): string | undefined {
  const {[id]: before = 0, ...others} = readPersistedValue(app, storageKey, readUses);
  const isTime = before !== tipShown && before + 1 >= usesBeforeTip && key !== undefined;
  // Written last, so that the keys are in order of last use.
  persistValue(app, storageKey, {...others, [id]: isTime || before === tipShown ? tipShown : before + 1});
  return isTime ? `Tip: ${key} does this` : undefined;
}

/** Returns the commands that were run by name, the latest first. */
export function recentCommands(app: App): readonly string[] {
  return Object.keys(readPersistedValue(app, storageKey, readUses)).reverse();
}

function readUses(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** A command that is typed after a colon, as in vi. */
export interface LineCommand {
  /** The first name is the one that completion inserts. */
  readonly names: readonly string[];
  readonly title: string;
  /** Describes the words after the name, if it takes any. */
  readonly argument?: string;
  /** Returns why the command cannot run with these words. */
  readonly problem?: (frame: Frame, words: string) => string | undefined;
  readonly run: (app: App, words: string) => void;
}

type TypedCommand = ReturnType<typeof parseLine>;

function parseLine(text: string) {
  const line = text.trimStart().replace(/^:/, '');
  const [, name = '', space = '', words = ''] = /^(\S*)(\s*)(.*)$/s.exec(line) ?? [];
  return {name, words: words.trim(), hasArgument: space !== ''};
}

interface CommandRow extends PickerRow {
  readonly command: LineCommand;
}

/** Opens a line for the commands. Its rows complete the name; Enter runs the command, Tab completes it. */
export function openCommandLine(app: App, commands: readonly LineCommand[]): void {
  openPicker<CommandRow>(app, {
    id: 'command-line',
    title: 'Command line',
    isGeneral: true,
    placeholder: commands.map(({names}) => `:${names[0]}`).join('  '),
    columns: 64,
    rows: (frame, query) =>
      matching(commands, parseLine(query)).map((command) => commandRow(frame, command, parseLine(query))),
    empty: 'Unknown command',
    hint: {Enter: 'runs', Tab: 'completes', Esc: 'closes'},
    accept: (opened, {command}, how) => {
      const {words} = parseLine(typedText(opened));
      if (how === 'tab') {
        const completed = [command.names[0], words].join(' ');
        changePickerField(opened, (field) => replaceAll(field, completed));
        return;
      }
      opened.closeOverlay();
      command.run(opened, words);
    },
    // The colon that opened the line may be typed again.
    onKey: (opened, {text, name}, row) => {
      if (name === 'Enter' && row === undefined) opened.toast(unknownText(commands, typedText(opened)), 'warning');
      return (name === 'Enter' && row === undefined) || (text === ':' && typedText(opened) === '');
    },
  });
}

function typedText({screen}: App): string {
  const top = screen.overlays.at(-1);
  return top?.kind === 'picker' ? top.field.text : '';
}

/** Returns the commands of the typed name; without one, those whose name begins so. */
function matching(commands: readonly LineCommand[], {name, hasArgument}: TypedCommand): readonly LineCommand[] {
  const exact = commands.filter(({names}) => names.includes(name));
  if (exact.length > 0 || hasArgument) return exact;
  return commands.filter(({names}) => names.some((one) => one.startsWith(name)));
}

function commandRow(frame: Frame, command: LineCommand, {name, words}: TypedCommand): CommandRow {
  const {names, title, argument, problem} = command;
  const shown = names.includes(name) ? name : (names[0] ?? '');
  const isTyped = names.includes(name);
  return {
    command,
    key: names.join(' '),
    label: words === '' ? `:${shown}${argument === undefined ? '' : ` ${argument}`}` : `:${shown} ${words}`,
    detail: title,
    disabled: isTyped ? problem?.(frame, words) : undefined,
  };
}

function unknownText(commands: readonly LineCommand[], text: string): string {
  const known = commands.flatMap(({names}) => names.map((name) => `:${name}`)).join(' ');
  return `Unknown command: :${parseLine(text).name}. Known: ${known}`;
}
