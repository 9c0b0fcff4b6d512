import type {App} from '#app/core/app.ts';
import type {Command, KeyContext} from '#commands/command.ts';
import {activeContexts, type Keymap, resolveKeys} from '#commands/keymap.ts';
import {findNamed} from '#std/name-match.ts';

/** The command ids by key context; the innermost active context wins, `global` is the fallback. */
type IdsByContext = Readonly<Partial<Record<KeyContext, string>>>;

/** The common commands, each by one word. All others can be run by their id or title. */
const plainCommands: readonly (readonly [name: string, ids: IdsByContext, help: string])[] = [
  ['next', {inbox: 'unread.next.topic', global: 'unread.next.smart'}, 'skip it (stays unread) and go to the next'],
  ['previous', {inbox: 'move.up', global: 'unread.prev.smart'}, 'go to the previous one'],
  ['done', {global: 'conv.done'}, 'mark it read and go to the next'],
  ['whole', {inbox: 'triage.done.group'}, 'mark its whole channel or group read'],
  ['undo', {global: 'undo'}, 'undo the last action'],
  ['redo', {global: 'redo'}, 'redo what was undone'],
  ['review', {global: 'triage.review'}, 'open the undo history'],
  [
    'reply',
    {inbox: 'triage.reply', global: 'reply'},
    'reply with “reply TEXT”, or without text to write several lines',
  ],
  ['later', {inbox: 'triage.snooze'}, 'snooze it'],
  ['mute', {global: 'topic.mute'}, 'mute the topic'],
  ['follow', {global: 'topic.follow'}, 'follow the topic'],
  ['thumb', {inbox: 'triage.thumb', global: 'react.thumb'}, 'add a thumbs-up reaction'],
  ['react', {inbox: 'triage.react', global: 'react.picker'}, 'add another reaction'],
  ['star', {inbox: 'triage.star', global: 'msg.star'}, 'star the message'],
  ['links', {inbox: 'triage.links', global: 'links.open'}, 'list the links in the messages'],
  ['recent', {global: 'view.recent'}, 'list recent conversations'],
  ['catchup', {global: 'view.catchup'}, 'list what mattered in the last week'],
  ['dms', {global: 'view.directs'}, 'list direct messages'],
  ['mentions', {global: 'view.mentions'}, 'list messages that mention you'],
  ['starred', {global: 'view.starred'}, 'list starred messages'],
  ['drafts', {global: 'view.drafts'}, 'list your drafts'],
  ['channels', {global: 'view.channels'}, 'list all channels'],
  ['people', {global: 'view.people'}, 'list people'],
  ['back', {global: 'history.back'}, 'go back to the previous view'],
  ['unread', {global: 'mark.unread'}, 'mark it unread again'],
];

/** Returns the command that a word means in the active context. */
export function commandIdForWord(app: App, name: string): string | undefined {
  const [, ids] = plainCommands.find(([word]) => word === name) ?? [];
  if (ids === undefined) return undefined;
  const context = activeContexts(app.screen).find((each) => ids[each] !== undefined);
  return ids[context ?? 'global'];
}

/** Returns the command of a key, or of several keys with spaces between, as on the screen: `e`, `g r`. */
export function commandIdForKeys({screen}: App, keymap: Keymap, line: string): string | undefined {
  if (!/^\S(?: \S)*$/u.test(line)) return undefined;
  const result = resolveKeys(keymap, activeContexts(screen), line.split(' '));
  return result.kind === 'command' ? result.id : undefined;
}

/** The commands that only the full screen has, with what to do here instead. */
export const screenCommands: readonly (readonly [ids: readonly string[], sentence: string])[] = [
  [
    ['pane.sidebar', 'pane.users', 'filter.sidebar', 'filter.users', 'filter.cycle', 'triage.fold'],
    'Only the full screen has panes. Type “channels” or “people” for the lists.',
  ],
  [['view.bare', 'mouse.toggle'], 'Only for the full screen: here is nothing but text.'],
  [['app.suspend'], 'Press Ctrl-Z to suspend Parley here.'],
  [['tour.toggle'], 'The tour is about the keys of the full screen. Type “help” for the commands.'],
];

/** The answer to commands that change the text of an open composer. */
const composerSentence =
  'Only while writing on the full screen. Here, write Markdown; “parley upload” sends files, “parley schedule” sends later.';

/** Returns why a command runs only on the full screen; undefined when it runs here. */
export function screenOnlyReason({id, contexts}: Command): string | undefined {
  if (contexts.every((context) => context === 'composer')) return composerSentence;
  return screenCommands.find(([ids]) => ids.includes(id))?.[1];
}

const maxMatches = 9;

/** Returns the command whose id it is, or else those whose names match it, the best first. */
export function findCommands(commands: ReadonlyMap<string, Command>, written: string): readonly Command[] {
  const exact = commands.get(written);
  if (exact !== undefined) return [exact];
  const offered = [...commands.values()].filter(({isKeyOnly}) => isKeyOnly !== true);
  return findNamed(offered, written)
    .slice(0, maxMatches)
    .map(({item}) => item);
}

const builtinCommands: readonly (readonly [name: string, help: string])[] = [
  ['inbox, muted', 'list unread conversations, or the muted ones'],
  ['NUMBER', 'open the entry with this number'],
  ['open WHERE', 'open #channel, #channel>topic, @name or a link'],
  ['write WHERE', 'write a message to #channel>topic or @name'],
  ['search WORDS', 'search messages'],
  ['more, older', 'print the next or the previous messages'],
  ['spoilers NUMBER', 'print a message with its spoilers open'],
  ['again', 'print the current view again'],
  ['quit, q', 'quit Parley'],
];

export function plainHelpLines(): readonly string[] {
  return [
    ...plainCommands.map(([name, , help]) => `${name}: ${help}`),
    ...builtinCommands.map(([name, help]) => `${name}: ${help}`),
    'The keys of the full screen work too, one command per line: e, n, z, +, g r.',
    'Any other text searches all commands.',
  ];
}
