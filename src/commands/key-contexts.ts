import {type Key, parseKeyName} from '#terminal/input/key.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {focusedTextInput} from '#ui/text-input.ts';
import type {KeyContext} from './context-names.ts';
import {type Keymap, resolveKeys} from './keymap.ts';

/** Returns the contexts whose keys are active now, the innermost first. */
export function activeContexts(screen: ScreenState): readonly KeyContext[] {
  if (screen.overlays.at(-1)?.kind === 'form') return ['form', 'global'];
  if (screen.overlays.length > 0) return ['menu', 'global'];
  if (isFiltering(screen)) return ['menu', 'global'];
  switch (screen.focus) {
    case 'composer':
      return ['composer', 'global'];
    case 'banner':
    case 'connection':
      return ['banner', 'nav', 'global'];
    case 'main':
      return mainContexts(screen);
    default:
      return conversationLists;
  }
}

/** Every conversation list has the keys of the inbox. */
const conversationLists: readonly KeyContext[] = ['inbox', 'list', 'nav', 'global'];

function mainContexts({view}: ScreenState): readonly KeyContext[] {
  switch (view.kind) {
    case 'messages':
      return ['msgs', 'nav', 'global'];
    case 'drafts':
      return ['drafts', 'list', 'nav', 'global'];
    case 'channels':
      return ['browser', 'list', 'nav', 'global'];
    default:
      return conversationLists;
  }
}

/** Whether the user types into the filter of a list. */
export function isFiltering({lists}: ScreenState): boolean {
  return Object.values(lists).some((list) => list.isFiltering);
}

/** What keys do: move and run commands, write text, or choose in an overlay. The status line shows it. */
export type InputMode = 'NAV' | 'WRITE' | 'PICK';

export function inputMode(screen: ScreenState): InputMode {
  if (screen.overlays.at(-1)?.kind === 'form') return 'WRITE';
  if (screen.overlays.length > 0) return 'PICK';
  return screen.focus === 'composer' || isFiltering(screen) ? 'WRITE' : 'NAV';
}

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
