import type {Command} from './command.ts';
import {type KeyContext, keyContextNames} from './context-names.ts';
import type {Keymap} from './keymap.ts';

/** One command in one context, with all its keys there. */
export interface KeyTableRow {
  readonly context: KeyContext;
  readonly id: string;
  readonly keys: readonly string[];
  readonly title: string;
}

/** The headings of the contexts in the key help. */
export const contextTitles: Readonly<Record<KeyContext, string>> = {
  global: 'Everywhere',
  nav: 'Navigation',
  msgs: 'Messages',
  list: 'Lists',
  inbox: 'Inbox and conversation lists',
  drafts: 'Drafts',
  browser: 'All channels',
  banner: 'Banners',
  composer: 'Composer',
  menu: 'Menus',
  form: 'Forms',
};

/** The reasons why a command of a context cannot run outside of it. */
export const contextReasons: Readonly<Record<KeyContext, string>> = {
  global: 'Not available here',
  nav: 'Only outside of text fields',
  msgs: 'Only in the message pane',
  list: 'Only in lists',
  inbox: 'Only in conversation lists',
  drafts: 'Only in drafts',
  browser: 'Only in the list of all channels',
  banner: 'Only in banners',
  composer: 'Only in the composer',
  menu: 'Only in menus',
  form: 'Only in forms',
};

/** Returns all keys by context, in the order of the keymap. A command without a record has its id as title. */
export function keyTable(
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<Command, 'title'>>,
  contexts: readonly KeyContext[] = keyContextNames,
): readonly KeyTableRow[] {
  return contexts.flatMap((context) => {
    const keys = new Map<string, string[]>();
    for (const [sequence, id] of keymap[context]) {
      const known = keys.get(id);
      if (known === undefined) keys.set(id, [sequence]);
      else known.push(sequence);
    }
    return [...keys].map(([id, sequences]): KeyTableRow => {
      return {context, id, keys: sequences, title: commands.get(id)?.title ?? id};
    });
  });
}
