import type {Command} from '#commands/command.ts';
import type {KeyContext} from '#commands/context-names.ts';
import {activeContexts, type Keymap, resolveKeys} from '#commands/keymap.ts';
import {findNamed} from '#std/name-match.ts';
import type {App} from '#ui/core/app.ts';

interface PlainCommand {
  readonly name: string;
  /** The command ids by key context; the innermost active context wins, `global` is the fallback. */
  readonly ids: Readonly<Partial<Record<KeyContext, string>>>;
  readonly help: string;
}

/** The common commands, each by one word. All others can be run by their id or title. */
export const plainCommands: readonly PlainCommand[] = [
  {
    name: 'next',
    ids: {inbox: 'unread.next.topic', global: 'unread.next.smart'},
    help: 'skip it (stays unread) and go to the next',
  },
  {
    name: 'previous',
    ids: {inbox: 'move.up', global: 'unread.prev.smart'},
    help: 'go to the previous one',
  },
  {name: 'done', ids: {inbox: 'triage.done', global: 'conv.done'}, help: 'mark it read and go to the next'},
  {name: 'whole', ids: {inbox: 'triage.done.group'}, help: 'mark its whole channel or group read'},
  {
    name: 'undo',
    ids: {inbox: 'triage.undo', drafts: 'draft.undo', global: 'undo'},
    help: 'undo the last action',
  },
  {name: 'review', ids: {global: 'triage.review'}, help: 'open the undo history'},
  {
    name: 'reply',
    ids: {inbox: 'triage.reply', global: 'reply'},
    help: 'reply with “reply TEXT”, or without text to write several lines',
  },
  {name: 'later', ids: {inbox: 'triage.snooze'}, help: 'snooze it'},
  {name: 'mute', ids: {global: 'topic.mute'}, help: 'mute the topic'},
  {name: 'follow', ids: {global: 'topic.follow'}, help: 'follow the topic'},
  {name: 'thumb', ids: {inbox: 'triage.thumb', global: 'react.thumb'}, help: 'add a thumbs-up reaction'},
  {name: 'react', ids: {inbox: 'triage.react', global: 'react.picker'}, help: 'add another reaction'},
  {name: 'star', ids: {inbox: 'triage.star', global: 'msg.star'}, help: 'star the message'},
  {name: 'links', ids: {inbox: 'triage.links', global: 'links.open'}, help: 'list the links in the messages'},
  {name: 'recent', ids: {global: 'view.recent'}, help: 'list recent conversations'},
  {name: 'dms', ids: {global: 'view.directs'}, help: 'list direct messages'},
  {name: 'mentions', ids: {global: 'view.mentions'}, help: 'list messages that mention you'},
  {name: 'starred', ids: {global: 'view.starred'}, help: 'list starred messages'},
  {name: 'drafts', ids: {global: 'view.drafts'}, help: 'list your drafts'},
  {name: 'channels', ids: {global: 'view.channels'}, help: 'list all channels'},
  {name: 'people', ids: {global: 'view.people'}, help: 'list people'},
  {name: 'back', ids: {global: 'history.back'}, help: 'go back to the previous view'},
  {name: 'unread', ids: {global: 'mark.unread'}, help: 'mark it unread again'},
];

/** Returns the command that a word means in the active context. */
export function commandIdForWord(app: App, name: string): string | undefined {
  const command = plainCommands.find((each) => each.name === name);
  if (command === undefined) return undefined;
  const context = activeContexts(app.screen).find((each) => command.ids[each] !== undefined);
  return command.ids[context ?? 'global'];
}

/** Returns the command of a key, or of several keys with spaces between, as on the screen: `e`, `g r`. */
export function commandIdForKeys({screen}: App, keymap: Keymap, line: string): string | undefined {
  if (!/^\S(?: \S)*$/u.test(line)) return undefined;
  const result = resolveKeys(keymap, activeContexts(screen), line.split(' '));
  return result.kind === 'command' ? result.id : undefined;
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
  ['again', 'print the current view again'],
  ['quit, q', 'quit Parley'],
];

export function plainHelpLines(): readonly string[] {
  return [
    ...plainCommands.map(({name, help}) => `${name}: ${help}`),
    ...builtinCommands.map(([name, help]) => `${name}: ${help}`),
    'The keys of the full screen work too, one command per line: e, n, z, +, g r.',
    'Any other text searches all commands.',
  ];
}
