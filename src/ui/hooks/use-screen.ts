import type {ScreenState} from '#ui/core/screen-state.ts';
import {useSelect} from './use-select.ts';

/** Reads a part of the screen state: what the user looks at, which the server does not know. */
export function useScreen<T>(select: (screen: ScreenState) => T): T {
  return useSelect(({screen}) => select(screen));
}
