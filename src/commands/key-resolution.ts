import {type Key, parseKeyName} from '#terminal/input/key.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {focusedTextInput} from '#ui/text-input.ts';
import {activeContexts} from './key-contexts.ts';
import {type Keymap, resolveKeys} from './keymap.ts';

/** Whether a key is text of the focused input, and so runs no command. */
export function isTyped(app: Pick<AppReader, 'screen' | 'frame'>, key: Key): boolean {
  const isText = key.text !== undefined && key.ctrl !== true && key.alt !== true;
  return isText && app.screen.prefix.length === 0 && focusedTextInput(app) !== undefined;
}

/** Returns the command that a sequence of keys would run now; undefined when there is none, or another sequence has begun. */
export function commandOfKeys(
  keymap: Keymap,
  app: Pick<AppReader, 'screen' | 'frame'>,
  sequence: string,
): string | undefined {
  const keys = sequence.split(' ');
  const first = parseKeyName(keys[0] ?? '');
  if (first === undefined || app.screen.prefix.length > 0 || isTyped(app, first)) return undefined;
  const contexts = activeContexts(app.screen);
  const isReached = keys
    .slice(1)
    .every((_key, at) => resolveKeys(keymap, contexts, keys.slice(0, at + 1)).kind === 'prefix');
  const resolved = resolveKeys(keymap, contexts, keys);
  return isReached && resolved.kind === 'command' ? resolved.id : undefined;
}
