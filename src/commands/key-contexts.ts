import type {ScreenState} from '#ui/core/screen-state.ts';
import type {KeyContext} from './context-names.ts';

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
