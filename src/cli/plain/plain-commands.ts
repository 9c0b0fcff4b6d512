import type {App} from '#app/core/app.ts';
import type {Command} from '#commands/command.ts';
import type {KeyContext} from '#commands/context-names.ts';
import {activeContexts} from '#commands/key-contexts.ts';
import {type Keymap, resolveKeys} from '#commands/keymap.ts';
import {findNamed} from '#std/name-match.ts';

interface PlainCommand {
  readonly name: string;
  /** By the innermost context that has one; `global` is the rest. */
  readonly ids: Readonly<Partial<Record<KeyContext, string>>>;
  readonly help: string;
}

/** The usual commands by a word each. Everything else goes by its id or its title. */
export const plainCommands: readonly PlainCommand[] = [
  {
    name: 'next',
    ids: {inbox: 'unread.next.topic', global: 'unread.next.smart'},
    help: 'keep it unread and go to the next',
  },
  {
    name: 'previous',
    ids: {inbox: 'move.up', global: 'unread.prev.smart'},
    help: 'the one before',
  },
  {name: 'done', ids: {inbox: 'triage.done', global: 'conv.done'}, help: 'mark it read and go to the next'},
  {name: 'whole', ids: {inbox: 'triage.done.group'}, help: 'mark its whole channel or group read'},
  {
    name: 'undo',
    ids: {inbox: 'triage.undo', drafts: 'draft.undo', global: 'undo'},
    help: 'take back what was done last',
  },
  {name: 'review', ids: {global: 'triage.review'}, help: 'what was done, to take back any of it'},
  {
    name: 'reply',
    ids: {inbox: 'triage.reply', global: 'reply'},
    help: 'answer: “reply TEXT”, or alone for several lines',
  },
  {name: 'later', ids: {inbox: 'triage.later'}, help: 'hide it for a while'},
  {name: 'mute', ids: {global: 'topic.mute'}, help: 'mute the topic'},
  {name: 'follow', ids: {global: 'topic.follow'}, help: 'follow the topic'},
  {name: 'thumb', ids: {inbox: 'triage.thumb', global: 'react.thumb'}, help: 'a thumb for the message'},
  {name: 'react', ids: {inbox: 'triage.react', global: 'react.picker'}, help: 'another reaction'},
  {name: 'star', ids: {inbox: 'triage.star', global: 'msg.star'}, help: 'star the message'},
  {name: 'links', ids: {inbox: 'triage.links', global: 'links.open'}, help: 'what the messages link to'},
  {name: 'recent', ids: {global: 'view.recent'}, help: 'recent conversations'},
  {name: 'dms', ids: {global: 'view.directs'}, help: 'direct messages'},
  {name: 'mentions', ids: {global: 'view.mentions'}, help: 'where you are mentioned'},
  {name: 'starred', ids: {global: 'view.starred'}, help: 'starred messages'},
  {name: 'drafts', ids: {global: 'view.drafts'}, help: 'what you began to write'},
  {name: 'channels', ids: {global: 'view.channels'}, help: 'all channels'},
  {name: 'people', ids: {global: 'view.people'}, help: 'people'},
  {name: 'back', ids: {global: 'history.back'}, help: 'where you were before'},
  {name: 'unread', ids: {global: 'mark.unread'}, help: 'mark it unread again'},
];

/** The command that a word means here. */
export function commandIdForWord(app: App, name: string): string | undefined {
  const word = plainCommands.find((each) => each.name === name);
  if (word === undefined) return undefined;
  const context = activeContexts(app.screen).find((each) => word.ids[each] !== undefined);
  return word.ids[context ?? 'global'];
}

/** The command of a key, or of several with spaces between, as on the screen: `e`, `g r`. */
export function commandIdForKeys({screen}: App, keymap: Keymap, line: string): string | undefined {
  if (!/^\S(?: \S)*$/u.test(line)) return undefined;
  const found = resolveKeys(keymap, activeContexts(screen), line.split(' '));
  return found.kind === 'command' ? found.id : undefined;
}

const mostFound = 9;

/** Returns the command whose id it is, or else those whose names match it, the best first. */
export function findCommands(commands: ReadonlyMap<string, Command>, written: string): readonly Command[] {
  const exact = commands.get(written);
  if (exact !== undefined) return [exact];
  const offered = [...commands.values()].filter(({isKeyOnly}) => isKeyOnly !== true);
  return findNamed(offered, written)
    .slice(0, mostFound)
    .map(({item}) => item);
}

const own: readonly (readonly [name: string, help: string])[] = [
  ['inbox, muted', 'what is unread, as a numbered list'],
  ['NUMBER', 'what was listed under it'],
  ['open WHERE', '#channel, #channel>topic, @name or a link'],
  ['write WHERE', 'a message to #channel>topic or @name'],
  ['search WORDS', 'messages with these words'],
  ['more, older', 'read on, or what came before'],
  ['again', 'the same once more'],
  ['quit, q', 'leave'],
];

export function plainHelpLines(): readonly string[] {
  return [
    ...plainCommands.map(({name, help}) => `${name}: ${help}`),
    ...own.map(([name, help]) => `${name}: ${help}`),
    'The keys of the screen work too, one on a line: e, n, z, +, g r.',
    'Anything else is looked up among all commands.',
  ];
}
